package dev.holdfast.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C into an interrupt of the thread that works, and gives it time to tell what is done. While this is open the
 * machine waits for {@link #close} before it goes down.
 */
final class StopOnSignal implements AutoCloseable {
    /** What a shell calls an end by Ctrl-C. */
    static final int EXIT_CODE = 130;

    private static final int PATIENCE_SECONDS = 10;

    private final Thread worker = Thread.currentThread();
    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "holdfast-stop");
    private volatile boolean asked;

    StopOnSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether there was a signal. */
    boolean isAsked() {
        return asked;
    }

    private void stop() {
        asked = true;
        worker.interrupt();
        try {
            boolean done = told.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assert done || told.getCount() > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        told.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The machine is going down already: that is what the hook waits for.
        }
    }
}
