package dev.holdfast.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Virtual threads that start at the same moment. */
public final class Threads {
    private static final Duration PATIENCE = Duration.ofSeconds(200);

    private Threads() {}

    /** Runs the body in so many threads at once, and fails if any of them threw. */
    public static void together(int threads, Runnable body) {
        var start = new CountDownLatch(1);
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(Thread.ofVirtual().start(() -> {
                try {
                    start.await();
                    body.run();
                } catch (Throwable e) {
                    thrown.add(e);
                }
            }));
        }
        start.countDown();
        running.forEach(Threads::join);
        assertThat(thrown).isEmpty();
    }

    /** Waits for a thread to end, and fails if it does not. */
    public static void join(Thread thread) {
        try {
            assertThat(thread.join(PATIENCE)).as("ended within %s", PATIENCE).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
