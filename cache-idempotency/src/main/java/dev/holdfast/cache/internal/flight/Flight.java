package dev.holdfast.cache.internal.flight;

import dev.holdfast.ModelResponse;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import dev.holdfast.spi.Timekeeper.Task;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One call that several callers wait for. It belongs to none of them: it goes on while anyone is aboard and is
 * interrupted when the last one leaves.
 */
final class Flight {
    /** How it ended. */
    sealed interface Landing {}

    /** With a response. */
    record Arrived(ModelResponse response) implements Landing {}

    /** With whatever the call threw. */
    record Crashed(Throwable cause) implements Landing {}

    private final long deadlineNanos;
    private final Signal landed;
    private final AtomicInteger aboard = new AtomicInteger(1);
    private volatile @Nullable Landing landing;
    private volatile @Nullable Task task;

    Flight(long deadlineNanos, Timekeeper timekeeper) {
        this.deadlineNanos = deadlineNanos;
        this.landed = timekeeper.newSignal();
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Says which task flies it. Called by the leader, who is still aboard. */
    void flownBy(Task running) {
        task = running;
    }

    /** Takes one more caller aboard, unless everyone has left it already. */
    boolean board() {
        return aboard.getAndUpdate(callers -> callers == 0 ? 0 : callers + 1) > 0;
    }

    /** Lets one caller leave; ends the flight with its last. Returns whether this was the last. */
    boolean leave() {
        boolean last = aboard.decrementAndGet() == 0;
        Task running = task;
        if (last && running != null) {
            running.interrupt();
        }
        return last;
    }

    void land(Landing outcome) {
        landing = outcome;
        landed.set();
    }

    /** Waits for the landing until a deadline. Returns null if the deadline came first. */
    @Nullable
    Landing await(long callerDeadlineNanos) throws InterruptedException {
        return landed.await(callerDeadlineNanos) ? landing : null;
    }
}
