package dev.holdfast.core.internal.failure;

import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.failure.ErrorReport.Quota;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Turns whatever comes back, or does not, into a {@link Failure}: the one place that knows what the providers mean. Total:
 * it has an answer for any status, headers and bytes. Codes come before words, words before the bare status.
 */
public final class FailureClassifier {
    private static final int LONGEST_BODY = 256 * 1024;
    private static final List<String> REQUEST_IDS = List.of(
            "x-request-id",
            "request-id",
            "apim-request-id",
            "x-amzn-requestid",
            "x-ms-request-id",
            "x-goog-request-id",
            "cf-ray");

    /** Statuses of gateways that say little, so that a status within the body counts more. */
    private static final Set<Integer> WRAPPING = Set.of(400, 500, 502);

    /** Statuses of gateways that do not know what became of the request: it may have been executed. */
    private static final Set<Integer> UNKNOWING = Set.of(502, 504, 520, 524);

    /** What an event of a stream holds if it may speak of an error; most events are spared a second look by this. */
    private static final List<String> SIGNS =
            List.of("error", "fail", "abort", "insufficient_system_resource", "base_resp", "blockReason", "\\u00");

    /** The same of an error that stands alone, beside nothing that an answer has. */
    private static final List<String> WORDS = List.of("\"message\"", "\"msg\"", "\"detail\"");

    private static final List<String> ANSWERS = List.of("\"choices\"", "\"content\"", "\"candidates\"");

    private final Redactor redactor;

    /**
     * Creates a classifier.
     *
     * @param redactor cleans the providers' words before they are kept
     */
    public FailureClassifier(Redactor redactor) {
        this.redactor = redactor;
    }

    /** What is wrong with an answer of any form; empty if it is good. */
    public Optional<Failure> classify(ReceivedAnswer answer) {
        return judge(answer, Form.OPAQUE) instanceof Judgement.Bad(Failure failure)
                ? Optional.of(failure)
                : Optional.empty();
    }

    /**
     * What an answer is.
     *
     * @param answer the answer
     * @param form the form it should have; {@link Form#OPAQUE} asks for no more than an object without an error
     */
    public Judgement judge(ReceivedAnswer answer, Form form) {
        if (!answer.isSuccess()) {
            return new Judgement.Bad(refusal(answer));
        }
        String text = answer.body().toUtf8();
        if (text.isBlank()) {
            return answer.bodyCut()
                    ? bad(answer, FailureKind.TRUNCATED, "the answer broke off before its first byte")
                    : bad(answer, FailureKind.EMPTY_RESPONSE, "the answer is empty");
        }
        Optional<JsonValue> document = JsonReader.tryRead(answer.body(), text);
        return document.isPresent() ? judgeDocument(answer, document.get(), form) : judgeText(answer, text);
    }

    /**
     * What is wrong according to one event of a stream that began well; empty if it is an event like others. Asked for each
     * event before the dialect's decoder, which passes over what is an error.
     *
     * @param event the event
     * @param head the answer that the stream is the body of; its body is not looked at
     */
    public Optional<Failure> classify(ServerSentEvent event, ReceivedAnswer head) {
        String name = event.event();
        boolean named = name.equalsIgnoreCase("error") || name.endsWith("Exception");
        if (named) {
            ErrorReport report = ErrorReader.read(event.data());
            return Optional.of(failure(head, name.endsWith("Exception") ? report.withCode(name) : report));
        }
        return mayHoldError(event.data()) ? classifyClosely(event, head) : Optional.empty();
    }

    private static boolean mayHoldError(String data) {
        return SIGNS.stream().anyMatch(data::contains)
                || (WORDS.stream().anyMatch(data::contains) && ANSWERS.stream().noneMatch(data::contains));
    }

    /**
     * The same for an event that is no more than an error, whatever it looks like at first sight.
     *
     * @param event the event
     * @param head the answer that the stream is the body of
     */
    public Optional<Failure> classifyClosely(ServerSentEvent event, ReceivedAnswer head) {
        return JsonReader.tryRead(event.data()).flatMap(EmbeddedError::find).map(report -> failure(head, report));
    }

    /** Whether a document of a stream or of a success says that something went wrong. */
    public static boolean holdsError(JsonObject document) {
        return EmbeddedError.find(document).isPresent();
    }

    /** What an exchange that brought no whole reply means. */
    public Failure fromTransport(TransportException exception) {
        FailureKind kind =
                switch (exception.fault()) {
                    case DNS, CONNECT, TLS, RESET -> FailureKind.CONNECTION;
                    case PROXY_AUTH -> FailureKind.PROXY_AUTH;
                    case TIMEOUT -> FailureKind.TIMEOUT;
                    case CUT -> FailureKind.TRUNCATED;
                    case PROTOCOL ->
                        exception.delivery() == Delivery.NEVER_SENT
                                ? FailureKind.INVALID_REQUEST
                                : FailureKind.MALFORMED_RESPONSE;
                    case TOO_LARGE -> FailureKind.MALFORMED_RESPONSE;
                    case REDIRECT_REFUSED -> FailureKind.REDIRECT_REFUSED;
                    case POOL, CLOSED -> FailureKind.LOCAL;
                };
        String words = exception.getMessage() == null ? "" : redactor.clean(exception.getMessage());
        return Failure.of(kind, scope(kind), exception.delivery(), words);
    }

