package dev.holdfast.gateway;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what other threads bring about, however long a busy machine takes for it. */
final class Eventually {
    private Eventually() {}

    static void holds(BooleanSupplier condition) {
        holds(condition, Duration.ofSeconds(60));
    }

    static void holds(BooleanSupplier condition, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + most);
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
