package dev.holdfast.simulation.lab;

import dev.holdfast.spi.Timekeeper;

/** Waits for the last of many. On virtual time only: tasks take turns. */
public final class Countdown {
    private final Timekeeper.Signal zero;
    private int left;

    /**
     * Waits for so many.
     *
     * @param time how to wait
     * @param count how many, at least one
     */
    public Countdown(Timekeeper time, int count) {
        this.zero = time.newSignal();
        this.left = count;
    }

    /** One less. */
    public void countDown() {
        if (--left == 0) {
            zero.set();
        }
    }

    /**
     * Returns when none is left.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void await() throws InterruptedException {
        zero.await();
    }
}
