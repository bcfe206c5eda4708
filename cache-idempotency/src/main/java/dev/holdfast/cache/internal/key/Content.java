package dev.holdfast.cache.internal.key;

import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;

/** What a request asks for: the model beside the document counts even where the document names another. */
public record Content(Form form, String path, String model, JsonObject document) {
    /** The canonical content of a request. */
    public static Content of(ModelRequest request) {
        return new Content(
                request.form(),
                request.path().orElse(""),
                request.model(),
                CanonicalJson.of(request.form(), request.document()));
    }
}
