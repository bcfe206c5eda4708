package dev.holdfast.core.internal.failure;

import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.core.internal.failure.ErrorReport.Quota;
import dev.holdfast.core.internal.json.JsonReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads an error body of any provider: objects, strings and lists, FastAPI's {@code detail}, Gemini's arrays, problem
 * details, and errors that a proxy put as text into the message of its own.
 */
final class ErrorReader {
    private static final int DEEPEST = 6;
    private static final int MOST_PARTS = 16;

    private static final List<String> MESSAGES = List.of(
            "message",
            "detail",
            "msg",
            "Message",
            "error_description",
            "error_message",
            "errorMessage",
            "reason",
            "title",
            "status_msg",
            "description");
    private static final List<String> CODES = List.of(
            "error_code", "errorCode", "code", "__type", "error_type", "type", "reason", "status", "status_code");
    private static final List<String> STATUSES = List.of("code", "status", "status_code", "statusCode", "http_status");
    private static final List<String> WAIT_SECONDS = List.of(
            "retry_after",
            "retryAfter",
            "retry_after_seconds",
            "retryAfterSeconds",
            "retry_after_secs",
            "resets_in_seconds",
            "retry_in",
            "wait_seconds",
            "estimated_time",
            "Retry-After",
            "retry-after");
    private static final List<String> WAIT_MILLIS =
            List.of("retry_after_ms", "retryAfterMs", "retry-after-ms", "retry_after_millis", "retryAfterMillis");
    /** When what is used up is there again: an epoch, an instant or a length of time, by its looks. */
    private static final List<String> RESETS =
            List.of("resets_at", "reset_at", "resetsAt", "resetAt", "reset_time", "resetTime");
    /** Where the error itself stands: its words come before those around it. */
    private static final List<String> INNER = List.of("error", "errors", "metadata", "raw", "base_resp");

    /** Where more is said of the error beside it: the codes are finer, the words are not. */
    private static final List<String> FINER =
            List.of("innererror", "innerError", "inner_error", "details", "extensions");

    /** Members in which servers give the request back: they hold prompts. */
    private static final List<String> ECHOES = List.of(
            "input",
            "inputs",
            "prompt",
            "messages",
            "contents",
            "content",
            "request",
            "body",
            "loc",
            "ctx",
            "choices",
            "flagged_input",
            "failed_generation",
            "input_value",
            "text",
            "query",
            "documents");

    private static final Pattern ZERO = Pattern.compile("-?0(\\.0+)?");
    private static final Pattern NOTHING = Pattern.compile("0+");

    /** A sentence that says when it is over: {@code try again after 2026-01-05T10:01:00Z}. */
    private static final Pattern OVER_AT =
            Pattern.compile("(?i)\\b(?:until|after|(?:again|available|resets?|access) (?:at|on)|resets?):? {1,2}"
                    + "([0-9]{4}-[0-9]{2}-[0-9]{2}t[0-9:.]{5,18}(?:z|[+-][0-9]{2}:?[0-9]{2}))");

    private final Set<String> codes = new LinkedHashSet<>();
    private final List<Map.Entry<String, String>> headers = new ArrayList<>();
    private String message = "";
    private OptionalInt status = OptionalInt.empty();
    private Optional<Duration> delay = Optional.empty();
    private Quota quota = Quota.UNKNOWN;
    private Optional<String> requestId = Optional.empty();

    private ErrorReader() {}

    /** What a document says of an error. */
    static ErrorReport read(JsonValue document) {
        var reader = new ErrorReader();
        reader.visit(document, 0);
        String words = reader.message.isEmpty() ? leftover(document) : reader.message;
        return reader.report(words);
    }

    /** What a text says: a document, a document after a few words, or just words. */
    static ErrorReport read(String text) {
        Optional<JsonValue> document = whole(text).or(() -> embedded(text));
        var reader = new ErrorReader();
        document.ifPresent(value -> reader.visit(value, 0));
        return reader.report(
                reader.message.isEmpty() ? document.map(ErrorReader::leftover).orElse(text) : reader.message);
    }

