package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.json.JsonReader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool call: forms have them as JSON text, perhaps malformed, or as an object. */
public final class Arguments {
    private final @Nullable String text;
    private final @Nullable JsonObject object;
    private final boolean words;

    private Arguments(@Nullable String text, @Nullable JsonObject object, boolean words) {
        this.text = text;
        this.object = object;
        this.words = words;
    }

    /** Arguments as the model wrote them. */
    public static Arguments of(String text) {
        return new Arguments(text, null, false);
    }

    /** Arguments as an object. */
    public static Arguments of(JsonObject object) {
        return new Arguments(null, object, false);
    }

    /** What a tool without a schema is told, as OpenAI's custom tools: any text, even one that looks like JSON. */
    static Arguments ofWords(String text) {
        return new Arguments(text, null, true);
    }

    /** Whether they are any text, not JSON. */
    boolean isWords() {
        return words;
    }

    /** As JSON text; the text itself where it is any. */
    public String text() {
        return text != null ? text : object == null ? "" : object.toJson();
    }

    /** As an object; empty if the text is no JSON object. No text at all is an object without members. */
    public Optional<JsonObject> object() {
        if (object != null) {
            return Optional.of(object);
        }
        if (words) {
            return Optional.empty();
        }
        String written = text();
        return written.isBlank()
                ? Optional.of(JsonObject.empty())
                : JsonReader.tryRead(written).flatMap(JsonValue::asObject);
    }

    /** Equal arguments mean the same: text that is an object counts as that object. */
    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Arguments that)) {
            return false;
        }
        Optional<JsonObject> own = object();
        boolean same =
                own.isPresent() ? own.equals(that.object()) : that.object().isEmpty() && text().equals(that.text());
        return same && words == that.words;
    }

    @Override
    public int hashCode() {
        return object().map(JsonObject::hashCode).orElseGet(() -> text().hashCode());
    }

    @Override
    public String toString() {
        return "Arguments[" + (words ? "words" : text != null ? "text" : "object") + "]";
    }
}
