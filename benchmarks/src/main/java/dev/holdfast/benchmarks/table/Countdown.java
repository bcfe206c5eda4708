package dev.holdfast.benchmarks.table;

import dev.holdfast.spi.Timekeeper;

/** Waits for the last of many. On virtual time only: tasks take turns. */
final class Countdown {
    private final Timekeeper.Signal zero;
    private int left;

    Countdown(Timekeeper time, int count) {
        this.zero = time.newSignal();
        this.left = count;
    }

    void countDown() {
        if (--left == 0) {
            zero.set();
        }
    }

    void await() throws InterruptedException {
        zero.await();
    }
}