    private static Optional<JsonValue> whole(String text) {
        String stripped = text.strip();
        return stripped.startsWith("[") || stripped.startsWith("{") || stripped.startsWith("\"")
                ? JsonReader.salvage(stripped)
                : Optional.empty();
    }

    /** Whether a value of a member named "error" says that there is one: not null, false, zero, blank or hollow. */
    static boolean isError(JsonValue value) {
        return isError(value, 0);
    }

    /** What is nested deeper than any error is taken for one: the stack is not the sender's to use up. */
    private static boolean isError(JsonValue value, int depth) {
        return switch (value) {
            case JsonObject object -> isError(object.members().values(), depth);
            case JsonArray(List<JsonValue> elements) -> isError(elements, depth);
            case JsonString(String text) -> !text.isBlank();
            case JsonNumber(String text) -> !ZERO.matcher(text).matches();
            case JsonBoolean(boolean bool) -> bool;
            case JsonNull.NULL -> false;
        };
    }

    private static boolean isError(Collection<JsonValue> values, int depth) {
        for (JsonValue value : values) {
            if (depth >= DEEPEST || isError(value, depth + 1)) {
                return true;
            }
        }
        return false;
    }

    private ErrorReport report(String words) {
        Optional<Duration> named = Prose.longer(delay, Prose.delay(words));
        String beginning = Prose.beginning(words);
        if (beginning.contains("20")) { // as every instant of this century does
            Matcher over = OVER_AT.matcher(beginning);
            if (over.find()) {
                headers.add(Map.entry("x-ratelimit-reset", over.group(1)));
            }
        }
        return new ErrorReport(
                words,
                List.copyOf(codes),
                status,
                named,
                Headers.of(headers),
                ErrorWords.nothingAllowed(words) ? Quota.LONG : quota,
                requestId);
    }

    private void visit(JsonValue value, int depth) {
        if (depth > DEEPEST) {
            return;
        }
        switch (value) {
            case JsonObject object -> visitObject(object, depth);
            case JsonArray(List<JsonValue> elements) ->
                elements.stream().limit(MOST_PARTS).forEach(element -> visit(element, depth + 1));
            case JsonString(String text) -> visitText(text, depth);
            default -> {
                // Numbers and literals say nothing by themselves.
            }
        }
    }

    /** What stands further in is more specific, and its words come from nearer to the fault. */
    private void visitObject(JsonObject object, int depth) {
        INNER.forEach(name -> object.get(name).ifPresent(value -> visit(value, depth + 1)));
        String innerWords = message;
        FINER.forEach(name -> object.get(name).ifPresent(value -> visit(value, depth + 1)));
        String finerWords = message;
        message = innerWords;
        readMessage(object, depth);
        takeMessage(finerWords);
        CODES.forEach(name -> object.get(name).ifPresent(this::addCode));
        STATUSES.forEach(name -> object.get(name).ifPresent(this::addStatus));
        addWaits(object);
        addGoogleDetail(object);
        object.object("headers").ifPresent(this::addHeaders);
        if (requestId.isEmpty()) {
            requestId = object.text("request_id");
        }
        if (object.get("flagged_input").isPresent()) {
            codes.add("content_filter");
        }
    }

    private void visitText(String text, int depth) {
        Optional<JsonValue> document = embedded(text);
        document.ifPresent(value -> visit(value, depth + 1));
        if (message.isEmpty() && document.isEmpty()) {
            message = text;
        }
    }

    /** The document that a text is, or ends in. */
    private static Optional<JsonValue> embedded(String text) {
        int brace = text.indexOf('{');
        if (brace < 0) {
            return Optional.empty();
        }
        boolean array = brace > 0 && text.charAt(brace - 1) == '[';
        return JsonReader.salvage(text.substring(array ? brace - 1 : brace))
                .filter(value ->
                        value instanceof JsonArray || (value instanceof JsonObject(var members) && !members.isEmpty()));
    }

