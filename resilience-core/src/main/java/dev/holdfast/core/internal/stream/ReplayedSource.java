package dev.holdfast.core.internal.stream;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallTrail;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelResponse;
import dev.holdfast.StreamEvent;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The events of an answer that is there as a whole already. */
final class ReplayedSource implements EventSource {
    private final ModelResponse response;
    private final Queue<StreamEvent> events;
    private volatile @Nullable String closed;
    private volatile @Nullable Runnable whenOver;

    ReplayedSource(ModelResponse response) {
        this.response = response;
        this.events = new ArrayDeque<>(AnswerEvents.of(response.answer()));
    }

    @Override
    public @Nullable StreamEvent pull() {
        String why = closed;
        if (why == null || events.isEmpty()) {
            return events.poll();
        }
        Failure failure = Failure.of(FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.ANSWERED, why);
        var trail = new CallTrail(response.callId(), response.attempts(), List.of());
        throw new CallCancelledException(why, failure, trail, Optional.of(response.answer()), null);
    }

    @Override
    public boolean isReady() {
        return !events.isEmpty();
    }

    @Override
    public ModelResponse response() {
        return response;
    }

    @Override
    public boolean isOver() {
        return events.isEmpty() || closed != null;
    }

    @Override
    public void close(String why) {
        if (closed != null) {
            return;
        }
        closed = why;
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
