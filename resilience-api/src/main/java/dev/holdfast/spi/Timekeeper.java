package dev.holdfast.spi;

import java.time.Duration;
import java.time.Instant;

/**
 * Time, waiting and threads: the one seam through which everything but the transport waits or starts a thread, so that a
 * simulation can run the same code on virtual time.
 *
 * <p>Called by any thread, often. Implementations are thread-safe.
 */
public interface Timekeeper {
    /**
     * {@return monotonic time in nanoseconds from an arbitrary origin, perhaps negative; compare by
     * {@code a - b >= 0}}
     */
    long nanoTime();

    /** {@return wall time; only for what a header, a price or a log line needs} */
    Instant now();

    /**
     * Waits.
     *
     * @param duration how long; zero or less returns at once, after an interrupt was looked for
     * @throws InterruptedException if the thread is interrupted before or while it waits; the flag is cleared
     */
    void sleep(Duration duration) throws InterruptedException;

    /**
     * Starts a daemon virtual thread.
     *
     * @param name its name, beginning with {@code holdfast-}
     * @param body what it runs; must not throw
     * @return the running task
     */
    Task start(String name, Runnable body);

    /** {@return a new signal, not yet set; queues, futures and latches are built on it} */
    Signal newSignal();

    /** A thread that was started. */
    interface Task {
        /** Interrupts it; does nothing once it has ended. */
        void interrupt();

        /**
         * Waits until it has ended.
         *
         * @throws InterruptedException if the waiting thread is interrupted; the flag is cleared
         */
        void join() throws InterruptedException;
    }

    /** A condition that is set once and stays set. Any number of threads may wait for it. */
    interface Signal {
        /** Sets it and wakes who waits. Does nothing the second time. Never blocks. */
        void set();

        /** {@return whether it is set} */
        boolean isSet();

        /**
         * Waits until it is set or the deadline has come.
         *
         * @param deadlineNanos the deadline on {@link Timekeeper#nanoTime()}
         * @return whether it is set
         * @throws InterruptedException if the thread is interrupted before or while it waits; the flag is cleared
         */
        boolean await(long deadlineNanos) throws InterruptedException;

        /**
         * Waits until it is set.
         *
         * @throws InterruptedException if the thread is interrupted before or while it waits; the flag is cleared
         */
        void await() throws InterruptedException;
    }

    /** {@return the machine's own time and virtual threads} */
    static Timekeeper system() {
        return SystemTimekeeper.INSTANCE;
    }
}
