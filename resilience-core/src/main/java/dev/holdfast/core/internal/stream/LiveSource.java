package dev.holdfast.core.internal.stream;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallTrail;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelResponse;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamFailedException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A stream that has begun. It ends once: well, badly, or because nobody wants the rest, and whoever ends it first gives back what
 * it holds: the reader, a thread that closes it, or its watch when it lies untouched.
 */
final class LiveSource implements EventSource {
    private final ArrayDeque<StreamEvent> first;
    private final EventFlow flow;
    private final StreamWatch watch;
    private final Runnable abort;
    private final Settlement settlement;
    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile @Nullable Runnable whenOver;

    /** What was thrown when someone looked whether an event is here. */
    private @Nullable RuntimeException thrown;

    /** How a stream ended. */
    private sealed interface Ending {
        record Completed(ModelResponse response) implements Ending {}

        record Failed(Failure failure, CallTrail trail) implements Ending {}

        record Cancelled(Failure failure, CallTrail trail) implements Ending {}
    }

    LiveSource(
            Collection<StreamEvent> first, EventFlow flow, StreamWatch watch, Runnable abort, Settlement settlement) {
        this.first = new ArrayDeque<>(first);
        this.flow = flow;
        this.watch = watch;
        this.abort = abort;
        this.settlement = settlement;
        watch.whenAbandoned(() -> close("nobody read the stream for the total of its timeouts"));
        watch.unread();
    }

    @Override
    public @Nullable StreamEvent pull() {
        if (!reading.compareAndSet(false, true)) {
            throw new IllegalStateException("two threads read one stream (expected: one at a time)");
        }
        try {
            StreamEvent event = ending.get() == null ? read() : null;
            Ending end = ending.get();
            return end == null || event != null ? event : afterEnd(end);
        } finally {
            reading.set(false);
        }
    }

    @Override
    public boolean isReady() {
        if (ending.get() != null || !reading.compareAndSet(false, true)) {
            return false;
        }
        try {
            return !first.isEmpty() || (thrown == null && flow.isReady());
        } catch (RuntimeException e) {
            thrown = e; // for who reads on: whoever looks has events in hand that came before
            return false;
        } finally {
            watch.unread();
            reading.set(false);
        }
    }

    /** The next event; null if the stream has ended now. */
    private @Nullable StreamEvent read() {
        try {
            StreamEvent event = first.poll();
            if (event == null) {
                event = next();
            }
            if (event == null) {
                end(new Ending.Completed(settlement.response(flow.answer())));
            } else {
                watch.unread();
            }
            return event;
        } catch (StreamBrokenException e) {
            Failure failure = settlement.afterBeginning(e.failure());
            end(new Ending.Failed(failure, settlement.trail(failure)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close("the thread was interrupted");
        } catch (RuntimeException | Error e) {
            close("a plugged-in part threw " + e.getClass().getSimpleName());
            throw e;
        }
        return null;
    }

    private @Nullable StreamEvent next() throws StreamBrokenException, InterruptedException {
        RuntimeException known = thrown;
        if (known != null) {
            throw known;
        }
        return flow.next();
    }

    private @Nullable StreamEvent afterEnd(Ending end) {
        return switch (end) {
            case Ending.Completed completed -> null;
            case Ending.Failed(Failure failure, CallTrail trail) -> throw failed(failure, trail);
            case Ending.Cancelled(Failure failure, CallTrail trail) ->
                throw new CallCancelledException("cancelled: " + failure.message(), failure, trail, partial(), null);
        };
    }

    private CallException failed(Failure failure, CallTrail trail) {
        return new StreamFailedException(failure + "; the stream had begun", failure, trail, partial(), null);
    }

    /** What had come; the caller reads, and no one else does. */
    private Optional<ModelAnswer> partial() {
        try {
            return Optional.of(flow.answer());
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    @Override
    public ModelResponse response() {
        if (ending.get() instanceof Ending.Completed(ModelResponse response)) {
            return response;
        }
        throw new IllegalStateException("the stream has not come to its good end");
    }

    @Override
    public boolean isOver() {
        return ending.get() != null;
    }

    @Override
    public void close(String why) {
        if (ending.get() == null) {
            Failure failure = Failure.of(FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.AMBIGUOUS, why);
            end(new Ending.Cancelled(failure, settlement.trail(failure)));
        }
    }

    /** Only the first end counts. The exchange goes first: a reader that waits wakes, whatever listeners take their time for. */
    private void end(Ending end) {
        if (!ending.compareAndSet(null, end)) {
            return;
        }
        watch.end();
        abort.run();
        switch (end) {
            case Ending.Completed(ModelResponse response) -> settlement.completed(response);
            case Ending.Failed(Failure failure, CallTrail trail) -> settlement.failed(failure, trail);
            case Ending.Cancelled(Failure failure, CallTrail trail) -> settlement.cancelled(failure, trail);
        }
        Runnable action = whenOver;
        if (action != null) {
            action.run();
        }
    }

    @Override
    public void whenOver(Runnable action) {
        whenOver = action;
    }
}