    private void readMessage(JsonObject object, int depth) {
        for (String name : MESSAGES) {
            JsonValue value = object.members().get(name);
            switch (value) {
                case JsonString(String text)
                when !text.isBlank() -> {
                    Optional<JsonValue> document = embedded(text);
                    document.ifPresent(inner -> visit(inner, depth + 1));
                    takeMessage(text);
                    return;
                }
                case JsonArray(List<JsonValue> elements)
                when !elements.isEmpty() -> {
                    takeMessage(list(elements));
                    return;
                }
                case JsonObject inner
                when !inner.members().isEmpty() -> {
                    visit(inner, depth + 1);
                    takeMessage(withoutEchoes(inner).toJson());
                    return;
                }
                case null, default -> {
                    // The next name may have the words.
                }
            }
        }
    }

    private void takeMessage(String words) {
        if (message.isEmpty()) {
            message = words;
        }
    }

    /** FastAPI's list of what is wrong where: {@code body.model: field required}. */
    private static String list(List<JsonValue> elements) {
        var parts = new ArrayList<String>();
        for (JsonValue element : elements.subList(0, Math.min(MOST_PARTS, elements.size()))) {
            element.asText().ifPresent(parts::add);
            element.asObject().ifPresent(object -> parts.add(located(object)));
        }
        return String.join("; ", parts);
    }

    private static String located(JsonObject object) {
        String words = object.text("msg")
                .or(() -> object.text("message"))
                .orElseGet(() -> withoutEchoes(object).toJson());
        String place = String.join(
                ".",
                object.list("loc").stream()
                        .map(step -> step.asText().orElseGet(step::toJson))
                        .toList());
        return place.isEmpty() ? words : place + ": " + words;
    }

    private void addCode(JsonValue value) {
        value.asText()
                .filter(text -> !text.isBlank() && text.length() <= 128)
                .map(DelayText::strip)
                .ifPresent(codes::add);
        if (value instanceof JsonNumber(String text) && text.length() <= 10) {
            codes.add(text);
        }
    }

    private void addStatus(JsonValue value) {
        OptionalLong number = value.asText()
                .filter(ErrorReader::isStatus)
                .map(text -> OptionalLong.of(Long.parseLong(text)))
                .orElseGet(value::asLong);
        if (status.isEmpty() && number.isPresent() && number.getAsLong() >= 400 && number.getAsLong() < 600) {
            status = OptionalInt.of((int) number.getAsLong());
        }
    }

    private static boolean isStatus(String text) {
        return text.length() == 3
                && text.charAt(0) >= '1'
                && text.charAt(0) <= '5'
                && Character.digit(text.charAt(1), 10) >= 0
                && Character.digit(text.charAt(2), 10) >= 0
                && text.charAt(1) <= '9'
                && text.charAt(2) <= '9';
    }

    private void addWaits(JsonObject object) {
        addWaits(object, WAIT_SECONDS, 1);
        addWaits(object, WAIT_MILLIS, 1000);
        RESETS.forEach(name -> object.get(name)
                .flatMap(ErrorReader::scalar)
                .ifPresent(value -> headers.add(Map.entry("x-ratelimit-reset", value))));
    }

    private void addWaits(JsonObject object, List<String> names, int parts) {
        for (String name : names) {
            Optional<JsonValue> value = object.get(name);
            if (value.isPresent()) {
                addWait(value, parts);
            }
        }
    }

    /** A number of the unit that the name says, or a length of time that says it itself. */
    private void addWait(Optional<JsonValue> value, int parts) {
        Optional<String> text = value.flatMap(ErrorReader::scalar);
        Optional<Duration> wait = text.flatMap(parts == 1 ? DelayText::seconds : DelayText::millis)
                .or(() -> text.flatMap(DelayText::go))
                .or(() -> text.flatMap(DelayText::iso));
        delay = Prose.longer(delay, wait);
    }

