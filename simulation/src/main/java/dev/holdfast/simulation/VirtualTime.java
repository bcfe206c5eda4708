package dev.holdfast.simulation;

import dev.holdfast.simulation.internal.time.Scheduler;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;

/**
 * Time that passes only when everyone waits. The production pipeline runs on it unchanged: real code on real virtual
 * threads, but one at a time, and hours of backoff take no longer than the work between them.
 *
 * <pre>{@code
 * var time = new VirtualTime();
 * time.run(() -> {
 *     time.start("holdfast-other", () -> …);
 *     time.sleep(Duration.ofHours(3));       // returns at once, three hours later
 * });
 * }</pre>
 *
 * <p><b>Order.</b> A task runs until it waits or ends; then the next one runs, always in the same order, so that the same
 * program with the same seed gives the same result. At one instant come
 *
 * <ol>
 *   <li>the tasks that were started, signalled or interrupted, in the order in which that happened;
 *   <li>when none of these is left, the timer that was set first (of {@link #sleep} or a deadline of an {@code await}),
 *       then whom it wakes, then the next timer;
 *   <li>at the very end, those who {@link #sleepLast}.
 * </ol>
 *
 * <p>Only when nothing is left to do at an instant does time go on to the next timer.
 *
 * <p><b>Ends.</b> {@link #run} returns when all tasks have ended, also those that others started. Where tasks wait and
 * nothing can wake them, or where some still run 30 days after the main task ended, it throws a
 * {@link VirtualTimeException} that names them. If the main task throws, the others are abandoned: what they wait for throws an
 * error, so that they unwind. An exception in another task comes out of {@code run} at the end.
 *
 * <p><b>Threads.</b> Only a task waits; to interrupt it by {@link Task#interrupt()} or {@link Thread#interrupt()}, to set a signal
 * and to read the time is any thread's right. Monitors, locks and I/O do not know virtual time: a task that blocks in them
 * blocks the whole simulation.
 */
public final class VirtualTime implements Timekeeper {
    private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

    private final Scheduler scheduler;
    private final Instant start;
    private final long originNanos;

    /** Creates time that begins on 1 January 2026 at 00:00 UTC, with {@link #nanoTime()} at 0. */
    public VirtualTime() {
        this(NEW_YEAR, 0);
    }

    /**
     * Creates time.
     *
     * @param start when it begins
     * @param originNanos what {@link #nanoTime()} shows then; any number, as on a real machine
     */
    public VirtualTime(Instant start, long originNanos) {
        this.start = start;
        this.originNanos = originNanos;
        this.scheduler = new Scheduler();
    }

    /**
     * Runs a task and all that it starts, to their end. Blocks the calling thread for as long as the work takes; to interrupt
     * that thread is to interrupt the main task. May be called again: time goes on where it stood.
     *
     * @param <X> what the task may throw
     * @param main the main task
     * @throws X what the main task throws
     * @throws VirtualTimeException if tasks wait for ever, or another task threw
     * @throws IllegalStateException if it is running already
     */
    public <X extends Exception> void run(Action<X> main) throws X {
        this.<Boolean, X>call(() -> {
            main.run();
            return true;
        });
    }

    /**
     * {@return what the main task returns; otherwise like {@link #run}}
     *
     * @param <T> what it returns
     * @param <X> what it may throw
     * @param main the main task
     * @throws X what the main task throws
     * @throws VirtualTimeException if tasks wait for ever, or another task threw
     * @throws IllegalStateException if it is running already
     */
    public <T, X extends Exception> T call(Body<T, X> main) throws X {
        var result = new MainResult<T>();
        Scheduler.Ending ending = scheduler.run("main", () -> result.value = main.run());
        if (ending.mainFailure() instanceof Error error) {
            throw error;
        }
        if (ending.mainFailure() != null) {
            @SuppressWarnings("unchecked") // it is no error, so it is what the body may throw, or unchecked
            X failure = (X) ending.mainFailure();
            throw failure;
        }
        if (ending.stuck() != null || ending.taskFailure() != null) {
            throw new VirtualTimeException(ending);
        }
        return result.get();
    }

    /** {@return how much time has passed since it began} */
    public Duration elapsed() {
        return Duration.ofNanos(scheduler.nowNanos());
    }

    @Override
    public long nanoTime() {
        return originNanos + scheduler.nowNanos();
    }

    @Override
    public Instant now() {
        return start.plusNanos(scheduler.nowNanos());
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        scheduler.sleep(nanosOf(duration), false);
    }

    /**
     * Waits like {@link #sleep}, but comes last: after everything else that happens at that instant. A source of arrivals
     * sleeps like this, so that what frees a place does so before the newcomer looks for one.
     *
     * @param duration how long; zero or less returns at once, after an interrupt was looked for
     * @throws InterruptedException if the thread is interrupted before or while it waits; the flag is cleared
     */
    public void sleepLast(Duration duration) throws InterruptedException {
        scheduler.sleep(nanosOf(duration), true);
    }

    @Override
    public Task start(String name, Runnable body) {
        return scheduler.start(name, body::run);
    }

    @Override
    public Signal newSignal() {
        return scheduler.newSignal(originNanos);
    }

    @Override
    public String toString() {
        return "VirtualTime[" + elapsed() + "]";
    }

    /** Longer than 292 years is as good as for ever. */
    private static long nanosOf(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /**
     * A main task that returns nothing.
     *
     * @param <X> what it may throw
     */
    @FunctionalInterface
    public interface Action<X extends Exception> {
        /**
         * Does it.
         *
         * @throws X as it may
         */
        void run() throws X;
    }

    /**
     * A main task that returns something.
     *
     * @param <T> what it returns
     * @param <X> what it may throw
     */
    @FunctionalInterface
    public interface Body<T, X extends Exception> {
        /**
         * {@return its result}
         *
         * @throws X as it may
         */
        T run() throws X;
    }

    private static final class MainResult<T> {
        private @org.jspecify.annotations.Nullable T value;

        @SuppressWarnings("NullAway") // set by the main task, which ended well
        private T get() {
            return value;
        }
    }
}
