package dev.holdfast.gateway.internal.api;

import dev.holdfast.Attempt;
import dev.holdfast.CallException;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.Rejection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;

/** What a client is told of a call that brought no answer: an honest status, when to come back, and what was tried. */
public final class Failures {
    /** The client hung up: nobody reads this, but a status is written to logs of proxies. */
    private static final int CLIENT_CLOSED_REQUEST = 499;

    private final boolean exposeAttempts;

    /**
     * Creates the table.
     *
     * @param exposeAttempts whether clients are told each attempt
     */
    public Failures(boolean exposeAttempts) {
        this.exposeAttempts = exposeAttempts;
    }

    /**
     * {@return what a client is told}
     *
     * @param e the failed call
     */
    public ProblemException problem(CallException e) {
        FailureKind kind = e.kind();
        int status = e instanceof DeadlineExceededException ? 504 : status(kind);
        ProblemException problem = ProblemException.of(status, type(kind, status), code(kind), message(e, status));
        if (status == 429 || status == 503) {
            Optional<Duration> after = e.retryAfter();
            if (after.isPresent()) {
                problem = problem.withHeader("retry-after", Long.toString(seconds(after.get())));
            }
        }
        return exposeAttempts ? problem.withAttempts(attempts(e)) : problem;
    }

    /** Our own keys that a provider refuses are not the client's fault: 502, not 401. */
    static int status(FailureKind kind) {
        return switch (kind) {
            case RATE_LIMITED, QUOTA_EXHAUSTED, LIMIT_EXCEEDED, COOLING_DOWN, COST_LIMIT -> 429;
            case OVERLOADED, CIRCUIT_OPEN, OUT_OF_SERVICE, CLIENT_OVERLOADED, LOCAL, STORE_UNAVAILABLE -> 503;
            case TIMEOUT -> 504;
            case CONTEXT_LENGTH, CONTENT_POLICY, INVALID_REQUEST -> 400;
            case POLICY_REFUSED -> 403;
            case MODEL_NOT_FOUND -> 404;
            case IDEMPOTENCY_CONFLICT -> 422;
            case IDEMPOTENCY_IN_FLIGHT, IDEMPOTENCY_UNKNOWN -> 409;
            case CANCELLED -> CLIENT_CLOSED_REQUEST;
            default -> 502;
        };
    }

    private static String type(FailureKind kind, int status) {
        if (kind == FailureKind.QUOTA_EXHAUSTED || kind == FailureKind.COST_LIMIT) {
            return "insufficient_quota";
        }
        return switch (status) {
            case 429 -> "rate_limit_error";
            case 400, 404, 409, 422 -> "invalid_request_error";
            case 403 -> "permission_error";
            default -> "server_error";
        };
    }

    /** The codes that clients of OpenAI know by name; ours for the rest. */
    private static String code(FailureKind kind) {
        return switch (kind) {
            case CONTEXT_LENGTH -> "context_length_exceeded";
            case CONTENT_POLICY -> "content_policy_violation";
            case QUOTA_EXHAUSTED -> "insufficient_quota";
            case RATE_LIMITED -> "rate_limit_exceeded";
            default -> kind.wireName();
        };
    }

    /** In words that name no target, where attempts are not told. */
    private String message(CallException e, int status) {
        String words = e.failure().message();
        boolean clients = status == 400 || status == 404 || status == 409 || status == 422;
        return summary(e) + (clients ? afterColon(words) : detail(words));
    }

    /**
     * {@return words that may name an endpoint, as the end of a sentence; empty where clients are not told}
     *
     * @param words what went wrong, empty if nobody said
     */
    public String detail(String words) {
        return exposeAttempts ? afterColon(words) : "";
    }

    private static String afterColon(String words) {
        return words.isEmpty() ? "" : ": " + words;
    }

    private static String summary(CallException e) {
        String tried = e.attempts().isEmpty()
                ? "nothing was sent"
                : "after " + times(e.attempts().size());
        return "no answer (" + e.kind().wireName() + "), " + tried;
    }

    /**
     * {@return attempts in words}
     *
     * @param attempts how many
     */
    public static String times(int attempts) {
        return attempts + (attempts == 1 ? " attempt" : " attempts");
    }

    private static long seconds(Duration wait) {
        return Math.max(1, (wait.toMillis() + 999) / 1000);
    }

    private static JsonArray attempts(CallException e) {
        var all = new ArrayList<JsonValue>();
        e.attempts().forEach(attempt -> all.add(attempt(attempt)));
        e.rejections().forEach(rejection -> all.add(rejection(rejection)));
        return new JsonArray(all);
    }

    private static JsonObject attempt(Attempt attempt) {
        JsonObject.Builder json = JsonObject.builder()
                .with("number", JsonValue.of(attempt.number()))
                .with("reason", JsonValue.of(attempt.reason().wireName()))
                .with("model", JsonValue.of(attempt.target().model()))
                .with("endpoint", JsonValue.of(attempt.target().endpoint()))
                .with("took_ms", JsonValue.of(attempt.took().toMillis()))
                .with("waited_ms", JsonValue.of(attempt.waited().toMillis()));
        attempt.failure().ifPresent(failure -> describe(failure, json));
        return json.build();
    }

    private static void describe(Failure failure, JsonObject.Builder json) {
        json.with("kind", JsonValue.of(failure.kind().wireName()));
        if (failure.status().isPresent()) {
            json.with("status", JsonValue.of(failure.status().getAsInt()));
        }
        if (failure.mayHaveBeenBilled()) {
            json.with("may_have_been_billed", JsonValue.of(true));
        }
    }

    private static JsonObject rejection(Rejection rejection) {
        JsonObject.Builder json = JsonObject.builder()
                .with("reason", JsonValue.of("rejected"))
                .with("model", JsonValue.of(rejection.target().model()))
                .with("endpoint", JsonValue.of(rejection.target().endpoint()))
                .with("kind", JsonValue.of(rejection.kind().wireName()));
        rejection.availableIn().ifPresent(in -> json.with("available_in_ms", JsonValue.of(in.toMillis())));
        return json.build();
    }
}