    /** Words about a request or an answer, fit to be kept. */
    public String clean(String words) {
        return redactor.clean(words);
    }

    /** The id that the provider gave an exchange. */
    public Optional<String> requestId(Headers headers) {
        for (String name : REQUEST_IDS) {
            Optional<String> id = headers.first(name).flatMap(redactor::identifier);
            if (id.isPresent()) {
                return id;
            }
        }
        return Optional.empty();
    }

    /** Whom a failure of that kind concerns. */
    public static FailureScope scope(FailureKind kind) {
        return switch (kind) {
            case RATE_LIMITED, QUOTA_EXHAUSTED, AUTH, PERMISSION -> FailureScope.CREDENTIAL;
            case MODEL_NOT_FOUND -> FailureScope.MODEL;
            case CONTEXT_LENGTH, CONTENT_POLICY, INVALID_REQUEST, CANCELLED, POLICY_REFUSED, COST_LIMIT ->
                FailureScope.REQUEST;
            default -> FailureScope.ENDPOINT;
        };
    }

    private Judgement judgeDocument(ReceivedAnswer answer, JsonValue document, Form form) {
        Optional<ErrorReport> error = EmbeddedError.find(document);
        if (error.isPresent()) {
            return new Judgement.Bad(failure(answer, error.get()));
        }
        if (!(document instanceof JsonObject object)) {
            return bad(answer, FailureKind.MALFORMED_RESPONSE, "the answer is JSON, but no object");
        }
        return EmbeddedError.lack(object, form)
                .<Judgement>map(lack -> new Judgement.Bad(lacking(answer, object, lack)))
                .orElseGet(() -> new Judgement.Good(object));
    }

    /** An answer that is none may still be an error that has a code and no envelope. */
    private Failure lacking(ReceivedAnswer answer, JsonObject object, String lack) {
        ErrorReport report = ErrorReader.read(object);
        boolean telling = object.get("choices").isEmpty()
                && ErrorCodes.plain(report.codes()).isPresent();
        return telling ? failure(answer, report) : ofKind(answer, FailureKind.MALFORMED_RESPONSE, lack);
    }

    /** Says nothing of the text itself: what came with a status of success may be the model's words. */
    private Judgement judgeText(ReceivedAnswer answer, String text) {
        String start = text.stripLeading();
        boolean json = start.startsWith("{") || start.startsWith("[");
        Optional<ErrorReport> error = json ? JsonReader.salvage(text).flatMap(EmbeddedError::find) : Optional.empty();
        if (error.isPresent()) {
            return new Judgement.Bad(failure(answer, error.get()));
        }
        if (answer.bodyCut() || (json && JsonReader.endsEarly(text))) {
            return bad(answer, FailureKind.TRUNCATED, "the answer broke off");
        }
        return bad(
                answer,
                FailureKind.MALFORMED_RESPONSE,
                Redactor.isMarkup(text) ? redactor.clean(text) + " (expected: JSON)" : "the answer is not JSON");
    }

    private Failure refusal(ReceivedAnswer answer) {
        String text = answer.body().toUtf8();
        String beginning = text.length() > LONGEST_BODY ? text.substring(0, LONGEST_BODY) : text;
        ErrorReport report = ErrorReader.read(beginning);
        Optional<String> amazon = answer.headers().first("x-amzn-errortype").map(DelayText::strip);
        return failure(answer, amazon.map(report::withCode).orElse(report));
    }

    private Failure failure(ReceivedAnswer answer, ErrorReport report) {
        boolean saysWhen = report.delay().isPresent()
                || SuggestedDelay.retryAfter(answer.headers(), answer.receivedAt())
                        .isPresent();
        FailureKind kind = kind(answer, report, saysWhen);
        boolean refused = kind == FailureKind.RATE_LIMITED || kind == FailureKind.QUOTA_EXHAUSTED;
        Optional<Duration> delay =
                SuggestedDelay.find(answer.headers(), report.headers(), report.delay(), refused, answer.receivedAt());
        return new Failure(
                kind,
                scope(kind),
                delivery(kind, statusOf(answer, report)),
                words(answer, report),
                OptionalInt.of(answer.isSuccess() ? report.status().orElse(answer.status()) : answer.status()),
                report.codes().stream()
                        .filter(ErrorCodes::isTelling)
                        .findFirst()
                        .flatMap(redactor::code),
                delay,
                shouldRetry(answer.headers()),
                requestId(answer.headers()).or(() -> report.requestId().flatMap(redactor::identifier)));
    }

