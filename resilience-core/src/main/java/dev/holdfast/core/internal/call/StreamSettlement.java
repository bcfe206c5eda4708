package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.CallTrail;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.internal.stream.Settlement;
import java.util.List;
import java.util.Optional;

/** Gives back what a begun stream holds of its call: the breaker's permit, the limits, the place among the calls in flight. */
final class StreamSettlement implements Settlement {
    private final Answers answers;
    private final Won won;
    private final InFlight.Stay stay;
    private final Finished finished;

    /** Tells that a call has ended. */
    @FunctionalInterface
    interface Finished {
        void tell(int attempts, Optional<ModelResponse> response, Optional<Failure> failure);
    }

    StreamSettlement(Answers answers, Won won, InFlight.Stay stay, Finished finished) {
        this.answers = answers;
        this.won = won;
        this.stay = stay;
        this.finished = finished;
    }

    @Override
    public ModelResponse response(ModelAnswer answer) {
        return answers.respond(won, answer, answers.endedWell(won, answer));
    }

    /** Part of the answer came, so that the work was done and may be charged for. */
    @Override
    public Failure afterBeginning(Failure failure) {
        return new Failure(
                failure.kind(),
                failure.scope(),
                Delivery.AMBIGUOUS,
                failure.message(),
                failure.status(),
                failure.code(),
                failure.suggestedDelay(),
                failure.shouldRetry(),
                failure.providerRequestId());
    }

    @Override
    public CallTrail trail(Failure failure) {
        return answers.trail(answers.endedBadly(won, failure));
    }

    @Override
    public void completed(ModelResponse response) {
        settle(response.attempts(), () -> won.underway().admitted().succeeded(response.usage()));
        finished.tell(response.attempts().size(), Optional.of(response), Optional.empty());
    }

    @Override
    public void failed(Failure failure, CallTrail trail) {
        settle(trail.attempts(), () -> answers.lost(won, failure));
        finished.tell(trail.attempts().size(), Optional.empty(), Optional.of(failure));
    }

    @Override
    public void cancelled(Failure why, CallTrail trail) {
        settle(trail.attempts(), () -> won.underway().admitted().ignored());
        finished.tell(trail.attempts().size(), Optional.empty(), Optional.of(why));
    }

    private void settle(List<Attempt> attempts, Runnable giveBack) {
        try {
            attempts.stream()
                    .filter(attempt -> attempt.number() == won.underway().number())
                    .forEach(attempt -> answers.tell(won, attempt));
            giveBack.run();
        } finally {
            stay.leave();
        }
    }
}
