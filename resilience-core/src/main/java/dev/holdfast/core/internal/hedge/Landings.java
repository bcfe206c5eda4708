package dev.holdfast.core.internal.hedge;

import dev.holdfast.spi.Timekeeper.Signal;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where things come in that are on their way at once, and one thread takes them in the order they come. Each is handed out once:
 * to who takes it, or, once nobody takes any more, to who clears away what comes late.
 *
 * @param <T> what comes; told apart by identity
 */
public final class Landings<T> {
    private final Supplier<Signal> signals;
    private final Consumer<? super T> late;
    private final ConcurrentLinkedQueue<One<T>> arrived = new ConcurrentLinkedQueue<>();
    private volatile Signal news;
    private volatile boolean closed;

    /**
     * @param signals makes signals
     * @param late is given what nobody takes; called by the thread that brings it, or that closes
     */
    public Landings(Supplier<Signal> signals, Consumer<? super T> late) {
        this.signals = signals;
        this.late = late;
        this.news = signals.get();
    }

    /** An object of its own for each, so that a look for one finds no other. */
    private static final class One<T> {
        private final T value;

        One(T value) {
            this.value = value;
        }
    }

    /** Brings one. By any thread; never blocks. */
    public void land(T value) {
        var one = new One<T>(value);
        arrived.add(one);
        news.set();
        // Closing drains after it has said so: whichever of the two finds it here clears it away.
        if (closed && arrived.remove(one)) {
            late.accept(value);
        }
    }

    /** {@return what came first and was not taken; empty if there is nothing} */
    public Optional<T> poll() {
        @Nullable One<T> one = arrived.poll();
        return one == null ? Optional.empty() : Optional.of(one.value);
    }

    /**
     * Waits until there is one. By the one thread that takes.
     *
     * @param deadlineNanos until when
     * @return empty if none came by then
     */
    public Optional<T> next(long deadlineNanos) throws InterruptedException {
        while (true) {
            Optional<T> first = poll();
            if (first.isPresent()) {
                return first;
            }
            if (!news.await(deadlineNanos)) {
                return poll();
            }
            news = signals.get();
        }
    }

    /** Waits until there is one, however long that takes. By the one thread that takes. */
    public T next() throws InterruptedException {
        while (true) {
            Optional<T> first = poll();
            if (first.isPresent()) {
                return first.get();
            }
            news.await();
            news = signals.get();
        }
    }

    /** Nothing is taken any more: what is there, and what comes, is cleared away. */
    public void close() {
        closed = true;
        for (Optional<T> one = poll(); one.isPresent(); one = poll()) {
            late.accept(one.get());
        }
    }
}
