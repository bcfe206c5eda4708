package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Part.Text;
import dev.holdfast.core.internal.form.Part.ToolResult;
import dev.holdfast.core.internal.json.JsonReader;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What tools answered: a text in two forms, an object in Gemini's. A text that is an object becomes it; any other stands in an
 * object under {@code result}, or under {@code error} if the tool failed, as Gemini's reference of FunctionResponse names them.
 * The way back undoes that.
 */
final class Results {
    private static final String RESULT = "result";
    private static final String ERROR = "error";
    private static final Set<String> WRAPS = Set.of(RESULT, "output", ERROR);

    private Results() {}

    static JsonObject document(ToolResult result) {
        return result.document().orElseGet(() -> wrapped(text(result), failed(result)));
    }

    private static JsonObject wrapped(String text, boolean failed) {
        Optional<JsonObject> object = failed || !text.startsWith("{")
                ? Optional.empty()
                : JsonReader.tryRead(text).flatMap(JsonValue::asObject);
        return object.filter(each -> unwrapped(each).isEmpty())
                .orElseGet(() -> JsonObject.of(failed ? ERROR : RESULT, JsonValue.of(text)));
    }

    /** The answer as a text. */
    static String text(JsonObject document) {
        return unwrapped(document).orElseGet(document::toJson);
    }

    private static Optional<String> unwrapped(JsonObject document) {
        if (document.members().size() != 1) {
            return Optional.empty();
        }
        String name = document.members().firstEntry().getKey();
        return WRAPS.contains(name) ? document.text(name) : Optional.empty();
    }

    /** The answer's texts. */
    static String text(ToolResult result) {
        return result.document()
                .map(Results::text)
                .orElseGet(() -> result.content().stream()
                        .filter(Text.class::isInstance)
                        .map(part -> ((Text) part).text())
                        .collect(Collectors.joining("\n")));
    }

    static boolean failed(ToolResult result) {
        return result.failed()
                .orElseGet(() -> result.document()
                        .filter(document -> document.members().size() == 1)
                        .flatMap(document -> document.text(ERROR))
                        .isPresent());
    }
}
