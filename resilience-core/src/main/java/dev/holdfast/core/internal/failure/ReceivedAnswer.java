package dev.holdfast.core.internal.failure;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import java.time.Instant;

/**
 * A whole HTTP answer, as the classifier looks at it.
 *
 * @param status the HTTP status
 * @param headers the header fields
 * @param body the body, its content coding undone
 * @param bodyCut whether the body ends before its end: the connection broke, or only the beginning of it was read
 * @param receivedAt when the headers arrived, by our clock
 */
public record ReceivedAnswer(int status, Headers headers, Bytes body, boolean bodyCut, Instant receivedAt) {
    /** An answer that came to its end. */
    public static ReceivedAnswer of(int status, Headers headers, Bytes body, Instant receivedAt) {
        return new ReceivedAnswer(status, headers, body, false, receivedAt);
    }

    /** Whether the status is one of success. */
    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    @Override
    public String toString() {
        return "ReceivedAnswer[" + status + ", " + body + (bodyCut ? ", cut" : "") + "]";
    }
}
