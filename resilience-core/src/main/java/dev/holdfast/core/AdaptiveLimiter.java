package dev.holdfast.core;

import dev.holdfast.Priority;
import dev.holdfast.core.internal.limit.AdaptiveState;
import dev.holdfast.core.internal.limit.Places;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A bulkhead that finds out by itself how many places it should have, from how long things take and what is dropped.
 *
 * <pre>{@code
 * var limiter = AdaptiveLimiter.of("gpt-4.1", AdaptivePolicy.gradient(), Timekeeper.system());
 * switch (limiter.acquire(Priority.INTERACTIVE, Duration.ofSeconds(5))) {
 *     case Permit permit -> {
 *         ask();
 *         permit.succeeded();
 *     }
 *     case Full full -> later();
 * }
 * }</pre>
 *
 * <p>Safe for use by any number of threads; only {@code acquire} and {@code call} wait.
 */
public final class AdaptiveLimiter {
    private static final Full FULL = new Full();

    private final String name;
    private final Timekeeper timekeeper;
    private final Places places;
    private final AtomicReference<AdaptiveState> state;

    private AdaptiveLimiter(String name, AdaptivePolicy policy, Timekeeper timekeeper) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
        this.name = name;
        this.timekeeper = timekeeper;
        this.state = new AtomicReference<>(AdaptiveState.initial(policy));
        this.places = new Places(policy.initial(), Integer.MAX_VALUE, timekeeper);
    }

    /**
     * {@return a limiter at the policy's initial limit}
     *
     * @param name what it guards, for messages
     * @param policy how the limit is found out
     * @param timekeeper its clock, and how its waiters wait
     */
    public static AdaptiveLimiter of(String name, AdaptivePolicy policy, Timekeeper timekeeper) {
        return new AdaptiveLimiter(name, policy, timekeeper);
    }

    /** {@return what it guards} */
    public String name() {
        return name;
    }

    /** {@return a permit if there is one and nobody waits for it, else {@link Full}} */
    public Admission tryAcquire() {
        return places.tryTake() ? new Permit(this, timekeeper.nanoTime()) : FULL;
    }

    /**
     * Takes a permit.
     *
     * @param priority who may pass whom in the queue
     * @param maxWait how long it may wait for its turn
     * @return the permit, which must be ended, or {@link Full}
     * @throws InterruptedException if the thread is interrupted while it waits; nothing is taken then
     */
    public Admission acquire(Priority priority, Duration maxWait) throws InterruptedException {
        return places.take(priority, Patience.nanos(maxWait)) ? new Permit(this, timekeeper.nanoTime()) : FULL;
    }

    /**
     * Does something under a permit. What the body throws says nothing of the provider, so it is ignored.
     *
     * @param <T> what the body returns
     * @param maxWait how long it may wait for its turn
     * @param body what is done
     * @return what the body returns
     * @throws FullException if there was no permit in time; the body was not called
     * @throws Exception what the body throws, or {@link InterruptedException} if the thread is interrupted while it waits
     */
    public <T> T call(Duration maxWait, Callable<T> body) throws Exception {
        return switch (acquire(Priority.INTERACTIVE, maxWait)) {
            case Full full -> throw new FullException(name, limit());
            case Permit permit -> {
                try {
                    T result = body.call();
                    permit.succeeded();
                    yield result;
                } finally {
                    permit.ignored();
                }
            }
        };
    }

    /** {@return how many may be in flight now} */
    public int limit() {
        return places.limit();
    }

    /** {@return how many are in flight now} */
    public int inFlight() {
        return places.inFlight();
    }

    /** {@return how many wait for a permit now} */
    public long waiting() {
        return places.waiting();
    }

    private void end(long startedNanos, boolean dropped) {
        long now = timekeeper.nanoTime();
        int inFlight = places.inFlight();
        AdaptiveState before = state.get();
        AdaptiveState after = state.updateAndGet(each -> each.after(inFlight, startedNanos, now, dropped));
        if (before.limit() != after.limit() || after.limit() != places.limit()) {
            places.resize(() -> (int) state.get().limit());
        }
    }

    /** {@return name and limit} */
    @Override
    public String toString() {
        return "AdaptiveLimiter[" + name + ", " + limit() + "]";
    }

    /** What {@code acquire} says. */
    public sealed interface Admission {}

    /** There was no permit in time. */
    public static final class Full implements Admission {
        private Full() {}

        /** {@return {@code "Full"}} */
        @Override
        public String toString() {
            return "Full";
        }
    }

    /** A permit. It ends once, in one of three ways; ending it again does nothing. */
    public static final class Permit implements Admission {
        private static final AtomicIntegerFieldUpdater<Permit> ENDED =
                AtomicIntegerFieldUpdater.newUpdater(Permit.class, "ended");

        private final AdaptiveLimiter limiter;
        private final long startedNanos;
        private volatile int ended;

        private Permit(AdaptiveLimiter limiter, long startedNanos) {
            this.limiter = limiter;
            this.startedNanos = startedNanos;
        }

        /** It was served; how long that took is learned from. */
        public void succeeded() {
            end(true, false);
        }

        /** The other side was overloaded, or took too long: the limit goes down. */
        public void dropped() {
            end(true, true);
        }

        /** It says nothing of the other side's load: cancelled, never sent, a mistake of our own. */
        public void ignored() {
            end(false, false);
        }

        private void end(boolean counts, boolean dropped) {
            if (ENDED.compareAndSet(this, 0, 1)) {
                if (counts) {
                    limiter.end(startedNanos, dropped);
                }
                limiter.places.release();
            }
        }
    }

    /** There was no permit in time, and nothing was done. It holds no stack trace: who is full must not pay for it. */
    public static final class FullException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FullException(String name, int limit) {
            super("adaptive limiter " + name + " is full at " + limit, null, true, false);
        }
    }
}
