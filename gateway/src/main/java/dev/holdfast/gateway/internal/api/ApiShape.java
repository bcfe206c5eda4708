package dev.holdfast.gateway.internal.api;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import dev.holdfast.spi.ServerSentEvent;

/** How an API says that something went wrong. */
public enum ApiShape {
    /** OpenAI: {@code {"error": {"message", "type", "param", "code"}}}, in a stream as the data of an event. */
    OPENAI {
        @Override
        JsonObject document(ProblemException problem) {
            JsonObject error = JsonObject.of("message", JsonValue.of(problem.getMessage()))
                    .with("type", JsonValue.of(problem.type()))
                    .with("param", problem.param().<JsonValue>map(JsonValue::of).orElse(JsonNull.NULL))
                    .with("code", problem.code().<JsonValue>map(JsonValue::of).orElse(JsonNull.NULL));
            return JsonObject.of("error", withAttempts(error, problem));
        }

        @Override
        public ServerSentEvent event(ProblemException problem) {
            return ServerSentEvent.ofData(document(problem).toJson());
        }
    },

    /** Anthropic: {@code {"type": "error", "error": {"type", "message"}}}, in a stream as an event {@code error}. */
    ANTHROPIC {
        @Override
        JsonObject document(ProblemException problem) {
            JsonObject error = JsonObject.of("type", JsonValue.of(anthropicType(problem.status())))
                    .with("message", JsonValue.of(problem.getMessage()));
            return JsonObject.of("type", JsonValue.of("error")).with("error", withAttempts(error, problem));
        }

        @Override
        public ServerSentEvent event(ProblemException problem) {
            return new ServerSentEvent("error", document(problem).toJson(), "");
        }
    },

    /** The articles' server: {@code {"error": "…"}}. */
    PLAIN {
        @Override
        JsonObject document(ProblemException problem) {
            return JsonObject.of("error", JsonValue.of(problem.getMessage()));
        }

        @Override
        public ServerSentEvent event(ProblemException problem) {
            return ServerSentEvent.ofData(document(problem).toJson());
        }
    };

    abstract JsonObject document(ProblemException problem);

    /**
     * {@return the event that ends a stream which has begun}
     *
     * @param problem what went wrong
     */
    public abstract ServerSentEvent event(ProblemException problem);

    /**
     * {@return the answer}. It says that clients need not try again: Holdfast has.
     *
     * @param problem what went wrong
     */
    public HttpAnswer answer(ProblemException problem) {
        return HttpAnswer.json(problem.status(), document(problem))
                .with("x-should-retry", "false")
                .with(problem.headers());
    }

    private static JsonObject withAttempts(JsonObject error, ProblemException problem) {
        return problem.attempts()
                .map(attempts -> error.with("attempts", attempts))
                .orElse(error);
    }

    /** The names of Anthropic's reference of errors, by status. */
    private static String anthropicType(int status) {
        return switch (status) {
            case 400, 405, 409, 415, 422 -> "invalid_request_error";
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 413 -> "request_too_large";
            case 429 -> "rate_limit_error";
            case 503 -> "overloaded_error";
            case 408, 504 -> "timeout_error";
            default -> "api_error";
        };
    }
}
