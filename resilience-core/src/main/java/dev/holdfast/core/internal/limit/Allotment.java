package dev.holdfast.core.internal.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What is left of the limits for a short while, in one word, so that a busy limiter that nobody waits for grants and takes
 * back by one compare-and-set. While it is open nothing else of the limiter's state changes; whoever wants to change
 * something seals it first, and then counts what was taken from it.
 *
 * <p>The word, from the top: a bit for sealed, 16 for the requests left, 16 for the grants that have ended, 31 for the tokens
 * left.
 */
public final class Allotment {
    private static final int REQUESTS_AT = 47;
    private static final int ENDED_AT = 31;
    private static final long MOST_REQUESTS = (1L << 16) - 1;
    private static final long MOST_TOKENS = (1L << ENDED_AT) - 1;
    private static final long ONE_REQUEST = 1L << REQUESTS_AT;
    private static final long ONE_ENDED = 1L << ENDED_AT;

    private final AtomicLong word;
    private final long requests;
    private final long tokens;
    private final long index;
    private final long untilNanos;

    /**
     * @param requests how many requests may be taken
     * @param tokens how many tokens may be taken with them
     * @param index the grant they will be counted with
     * @param untilNanos until when
     */
    Allotment(long requests, long tokens, long index, long untilNanos) {
        this.requests = Math.min(MOST_REQUESTS, requests);
        this.tokens = Math.min(MOST_TOKENS, tokens);
        this.index = index;
        this.untilNanos = untilNanos;
        this.word = new AtomicLong(this.requests << REQUESTS_AT | this.tokens);
    }

    public long index() {
        return index;
    }

    long untilNanos() {
        return untilNanos;
    }

    /** Takes a request with its tokens, unless it is sealed, over or too little is left. */
    boolean take(long wanted, long nowNanos) {
        return take(wanted, nowNanos, -ONE_REQUEST - wanted);
    }

    /** Takes a request with its tokens that has ended already, unless it is sealed, over or too little is left. */
    boolean takeForGood(long wanted, long nowNanos) {
        return take(wanted, nowNanos, ONE_ENDED - ONE_REQUEST - wanted);
    }

    private boolean take(long wanted, long nowNanos, long change) {
        if (nowNanos - untilNanos >= 0 || wanted > MOST_TOKENS) {
            return false;
        }
        while (true) {
            long seen = word.get();
            if (seen < ONE_REQUEST || (seen & MOST_TOKENS) < wanted) { // sealed words are negative
                return false;
            }
            if (word.compareAndSet(seen, seen + change)) {
                return true;
            }
        }
    }

    /** Takes back from a grant that ended what it did not use; false if it is sealed. */
    public boolean end(long unused) {
        return add(ONE_ENDED + unused);
    }

    /** Takes a whole grant back; false if it is sealed. */
    public boolean cancel(long wanted) {
        return add(ONE_REQUEST + wanted);
    }

    private boolean add(long change) {
        while (true) {
            long seen = word.get();
            if (seen < 0) {
                return false;
            }
            if (word.compareAndSet(seen, seen + change)) {
                return true;
            }
        }
    }

    void seal() {
        word.getAndUpdate(seen -> seen | Long.MIN_VALUE);
    }

    long takenRequests() {
        return requests - (word.get() >>> REQUESTS_AT & MOST_REQUESTS);
    }

    long takenTokens() {
        return tokens - (word.get() & MOST_TOKENS);
    }

    long ended() {
        return word.get() >>> ENDED_AT & MOST_REQUESTS;
    }
}
