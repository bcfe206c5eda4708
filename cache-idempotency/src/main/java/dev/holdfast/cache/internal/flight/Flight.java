package dev.holdfast.cache.internal.flight;

import dev.holdfast.ModelResponse;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import dev.holdfast.spi.Timekeeper.Task;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One call that several callers wait for. It belongs to none of them: it goes on while anyone is aboard and is
 * interrupted when the last one leaves. It has no deadline of its own, but the patience of the most patient one aboard.
 */
final class Flight {
    /** How it ended. */
    sealed interface Landing {}

    /** With a response. */
    record Arrived(ModelResponse response) implements Landing {}

    /** With whatever the call threw. */
    record Crashed(Throwable cause) implements Landing {}

    /** A place aboard; every one is another, whatever its deadline. */
    static final class Seat {
        private final long deadlineNanos;

        Seat(long deadlineNanos) {
            this.deadlineNanos = deadlineNanos;
        }
    }

    /** What the flight was told when it last asked how long anyone waits. */
    private record Told(long patienceNanos) {}

    private final Timekeeper timekeeper;
    private final Signal landed;
    private final long endNanos;
    private final Set<Seat> seats = ConcurrentHashMap.newKeySet();
    private final AtomicInteger aboard = new AtomicInteger(1);
    private volatile @Nullable Told told;
    private volatile @Nullable Landing landing;
    private volatile @Nullable Task task;

    /**
     * A flight whose leader is aboard.
     *
     * @param endNanos when it ends if anyone should wait for ever
     */
    Flight(Seat leader, long endNanos, Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.landed = timekeeper.newSignal();
        this.endNanos = endNanos;
        seats.add(leader);
    }

    long endNanos() {
        return endNanos;
    }

    /** Says which task flies it. Called by the leader, who is still aboard. */
    void flownBy(Task running) {
        task = running;
    }

    /** Takes one more caller aboard, unless everyone has left it already. */
    boolean board(Seat seat) {
        boolean there = aboard.getAndUpdate(callers -> callers == 0 ? 0 : callers + 1) > 0;
        if (there) {
            seats.add(seat);
        }
        return there;
    }

    /** Lets one caller leave; ends the flight with its last. Returns whether this was the last. */
    boolean leave(Seat seat) {
        seats.remove(seat);
        boolean last = aboard.decrementAndGet() == 0;
        Task running = task;
        if (last && running != null) {
            running.interrupt();
        }
        return last;
    }

    /** Until when the most patient one aboard waits. Asked by the flight before it decides on a wait. */
    long patienceNanos() {
        long now = timekeeper.nanoTime();
        long longest = 0;
        for (Seat seat : seats) {
            longest = Math.max(longest, Math.min(seat.deadlineNanos - now, endNanos - now));
        }
        told = new Told(now + longest);
        return now + longest;
    }

    /** Whether someone waits longer than the flight knew when it made up its mind: who boarded after that. */
    boolean knewNothingOf(Seat seat) {
        Told last = told;
        return last != null && Math.min(seat.deadlineNanos - last.patienceNanos, endNanos - last.patienceNanos) > 0;
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
