package dev.holdfast.core.internal.failure;

import dev.holdfast.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a body says of an error, whoever wrote it.
 *
 * @param message the words; empty where there are none
 * @param codes the structured codes as written, the most specific first
 * @param status the HTTP status that the body names
 * @param delay the wait that the body names
 * @param headers header fields of a server further up that the body quotes
 * @param quota what a list of violated quotas says; unknown where there is none
 * @param requestId the id of the exchange
 */
record ErrorReport(
        String message,
        List<String> codes,
        OptionalInt status,
        Optional<Duration> delay,
        Headers headers,
        Quota quota,
        Optional<String> requestId) {
    /** Which quota was violated. */
    enum Quota {
        /** The body does not say. */
        UNKNOWN,
        /** One that comes back within minutes. */
        SHORT,
        /** One of a day, or of nothing at all. */
        LONG
    }

    static ErrorReport of(String message, String code) {
        return new ErrorReport(
                message,
                List.of(code),
                OptionalInt.empty(),
                Optional.empty(),
                Headers.empty(),
                Quota.UNKNOWN,
                Optional.empty());
    }

    /** This with a code more, which is more specific than the others. */
    ErrorReport withCode(String code) {
        var all = new ArrayList<String>();
        all.add(code);
        all.addAll(codes);
        return new ErrorReport(message, List.copyOf(all), status, delay, headers, quota, requestId);
    }
}
