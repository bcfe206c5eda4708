package dev.holdfast.core.internal.call;

import dev.holdfast.spi.ContextCarrier;
import dev.holdfast.spi.ContextCarrier.Captured;
import dev.holdfast.spi.ContextCarrier.Restored;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Task;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs blocking calls on threads of their own, with the caller's context; a future that ends early ends its call. */
final class Async {
    private final Timekeeper timekeeper;
    private final List<ContextCarrier> carriers;

    Async(Timekeeper timekeeper, List<ContextCarrier> carriers) {
        this.timekeeper = timekeeper;
        this.carriers = carriers;
    }

    /**
     * @param name of the thread
     * @param work what is done there
     * @param unwanted takes a value that came although the future had ended
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the caller holds the future itself
    <T> CompletableFuture<T> supply(String name, Supplier<T> work, Consumer<? super T> unwanted) {
        var future = new CompletableFuture<T>();
        var ended = new AtomicBoolean();
        Task task = start(name, () -> complete(future, work, unwanted, ended));
        future.whenComplete((value, error) -> {
            if (!ended.get()) {
                task.interrupt();
            }
        });
        return future;
    }

    /** Starts a thread that works in the caller's context. */
    Task start(String name, Runnable work) {
        List<Captured> captured = carriers.stream().map(ContextCarrier::capture).toList();
        return timekeeper.start(name, () -> runWith(captured, work));
    }

    private static <T> void complete(
            CompletableFuture<T> future, Supplier<T> work, Consumer<? super T> unwanted, AtomicBoolean ended) {
        try {
            T value = work.get();
            ended.set(true);
            if (!future.complete(value)) {
                unwanted.accept(value);
            }
        } catch (Throwable e) {
            ended.set(true);
            future.completeExceptionally(e);
        }
    }

    private static void runWith(List<Captured> captured, Runnable work) {
        Deque<Restored> restored = new ArrayDeque<>();
        try {
            captured.forEach(context -> restored.push(context.restore()));
            work.run();
        } finally {
            restored.forEach(Restored::close);
        }
    }
}
