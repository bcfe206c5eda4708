package dev.holdfast.transport.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads of the JDK's clients. An exchange begins on one of them, since it begins by resolving a name, for which nobody can say
 * how long it takes; where there is no name to resolve, it begins on the caller's own thread and saves the way to another. What the
 * client wants done elsewhere while it is on one of them already, is done there.
 */
final class Threads implements Executor, AutoCloseable {
    private final ThreadLocal<Boolean> beginning = new ThreadLocal<>();
    private final ThreadLocal<Boolean> ours = new ThreadLocal<>();

    /** Platform threads: resolving a name holds the carrier of a virtual one, and two slow names would stop everything. */
    private final ExecutorService pool =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);

    private final ThreadFactory factory =
            Thread.ofPlatform().daemon().name("holdfast-http-", 0).factory();

    private Thread thread(Runnable work) {
        return factory.newThread(() -> {
            ours.set(true);
            work.run();
        });
    }

    @Override
    public void execute(Runnable task) {
        if (beginning.get() != null) {
            beginning.remove();
            task.run();
        } else if (ours.get() != null) {
            task.run();
        } else {
            pool.execute(() -> Tasks.run(task));
        }
    }

    /** Does something whose first task is run here and not elsewhere. */
    <T> T beginHere(Supplier<T> work) {
        beginning.set(true);
        try {
            return work.get();
        } finally {
            beginning.remove();
        }
    }

    /** The interrupt reaches who still resolves a name. */
    @Override
    public void close() {
        pool.shutdownNow();
    }
}
