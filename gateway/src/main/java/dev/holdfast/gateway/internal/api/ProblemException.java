package dev.holdfast.gateway.internal.api;

import dev.holdfast.Headers;
import dev.holdfast.JsonValue.JsonArray;
import java.util.Optional;

/** A request that is not answered as asked: what the client is told instead. Holds no key and no prompt; nothing was left running. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String type;
    private final transient Optional<String> param;
    private final transient Optional<String> code;
    private final transient Optional<JsonArray> attempts;
    private final transient Headers headers;

    private ProblemException(
            int status,
            String type,
            String message,
            Optional<String> param,
            Optional<String> code,
            Optional<JsonArray> attempts,
            Headers headers) {
        super(message, null, false, false);
        this.status = status;
        this.type = type;
        this.param = param;
        this.code = code;
        this.attempts = attempts;
        this.headers = headers;
    }

    /**
     * {@return a problem}
     *
     * @param status the status
     * @param type the type by OpenAI's names: {@code invalid_request_error}
     * @param code the code, one word
     * @param message what is wrong and what was expected
     */
    public static ProblemException of(int status, String type, String code, String message) {
        return new ProblemException(
                status, type, message, Optional.empty(), Optional.of(code), Optional.empty(), Headers.empty());
    }

    /**
     * {@return a request that is wrong}
     *
     * @param message what is wrong and what was expected
     */
    public static ProblemException invalid(String message) {
        return of(400, "invalid_request_error", "invalid_request", message);
    }

    /**
     * {@return this problem, of one parameter}
     *
     * @param name the parameter
     */
    public ProblemException withParam(String name) {
        return new ProblemException(status, type, getMessage(), Optional.of(name), code, attempts, headers);
    }

    /**
     * {@return this problem with what was tried}
     *
     * @param tried the attempts
     */
    public ProblemException withAttempts(JsonArray tried) {
        return new ProblemException(status, type, getMessage(), param, code, Optional.of(tried), headers);
    }

    /**
     * {@return this problem with one more header field on its answer}
     *
     * @param name the name
     * @param value the value
     */
    public ProblemException withHeader(String name, String value) {
        return new ProblemException(status, type, getMessage(), param, code, attempts, headers.with(name, value));
    }

    /** {@return the status} */
    public int status() {
        return status;
    }

    /** {@return the type by OpenAI's names} */
    public String type() {
        return type;
    }

    /** {@return the parameter that is wrong} */
    public Optional<String> param() {
        return param;
    }

    /** {@return the code, one word} */
    public Optional<String> code() {
        return code;
    }

    /** {@return what was tried; empty where nothing was, or it is not told} */
    public Optional<JsonArray> attempts() {
        return attempts;
    }

    /** {@return the header fields of its answer} */
    public Headers headers() {
        return headers;
    }

    /** {@return what is wrong and what was expected} */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
