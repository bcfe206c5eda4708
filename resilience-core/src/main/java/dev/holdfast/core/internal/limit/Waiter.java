package dev.holdfast.core.internal.limit;

import dev.holdfast.Priority;
import dev.holdfast.spi.Timekeeper.Signal;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * One thread that waits for its turn. Whoever serves the queue tells it which grant is its own, unless it has gone by
 * then; only one of the two wins.
 */
public final class Waiter {
    private static final long WAITING = -1;
    private static final long GONE = -2;
    private static final AtomicLongFieldUpdater<Waiter> OUTCOME =
            AtomicLongFieldUpdater.newUpdater(Waiter.class, "outcome");

    private final Need need;
    private final Priority priority;
    private volatile long outcome = WAITING;
    private volatile Signal signal;

    public Waiter(Need need, Priority priority, Signal signal) {
        this.need = need;
        this.priority = priority;
        this.signal = signal;
    }

    public Need need() {
        return need;
    }

    public Priority priority() {
        return priority;
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
        boolean told = OUTCOME.compareAndSet(this, WAITING, grant);
        signal.set();
        return told;
    }

    /** {@return false if it was served before} */
    public boolean leave() {
        return OUTCOME.compareAndSet(this, WAITING, GONE);
    }

    public boolean isServed() {
        return outcome >= 0;
    }

    /** {@return the index of its grant, once it is served} */
    public long grant() {
        return outcome;
    }
}