    /**
     * Whether whoever answered knows what was done. A gateway that lost the provider behind it does not, nor does a server
     * that ran out of time.
     */
    private static Delivery delivery(FailureKind kind, int status) {
        return kind == FailureKind.TIMEOUT || UNKNOWING.contains(status) ? Delivery.AMBIGUOUS : Delivery.ANSWERED;
    }

    private String words(ReceivedAnswer answer, ErrorReport report) {
        String words = redactor.clean(report.message());
        if (!words.isEmpty()) {
            return words;
        }
        return report.codes().stream()
                .filter(ErrorCodes::isTelling)
                .findFirst()
                .flatMap(redactor::code)
                .orElse("HTTP " + answer.status());
    }

    private static FailureKind kind(ReceivedAnswer answer, ErrorReport report, boolean saysWhen) {
        int status = statusOf(answer, report);
        boolean limit = status == 429 || status == 413 || status == 200;
        if (limit && ErrorWords.neverFits(report.message())) {
            return FailureKind.CONTEXT_LENGTH;
        }
        if (limit && report.quota() == Quota.LONG) {
            return FailureKind.QUOTA_EXHAUSTED;
        }
        Optional<FailureKind> plain = ErrorCodes.plain(report.codes());
        boolean passing = plain.map(FailureKind.RATE_LIMITED::equals).orElse(status == 429);
        if (passing && !saysWhen && report.quota() == Quota.UNKNOWN && ErrorWords.namesLongWindow(report.message())) {
            return FailureKind.QUOTA_EXHAUSTED;
        }
        if (plain.isPresent()) {
            return plain.get();
        }
        if (limit && report.quota() == Quota.SHORT) {
            return FailureKind.RATE_LIMITED;
        }
        Optional<FailureKind> words = Redactor.isMarkup(report.message())
                ? Optional.empty()
                : ErrorWords.read(report.message(), status, saysWhen);
        return words.or(() -> isOpen(status) ? ErrorCodes.vague(report.codes()) : Optional.empty())
                .orElseGet(() -> ofStatus(status, answer.isSuccess()));
    }

    /** The status that counts; 200 for an error that names none. */
    private static int statusOf(ReceivedAnswer answer, ErrorReport report) {
        if (answer.isSuccess()) {
            return report.status().orElse(200);
        }
        int inner = report.status().orElse(answer.status());
        boolean better = WRAPPING.contains(answer.status()) && inner != 400 && inner != 500;
        return better ? inner : answer.status();
    }

    /** Statuses that leave open what is wrong. */
    private static boolean isOpen(int status) {
        return status == 200 || status == 400 || status == 422;
    }

    /**
     * What a bare status means.
     *
     * @param status the status
     * @param embedded whether it stands in the body of a success: a 503 there is about a provider behind a router, of which
     *     there is no telling whether it has too much to do
     */
    private static FailureKind ofStatus(int status, boolean embedded) {
        return switch (status) {
            case 401 -> FailureKind.AUTH;
            case 402 -> FailureKind.QUOTA_EXHAUSTED;
            case 403, 451 -> FailureKind.PERMISSION;
            case 404, 410 -> FailureKind.MODEL_NOT_FOUND;
            case 407, 511 -> FailureKind.PROXY_AUTH;
            case 408 -> FailureKind.TIMEOUT;
            case 409, 424, 425, 499 -> FailureKind.SERVER_ERROR;
            case 413 -> FailureKind.CONTEXT_LENGTH;
            case 429 -> FailureKind.RATE_LIMITED;
            case 498 -> FailureKind.OVERLOADED;
            case 503, 529 -> embedded && status == 503 ? FailureKind.SERVER_ERROR : FailureKind.OVERLOADED;
            default -> ofClass(status);
        };
    }

    private static FailureKind ofClass(int status) {
        return switch (status / 100) {
            case 3 -> FailureKind.REDIRECT_REFUSED;
            case 4 -> FailureKind.INVALID_REQUEST;
            case 0, 1 -> FailureKind.MALFORMED_RESPONSE;
            default -> FailureKind.SERVER_ERROR;
        };
    }

    private Judgement bad(ReceivedAnswer answer, FailureKind kind, String words) {
        return new Judgement.Bad(ofKind(answer, kind, words));
    }

    /** An answer with a status of success that is none: the work was most likely done, and is charged for. */
    private Failure ofKind(ReceivedAnswer answer, FailureKind kind, String words) {
        return new Failure(
                kind,
                scope(kind),
                Delivery.AMBIGUOUS,
                words,
                OptionalInt.of(answer.status()),
                Optional.empty(),
                SuggestedDelay.retryAfter(answer.headers(), answer.receivedAt()),
                shouldRetry(answer.headers()),
                requestId(answer.headers()));
    }

    private static Optional<Boolean> shouldRetry(Headers headers) {
        return headers.first("x-should-retry").map(DelayText::strip).flatMap(value -> switch (value.toLowerCase(
                Locale.ROOT)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        });
    }
}
