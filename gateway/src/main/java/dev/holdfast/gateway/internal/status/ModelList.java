package dev.holdfast.gateway.internal.status;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.gateway.internal.access.AccessKey;
import dev.holdfast.gateway.internal.api.ProblemException;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import java.util.List;
import java.util.Optional;

/**
 * {@code GET /v1/models} in OpenAI's form: the models a key may ask for.
 *
 * @param models all models, in the order of the file
 */
public record ModelList(List<String> models) {
    /** Copies the list. */
    public ModelList {
        models = List.copyOf(models);
    }

    /**
     * {@return the list}
     *
     * @param key whose list it is
     */
    public HttpAnswer answer(Optional<AccessKey> key) {
        return HttpAnswer.json(
                200,
                JsonObject.of("object", JsonValue.of("list"))
                        .with(
                                "data",
                                new JsonArray(models.stream()
                                        .filter(model -> isShown(model, key))
                                        .<JsonValue>map(ModelList::entry)
                                        .toList())));
    }

    /**
     * {@return one of the list}
     *
     * @param model the model
     * @param key whose list it is
     */
    public HttpAnswer answer(String model, Optional<AccessKey> key) {
        if (!models.contains(model) || !isShown(model, key)) {
            throw ProblemException.of(
                            404, "invalid_request_error", "model_not_found", "this model is not configured here")
                    .withParam("model");
        }
        return HttpAnswer.json(200, entry(model));
    }

    private static boolean isShown(String model, Optional<AccessKey> key) {
        return key.isEmpty() || key.get().allows(model);
    }

    private static JsonObject entry(String model) {
        return JsonObject.of("id", JsonValue.of(model))
                .with("object", JsonValue.of("model"))
                .with("created", JsonValue.of(0))
                .with("owned_by", JsonValue.of("holdfast"));
    }
}
