package dev.holdfast.core.internal.call;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallResult;
import dev.holdfast.CallTrail;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ProviderFailedException;
import dev.holdfast.spi.Timekeeper.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Many calls, a few at once: results in the order of the requests, failures in their places. */
final class Batch<I> {
    private final List<Map.Entry<I, ModelRequest>> requests;
    private final Function<ModelRequest, ModelResponse> call;
    private final AtomicReferenceArray<CallResult<I>> results;
    private final AtomicInteger next = new AtomicInteger();

    Batch(Map<I, ModelRequest> requests, Function<ModelRequest, ModelResponse> call) {
        this.requests = new ArrayList<>();
        requests.forEach((id, request) -> this.requests.add(Map.entry(id, request)));
        this.call = call;
        this.results = new AtomicReferenceArray<>(this.requests.size());
    }

    /** Blocks until every call has ended. An interrupt cancels those in flight and those to come, and stays set. */
    List<CallResult<I>> run(Async async, int concurrency) {
        int workers = Math.min(concurrency, requests.size());
        List<Task> tasks = IntStream.range(0, workers)
                .mapToObj(worker -> async.start("holdfast-batch-" + worker, this::work))
                .toList();
        boolean interrupted = false;
        for (Task task : tasks) {
            interrupted |= !joined(task);
            if (interrupted) {
                next.set(requests.size());
                tasks.forEach(Task::interrupt);
                joined(task);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return IntStream.range(0, requests.size()).mapToObj(this::result).toList();
    }

    private static boolean joined(Task task) {
        try {
            task.join();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void work() {
        for (int i = next.getAndIncrement(); i < requests.size(); i = next.getAndIncrement()) {
            results.set(i, answer(requests.get(i)));
        }
    }

    private CallResult<I> answer(Map.Entry<I, ModelRequest> request) {
        try {
            return new CallResult.Succeeded<>(request.getKey(), call.apply(request.getValue()));
        } catch (CallException e) {
            return new CallResult.Failed<>(request.getKey(), e);
        } catch (Throwable e) {
            Failure failure = Failure.of(
                    FailureKind.LOCAL, FailureScope.REQUEST, Delivery.NEVER_SENT, "failed outside the provider");
            return new CallResult.Failed<>(
                    request.getKey(),
                    new ProviderFailedException(failure.toString(), failure, CallTrail.empty("none"), e));
        }
    }

    private CallResult<I> result(int index) {
        CallResult<I> result = results.get(index);
        if (result != null) {
            return result;
        }
        Failure failure = Failure.of(
                FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.NEVER_SENT, "the batch was interrupted");
        return new CallResult.Failed<>(
                requests.get(index).getKey(),
                new CallCancelledException("cancelled", failure, CallTrail.empty("none"), null));
    }
}
