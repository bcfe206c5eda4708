package dev.holdfast.core.internal.limit;

import dev.holdfast.spi.Timekeeper.Signal;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One thread that waits for its turn. Whoever serves the queue tells it which grant is its own, unless it has gone by
 * then; only one of the two wins.
 */
public final class Waiter {
    private static final long WAITING = -1;
    private static final long GONE = -2;

    private final long tokens;
    private final AtomicLong outcome = new AtomicLong(WAITING);
    private volatile Signal signal;

    public Waiter(long tokens, Signal signal) {
        this.tokens = tokens;
        this.signal = signal;
    }

    public long tokens() {
        return tokens;
    }

    /** Before it looks at the state, so that no news after its look is lost. */
    public void arm(Signal fresh) {
        signal = fresh;
    }

    public void wake() {
        signal.set();
    }

    /** {@return false if the waiter has gone and the grant has to be given back} */
    public boolean tell(long grant) {
        boolean told = outcome.compareAndSet(WAITING, grant);
        signal.set();
        return told;
    }

    /** {@return false if it was served before} */
    public boolean leave() {
        return outcome.compareAndSet(WAITING, GONE);
    }

    public boolean isServed() {
        return outcome.get() >= 0;
    }

    /** {@return the index of its grant, once it is served} */
    public long grant() {
        return outcome.get();
    }
}
