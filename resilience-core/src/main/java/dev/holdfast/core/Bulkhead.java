package dev.holdfast.core;

import dev.holdfast.Priority;
import dev.holdfast.core.internal.limit.Places;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Bounds how many do something at the same time. Who has to wait is served first come, first served within a class: interactive
 * calls go before batch calls, but of every five turns that are taken while both wait, one is a batch call's.
 *
 * <pre>{@code
 * var bulkhead = Bulkhead.of("gpt-4.1", BulkheadPolicy.of(20), Timekeeper.system());
 * String answer = bulkhead.call(() -> ask());
 * }</pre>
 *
 * <p>Safe for use by any number of threads; only {@code acquire} and {@code call} wait.
 */
public final class Bulkhead {
    private static final Full FULL = new Full();

    private final String name;
    private final BulkheadPolicy policy;
    private final Places places;

    private Bulkhead(String name, BulkheadPolicy policy, Timekeeper timekeeper) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
        this.name = name;
        this.policy = policy;
        this.places = new Places(policy.concurrency(), policy.maxQueued(), timekeeper);
    }

    /**
     * {@return a bulkhead of which all places are free}
     *
     * @param name what it guards, for messages
     * @param policy how many places, and who may wait for how long
     * @param timekeeper how its waiters wait
     */
    public static Bulkhead of(String name, BulkheadPolicy policy, Timekeeper timekeeper) {
        return new Bulkhead(name, policy, timekeeper);
    }

    /** {@return what it guards} */
    public String name() {
        return name;
    }

    /** {@return a place if one is free and nobody waits for it, else {@link Full}} */
    public Admission tryAcquire() {
        return places.tryTake() ? new Permit(this) : FULL;
    }

    /**
     * Takes a place, waiting at most as long as the policy says.
     *
     * @return the place, which must be released, or {@link Full}
     * @throws InterruptedException if the thread is interrupted while it waits; nothing is taken then
     */
    public Admission acquire() throws InterruptedException {
        return acquire(Priority.INTERACTIVE, policy.maxWait());
    }

    /**
     * Takes a place.
     *
     * @param priority who may pass whom in the queue
     * @param maxWait how long it may wait for its turn
     * @return the place, which must be released, or {@link Full}
     * @throws InterruptedException if the thread is interrupted while it waits; nothing is taken then
     */
    public Admission acquire(Priority priority, Duration maxWait) throws InterruptedException {
        return places.take(priority, Patience.nanos(maxWait)) ? new Permit(this) : FULL;
    }

    /**
     * Does something in a place of its own, waiting for it at most as long as the policy says.
     *
     * @param <T> what the body returns
     * @param body what is done
     * @return what the body returns
     * @throws FullException if no place came free; the body was not called
     * @throws Exception what the body throws, or {@link InterruptedException} if the thread is interrupted while it waits
     */
    public <T> T call(Callable<T> body) throws Exception {
        if (!places.tryTake() && !places.take(Priority.INTERACTIVE, Patience.nanos(policy.maxWait()))) {
            throw new FullException(name, places.limit());
        }
        try {
            return body.call();
        } finally {
            places.release();
        }
    }

    /**
     * Changes the number of places. Who has one keeps it; where there are fewer now, newcomers wait until enough were released.
     *
     * @param concurrency how many, at least 1
     */
    public void resize(int concurrency) {
        int checked = policy.withConcurrency(concurrency).concurrency();
        places.resize(() -> checked);
    }

    /** {@return what there is to see; the figures may be of neighbouring moments} */
    public Status status() {
        return new Status(name, places.limit(), places.inFlight(), places.waiting());
    }

    /** {@return name and places} */
    @Override
    public String toString() {
        return "Bulkhead[" + name + ", " + places.limit() + " places]";
    }

    /** What {@code acquire} says. */
    public sealed interface Admission {}

    /** No place came free in time, or too many wait for one. */
    public static final class Full implements Admission {
        private Full() {}

        /** {@return {@code "Full"}} */
        @Override
        public String toString() {
            return "Full";
        }
    }

    /** A place. Released once; releasing it again does nothing. */
    public static final class Permit implements Admission {
        private static final AtomicIntegerFieldUpdater<Permit> RELEASED =
                AtomicIntegerFieldUpdater.newUpdater(Permit.class, "released");

        private final Bulkhead bulkhead;
        private volatile int released;

        private Permit(Bulkhead bulkhead) {
            this.bulkhead = bulkhead;
        }

        /** Gives the place back. */
        public void release() {
            if (RELEASED.compareAndSet(this, 0, 1)) {
                bulkhead.places.release();
            }
        }
    }

    /** No place came free in time, and nothing was done. It holds no stack trace: who is full must not pay for it. */
    public static final class FullException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FullException(String name, int places) {
            super("bulkhead " + name + " is full: " + places + " places are taken", null, true, false);
        }
    }

    /**
     * What there is to see of a bulkhead.
     *
     * @param name what it guards
     * @param concurrency how many places there are
     * @param inFlight how many are taken; more than there are only after their number was lowered
     * @param waiting who waits for one
     */
    public record Status(String name, int concurrency, int inFlight, long waiting) {}
}