    private static Optional<String> scalar(JsonValue value) {
        return value instanceof JsonNumber number ? plain(number) : value.asText();
    }

    /** The number without an exponent. */
    private static Optional<String> plain(JsonNumber number) {
        try {
            BigDecimal decimal = number.decimal();
            return decimal.scale() > 1000 || decimal.scale() < -1000
                    ? Optional.empty()
                    : Optional.of(decimal.toPlainString());
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** An element of Google's {@code details}: {@code RetryInfo}, {@code QuotaFailure}, {@code ErrorInfo}. */
    private void addGoogleDetail(JsonObject object) {
        List.of("retryDelay", "retry_delay")
                .forEach(name ->
                        object.get(name).ifPresent(value -> delay = Prose.longer(delay, protobufDuration(value))));
        object.text("quotaResetDelay").ifPresent(value -> delay = Prose.longer(delay, DelayText.go(value)));
        for (JsonValue violation : object.list("violations")) {
            violation.asObject().ifPresent(this::addViolation);
        }
    }

    private static Optional<Duration> protobufDuration(JsonValue value) {
        return value.asText()
                .flatMap(DelayText::go)
                .or(() -> value.asObject().flatMap(parts -> {
                    Optional<Duration> seconds =
                            parts.get("seconds").flatMap(ErrorReader::scalar).flatMap(DelayText::seconds);
                    long nanos = Math.max(0, parts.longValue("nanos").orElse(0));
                    return seconds.map(whole -> DelayText.limited(whole.plusNanos(Math.min(nanos, DelayText.SECOND))));
                }));
    }

    private void addViolation(JsonObject violation) {
        boolean perDay =
                violation.text("quotaId").filter(id -> id.contains("PerDay")).isPresent()
                        || violation
                                .text("quotaMetric")
                                .filter(id -> id.contains("PerDay"))
                                .isPresent();
        boolean nothing = violation
                .get("quotaValue")
                .flatMap(ErrorReader::scalar)
                .filter(value -> NOTHING.matcher(value).matches())
                .isPresent();
        if (perDay || nothing) {
            quota = Quota.LONG;
        } else if (quota == Quota.UNKNOWN && violation.get("quotaId").isPresent()) {
            quota = Quota.SHORT;
        }
    }

    private void addHeaders(JsonObject fields) {
        fields.members().entrySet().stream().limit(64).forEach(field -> {
            Optional<String> value = field.getValue() instanceof JsonArray(List<JsonValue> values) && !values.isEmpty()
                    ? scalar(values.getFirst())
                    : scalar(field.getValue());
            value.ifPresent(text -> headers.add(Map.entry(field.getKey(), text)));
        });
    }

    /** An error without words we know: what it has instead, but never what it gives back of the request. */
    private static String leftover(JsonValue document) {
        return switch (document) {
            case JsonObject object -> {
                JsonObject rest = withoutEchoes(object);
                yield isError(rest) ? rest.toJson() : "";
            }
            case JsonArray array -> isError(array) ? array.elements().size() + " errors without words" : "";
            default -> "";
        };
    }

    /** At whatever depth they stand; what is nested deeper than any error goes with them. */
    private static JsonObject withoutEchoes(JsonObject object) {
        return withoutEchoes(object, 0) instanceof JsonObject rest ? rest : JsonObject.empty();
    }

    private static JsonValue withoutEchoes(JsonValue value, int depth) {
        if (depth > DEEPEST) {
            return JsonNull.NULL;
        }
        return switch (value) {
            case JsonObject object -> {
                var kept = new LinkedHashMap<String, JsonValue>();
                object.members().forEach((name, member) -> {
                    if (!ECHOES.contains(name)) {
                        kept.put(name, withoutEchoes(member, depth + 1));
                    }
                });
                yield new JsonObject(kept);
            }
            case JsonArray(List<JsonValue> elements) ->
                new JsonArray(elements.stream()
                        .map(element -> withoutEchoes(element, depth + 1))
                        .toList());
            default -> value;
        };
    }
}
