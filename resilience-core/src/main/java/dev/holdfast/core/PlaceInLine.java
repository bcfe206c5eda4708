package dev.holdfast.core;

import dev.holdfast.core.RateLimiter.Admission;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.internal.limit.LimitCell;
import dev.holdfast.core.internal.limit.LimitCell.Place;
import dev.holdfast.core.internal.limit.LimitCell.Taken;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Task;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A place in a limiter's queue that is awaited on a thread of its own, for a future. */
record PlaceInLine(LimitCell cell, Place place, Timekeeper time) {
    /** {@return ends with what came of it, however the waiting ends; to end it before is to leave the queue} */
    @SuppressWarnings("FutureReturnValueIgnored") // the caller holds the future itself
    CompletableFuture<Admission> await(Function<Taken, Admission> admission) {
        var future = new CompletableFuture<Admission>();
        Task task = start(() -> await(future, admission));
        future.whenComplete((admitted, failure) -> {
            if (failure != null) {
                task.interrupt();
            }
        });
        return future;
    }

    private Task start(Runnable waiting) {
        boolean started = false;
        try {
            Task task = time.start("holdfast-limit", waiting);
            started = true;
            return task;
        } finally {
            if (!started) { // a place that nobody awaits would stay in the way
                cell.abandon(place);
            }
        }
    }

    private void await(CompletableFuture<Admission> future, Function<Taken, Admission> admission) {
        try {
            Admission admitted = admission.apply(cell.await(place));
            if (!future.complete(admitted) && admitted instanceof Granted granted) {
                granted.reservation().cancel();
            }
        } catch (InterruptedException e) {
            future.cancel(false);
        } catch (Throwable e) { // a timekeeper's own
            future.completeExceptionally(e);
        }
    }
}
