package dev.holdfast.simulation;

/**
 * How an exchange with a provider ends.
 *
 * @param kind what the provider does
 * @param afterBytes after how many bytes of the body; -1 for before the head; past the end means at the end
 */
public record Ending(Kind kind, int afterBytes) {
    static final Ending COMPLETE = new Ending(Kind.COMPLETE, Integer.MAX_VALUE);

    /** What the provider does in the end. */
    public enum Kind {
        /** It ends the body as its framing promises; the connection can be used again. */
        COMPLETE,
        /** It says nothing more, and leaves the connection open. */
        HANG,
        /** It resets the connection; of HTTP/2, the stream. */
        RESET,
        /** It closes the connection, without an end of the body. */
        CUT,
        /**
         * It does not take the request. HTTP/2 says so (REFUSED_STREAM); of HTTP/1.1 the connection is closed without a word, as
         * happens to one that was idle too long. Always before the head.
         */
        REFUSED,
        /**
         * It answers whole and takes no further request on the connection: HTTP/2 says GOAWAY at that byte, HTTP/1.1 says
         * {@code Connection: close} in the head. Before the head it does not take this request either.
         */
        GO_AWAY
    }

    /** Refuses a position below -1, and a refusal within the answer. */
    public Ending {
        if (afterBytes < -1) {
            throw new IllegalArgumentException("afterBytes: " + afterBytes + " (expected: >= -1)");
        }
        if (kind == Kind.REFUSED && afterBytes != -1) {
            throw new IllegalArgumentException("afterBytes: " + afterBytes + " (expected: -1 for REFUSED)");
        }
    }

    /** {@return whether the exchange ends before the head} */
    public boolean beforeHead() {
        return kind != Kind.COMPLETE && afterBytes < 0;
    }

    /** {@return whether the provider does not even begin to work on the request} */
    public boolean isRefusal() {
        return beforeHead() && (kind == Kind.REFUSED || kind == Kind.GO_AWAY);
    }

    /** {@return whether the whole body is sent} */
    public boolean isWhole() {
        return kind == Kind.COMPLETE || (kind == Kind.GO_AWAY && !beforeHead());
    }
}
