package dev.holdfast.core.internal.stream;

import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.internal.stream.StreamTimers.Due;
import dev.holdfast.core.internal.stream.StreamTimers.Timer;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a stream's timers, on a thread of its own that sleeps until the next of them: when it has run out, the exchange is
 * aborted, which wakes a reader. The thread is woken early only where a timer moved forward of what it sleeps for.
 *
 * <p>One thread at a time reads and reports; any may {@link #end} it.
 */
public final class StreamWatch {
    private static final long LATE_NANOS = 1_000_000_000;

    private final Timekeeper time;
    private final StreamTimers timers;
    private final Runnable abort;
    private volatile Due due;
    private volatile @Nullable Nap nap;
    private volatile boolean ended;
    private volatile @Nullable Expiry expiry;
    private volatile @Nullable Runnable whenAbandoned;

    /**
     * A timer that ran out.
     *
     * @param words which, for people
     * @param late whether it was noticed so late that this machine must have been held up
     */
    record Expiry(String words, boolean late) {}

    private record Nap(long untilNanos, Signal woken) {}

    private StreamWatch(Timekeeper time, StreamTimers timers, Runnable abort, long nowNanos) {
        this.time = time;
        this.timers = timers;
        this.abort = abort;
        this.due = timers.waiting(nowNanos);
    }

    /**
     * Starts to watch an exchange whose head has arrived.
     *
     * @param time waits
     * @param start starts a thread
     * @param timeouts how long the timers are
     * @param opening how long the stream may take to begin, from when it was sent
     * @param sentNanos when it was sent
     * @param abort aborts the exchange, from any thread
     */
    public static StreamWatch start(
            Timekeeper time,
            Consumer<Runnable> start,
            StreamTimeouts timeouts,
            Duration opening,
            long sentNanos,
            Runnable abort) {
        var timers = new StreamTimers(timeouts, opening, sentNanos);
        var watch = new StreamWatch(time, timers, abort, time.nanoTime());
        start.accept(watch::run);
        return watch;
    }

    /** What is done when nobody touches the stream. */
    void whenAbandoned(Runnable action) {
        whenAbandoned = action;
    }

    /** A wait for bytes begins. A reader that always finds some may keep this watch from its processor: it looks for itself. */
    void waiting() {
        long now = time.nanoTime();
        Due next = timers.waiting(now);
        set(next);
        if (next.atNanos() - now < 0) {
            expire(next, now);
        }
    }

    /** Bytes came, or the end. */
    void arrived() {
        timers.arrived(time.nanoTime());
    }

    /** What came is part of the answer. */
    void meaningful() {
        timers.meaningful(time.nanoTime());
    }

    /** The answer is complete: the rest is waited for no longer than this. */
    void complete(Duration tail) {
        timers.complete(tail);
    }

    /** The stream is in the consumer's hands. */
    void unread() {
        set(timers.unread(time.nanoTime()));
    }

    /** What ran out; null if nothing did. */
    @Nullable
    Expiry expiry() {
        return expiry;
    }

    /** Stops watching. Does nothing the second time. */
    public void end() {
        ended = true;
        wake(nap);
    }

    private void set(Due next) {
        due = next;
        Nap sleeping = nap;
        if (sleeping != null && next.atNanos() - sleeping.untilNanos() < 0) {
            wake(sleeping);
        }
    }

    private static void wake(@Nullable Nap nap) {
        if (nap != null) {
            nap.woken().set();
        }
    }

    private void run() {
        try {
            while (!ended) {
                var next = new Nap(due.atNanos(), time.newSignal());
                nap = next;
                boolean moved = due.atNanos() - next.untilNanos() < 0;
                if (ended || moved || next.woken().await(next.untilNanos())) {
                    continue;
                }
                Due over = due;
                long now = time.nanoTime();
                if (now - over.atNanos() >= 0) {
                    expire(over, now);
                    return;
                }
            }
        } catch (InterruptedException e) {
            abort.run(); // nobody would watch the stream from here on
        }
    }

    private void expire(Due over, long now) {
        if (ended) {
            return;
        }
        expiry = new Expiry(over.words(), now - over.atNanos() > LATE_NANOS);
        Runnable action = whenAbandoned;
        if (over.timer() == Timer.ABANDONED && action != null) {
            action.run();
        }
        abort.run();
    }
}
