package dev.holdfast.core.internal.failure;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds what is wrong with a document that came with a status of success, or within a stream that began with one. */
final class EmbeddedError {
    /** Finish reasons that say the provider broke, not that the model was done. */
    private static final Map<String, String> BROKEN = Map.of(
            "error", "server_error",
            "network_error", "server_error",
            "abort", "server_error",
            "insufficient_system_resource", "overloaded");

    private static final List<String> WORDS = List.of("message", "msg", "detail");
    private static final List<String> ANSWERS = List.of("choices", "content", "candidates", "output", "data");
    private static final Set<String> FAILED = Set.of("failed", "error");

    /** MiniMax answers every error with 200 and a number of its own; the numbers that are not here mean that it broke. */
    private static final Map<Long, String> MINIMAX = Map.ofEntries(
            Map.entry(1001L, "timeout"),
            Map.entry(1002L, "rate_limited"),
            Map.entry(1004L, "authentication_failed"),
            Map.entry(1008L, "insufficient_balance"),
            Map.entry(1026L, "sensitive_content"),
            Map.entry(1027L, "sensitive_content"),
            Map.entry(1039L, "rate_limited"),
            Map.entry(1041L, "rate_limited"),
            Map.entry(1042L, "invalid_request"),
            Map.entry(2013L, "invalid_request"),
            Map.entry(2049L, "invalid_api_key"),
            Map.entry(2056L, "quota_exhausted"));

    private EmbeddedError() {}

    /** What the document says of an error, if it says so. */
    static Optional<ErrorReport> find(JsonValue document) {
        return switch (document) {
            case JsonObject object -> inObject(object);
            case JsonArray array ->
                array.elements().stream()
                        .flatMap(element -> element.asObject().stream())
                        .flatMap(object -> inObject(object).stream())
                        .findFirst();
            default -> Optional.empty();
        };
    }

    private static Optional<ErrorReport> inObject(JsonObject object) {
        if (has(object, "error") || isErrorType(object) || saysFailed(object)) {
            return Optional.of(ErrorReader.read(object));
        }
        if (object.object("response").filter(EmbeddedError::isFailedResponse).isPresent()) {
            return object.object("response").map(ErrorReader::read);
        }
        return isFailedResponse(object)
                ? Optional.of(ErrorReader.read(object))
                : inChoices(object).or(() -> inEnvelope(object)).or(() -> flat(object));
    }

    private static boolean has(JsonObject object, String name) {
        JsonValue value = object.members().get(name);
        return value != null && ErrorReader.isError(value);
    }

    private static boolean says(JsonObject object, String name, String text) {
        return object.members().get(name) instanceof JsonString(String said) && said.equals(text);
    }

    private static boolean hasAny(JsonObject object, List<String> names) {
        for (String name : names) {
            if (object.members().containsKey(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isErrorType(JsonObject object) {
        return says(object, "type", "error") || says(object, "object", "error");
    }

    /** {@code {"success":false,"errors":[…]}}, and a list of errors beside nothing that an answer has. */
    private static boolean saysFailed(JsonObject object) {
        boolean unsuccessful = JsonValue.of(false).equals(object.members().get("success"));
        return (unsuccessful || has(object, "errors")) && ANSWERS.stream().noneMatch(name -> has(object, name));
    }

    private static boolean isFailedResponse(JsonObject object) {
        return says(object, "object", "response")
                && object.text("status").filter(FAILED::contains).isPresent();
    }

    private static Optional<ErrorReport> inChoices(JsonObject object) {
        for (JsonValue choice : object.list("choices")) {
            Optional<ErrorReport> error = choice.asObject().flatMap(EmbeddedError::inChoice);
            if (error.isPresent()) {
                return error;
            }
        }
        return Optional.empty();
    }

    private static Optional<ErrorReport> inChoice(JsonObject choice) {
        Optional<String> broken = choice.text("finish_reason")
                .map(reason -> reason.toLowerCase(Locale.ROOT))
                .filter(BROKEN::containsKey);
        if (has(choice, "error")) {
            return choice.get("error").map(ErrorReader::read);
        }
        return broken.map(reason ->
                ErrorReport.of("the answer ended with finish_reason " + reason, BROKEN.getOrDefault(reason, "")));
    }

    private static Optional<ErrorReport> inEnvelope(JsonObject object) {
        Optional<JsonObject> envelope = object.object("base_resp")
                .filter(base -> base.longValue("status_code").orElse(0) != 0);
        Optional<JsonObject> blocked = object.object("promptFeedback")
                .filter(feedback -> feedback.text("blockReason").isPresent())
                .filter(feedback -> object.list("candidates").isEmpty());
        return envelope.map(EmbeddedError::numbered)
                .or(() -> blocked.map(feedback -> ErrorReport.of(
                        "the prompt was blocked: "
                                + feedback.text("blockReason").orElse(""),
                        "content_filter")));
    }

    private static ErrorReport numbered(JsonObject envelope) {
        ErrorReport report = ErrorReader.read(envelope);
        String code = MINIMAX.get(envelope.longValue("status_code").orElse(0));
        return code == null ? report : report.withCode(code);
    }

    /** {@code {"code":429,"message":"…"}}: words beside a status of failure, and nothing that an answer has. */
    private static Optional<ErrorReport> flat(JsonObject object) {
        return !hasAny(object, ANSWERS)
                        && WORDS.stream().anyMatch(name -> object.text(name).isPresent())
                ? Optional.of(ErrorReader.read(object))
                        .filter(report -> report.status().isPresent())
                : Optional.empty();
    }

    /** What an answer lacks to be one of its form; empty if nothing. */
    static Optional<String> lack(JsonObject document, Form form) {
        if (document.members().isEmpty()) {
            return Optional.of("an empty object (expected: an answer)");
        }
        return switch (form) {
            case OPENAI_CHAT -> lackOfChoices(document);
            case ANTHROPIC_MESSAGES ->
                document.get("content").filter(JsonArray.class::isInstance).isPresent()
                        ? Optional.empty()
                        : Optional.of("/content: missing (expected: an array)");
            case GEMINI_CONTENT ->
                document.list("candidates").isEmpty()
                        ? Optional.of("/candidates: missing (expected: at least one)")
                        : Optional.empty();
            case OPAQUE -> isCompletion(document) ? lackOfChoices(document) : Optional.empty();
        };
    }

    private static boolean isCompletion(JsonObject document) {
        return document.get("choices").isPresent()
                || document.text("object")
                        .filter(type -> type.endsWith("completion"))
                        .isPresent();
    }

    private static Optional<String> lackOfChoices(JsonObject document) {
        List<JsonValue> choices = document.list("choices");
        if (choices.isEmpty()) {
            return Optional.of("/choices: missing or empty (expected: at least one)");
        }
        boolean hasMessage = choices.getFirst()
                .asObject()
                .filter(choice -> choice.object("message").isPresent()
                        || choice.text("text").isPresent()
                        || isFiltered(choice))
                .isPresent();
        return hasMessage ? Optional.empty() : Optional.of("/choices/0/message: missing (expected: an object)");
    }

    /** Azure withholds the message together with what was in it. */
    private static boolean isFiltered(JsonObject choice) {
        return choice.text("finish_reason").filter("content_filter"::equals).isPresent();
    }
}
