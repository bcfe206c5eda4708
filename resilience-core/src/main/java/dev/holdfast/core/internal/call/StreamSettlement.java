package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.CallTrail;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.internal.call.CallRun.Won;
import dev.holdfast.core.internal.stream.Settlement;
import java.util.Optional;

/** Gives back what a begun stream holds of its call: the breaker's permit, the limits, the place among the calls in flight. */
final class StreamSettlement implements Settlement {
    private final CallRun run;
    private final Won won;
    private final InFlight.Stay stay;
    private final Finished finished;

    /** Tells that a call has ended. */
    @FunctionalInterface
    interface Finished {
        void tell(int attempts, Optional<ModelResponse> response, Optional<Failure> failure);
    }

    StreamSettlement(CallRun run, Won won, InFlight.Stay stay, Finished finished) {
        this.run = run;
        this.won = won;
        this.stay = stay;
        this.finished = finished;
    }

    @Override
    public ModelResponse response(ModelAnswer answer) {
        return run.respond(won, answer, run.endedWell(won, answer));
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
        return run.trail(run.endedBadly(won, failure));
    }

    @Override
    public void completed(ModelResponse response) {
        settle(response.attempts().getLast(), () -> won.admitted().succeeded(response.usage()));
        finished.tell(response.attempts().size(), Optional.of(response), Optional.empty());
    }

    @Override
    public void failed(Failure failure, CallTrail trail) {
        settle(trail.attempts().getLast(), () -> run.lost(won, failure));
        finished.tell(trail.attempts().size(), Optional.empty(), Optional.of(failure));
    }

    @Override
    public void cancelled(Failure why, CallTrail trail) {
        settle(trail.attempts().getLast(), () -> won.admitted().ignored());
        finished.tell(trail.attempts().size(), Optional.empty(), Optional.of(why));
    }

    private void settle(Attempt attempt, Runnable giveBack) {
        try {
            run.tell(attempt, won.admitted());
            giveBack.run();
        } finally {
            stay.leave();
        }
    }
}
