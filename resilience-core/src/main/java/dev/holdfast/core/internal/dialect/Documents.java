package dev.holdfast.core.internal.dialect;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ToolCall;
import dev.holdfast.core.internal.form.Translation;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.DialectException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** What the documents of all forms have in common. */
final class Documents {
    private Documents() {}

    /** The document of a request, with the name the endpoint knows the model by where it names one. */
    static JsonObject withModel(ModelRequest request, String model) {
        JsonObject document = request.document();
        boolean inDocument =
                switch (request.form()) {
                    case OPENAI_CHAT, ANTHROPIC_MESSAGES -> true;
                    case GEMINI_CONTENT -> false;
                    case OPAQUE -> document.get("model").isPresent();
                };
        boolean same = document.text("model").filter(model::equals).isPresent();
        return inDocument && !same ? document.with("model", JsonValue.of(model)) : document;
    }

    /** Refuses a request of another form. */
    static void expect(Form form, ModelRequest request) throws DialectException {
        if (request.form() != form && request.form() != Form.OPAQUE) {
            throw new DialectException("/: a request in the form " + request.form() + " (expected: " + form + ")");
        }
    }

    /** The id that the answer's own server gave it, else one that is the same for the same document. */
    static String id(ModelAnswer answer, String prefix) {
        return ownId(answer.document())
                .orElseGet(() -> prefix + digest(answer.document().toJson()));
    }

    /** The id in a document of any form. */
    static Optional<String> ownId(JsonObject document) {
        return document.text("id").or(() -> document.text("responseId")).filter(id -> !id.isBlank());
    }

    /** Eight hexadecimal digits that are the same for the same text. */
    static String digest(String text) {
        return HexFormat.of().toHexDigits(text.hashCode());
    }

    /** The id of a tool call, else one that is the same for the same call. */
    static String callId(ToolCall call, int position) {
        return call.id().isEmpty() ? madeCallId(call.name() + call.arguments(), position) : call.id();
    }

    /** An id for a call whose server gave it none: clients answer calls by it. */
    static String madeCallId(String seed, int position) {
        return "call_" + digest(seed) + "_" + position;
    }

    /** The arguments of a tool call as an object; of a text that breaks off, what it says up to there. */
    static JsonObject arguments(String text) {
        return text.isBlank()
                ? JsonObject.empty()
                : JsonReader.salvage(text).flatMap(JsonValue::asObject).orElse(JsonObject.empty());
    }

    /** Whether the arguments of a tool call are an object, as Anthropic and Gemini have them, or nothing. */
    static boolean isObject(String arguments) {
        return arguments.isBlank()
                || JsonReader.tryRead(arguments).flatMap(JsonValue::asObject).isPresent();
    }

    static String model(JsonObject document) throws DialectException {
        return document.text("model")
                .filter(model -> !model.isBlank())
                .orElseThrow(() -> new DialectException("/model: missing (expected: a string)"));
    }

    /** The elements of a member that must be an array of at least one. */
    static List<JsonValue> some(JsonObject document, String name, String what) throws DialectException {
        List<JsonValue> elements = document.list(name);
        if (elements.isEmpty()) {
            throw new DialectException("/" + name + ": missing or empty (expected: an array of " + what + ")");
        }
        return elements;
    }

    static void checkFlag(JsonObject document, String name) throws DialectException {
        JsonValue value = document.members().get(name);
        if (value != null && !value.isNull() && !(value instanceof JsonBoolean)) {
            throw new DialectException("/" + name + ": no boolean (expected: true or false)");
        }
    }

    static void checkCount(JsonObject document, String name) throws DialectException {
        JsonValue value = document.members().get(name);
        boolean wrong = value != null
                && !value.isNull()
                && !(value instanceof JsonNumber number && number.asLong().orElse(0) >= 1);
        if (wrong) {
            throw new DialectException("/" + name + ": no positive whole number (expected: >= 1)");
        }
    }

    /** The path of a request to a server of ours, below the version. */
    static String belowVersion(String path) {
        return path.startsWith("/v1/") ? path.substring(3) : path;
    }

    static String withoutQuery(String path) {
        int question = path.indexOf('?');
        return question < 0 ? path : path.substring(0, question);
    }

    /** A request that reads as one of its form to the last part; what does not is refused with its place. */
    static ModelRequest readable(ModelRequest request) throws DialectException {
        Translation.check(request);
        return request;
    }

    /** A request of no form that a client sent to a server of ours. */
    static ModelRequest opaque(String path, String model, JsonObject document) throws DialectException {
        if (path.isBlank() || Uris.leadsOut(path)) {
            throw new DialectException("/: no path (expected: one below the base URL)");
        }
        return ModelRequest.opaque(path, model, document);
    }
}
