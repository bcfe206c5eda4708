package dev.holdfast.cache.internal.idempotency;

import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this process executes now, so that who waits for it here is woken at its end. Who waits for another process asks
 * the store again and again.
 */
public final class OwnExecutions {
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final Timekeeper timekeeper;
    private final ConcurrentHashMap<IdempotencyStore.Key, Signal> running = new ConcurrentHashMap<>();

    /** Nothing is executed yet. */
    public OwnExecutions(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** Says that a key is being executed; the result is to be given to {@link #ended}. */
    public Signal begun(IdempotencyStore.Key key) {
        Signal signal = timekeeper.newSignal();
        running.put(key, signal);
        return signal;
    }

    /** Says that it is over and what came of it is told to the store; wakes who waits. */
    public void ended(IdempotencyStore.Key key, Signal signal) {
        running.remove(key, signal);
        signal.set();
    }

    /**
     * Waits until it is worth asking the store again.
     *
     * @param asked how often it was asked already
     * @param deadlineNanos when not to wait any longer
     */
    public void await(IdempotencyStore.Key key, int asked, long deadlineNanos) throws InterruptedException {
        Signal signal = running.get(key);
        if (signal != null) {
            signal.await(deadlineNanos);
            return;
        }
        long left = deadlineNanos - timekeeper.nanoTime();
        long pause = Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(asked, 10));
        timekeeper.sleep(Duration.ofNanos(Math.min(left, pause)));
    }
}
