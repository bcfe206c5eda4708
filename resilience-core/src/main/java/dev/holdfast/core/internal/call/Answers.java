package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.CallTrail;
import dev.holdfast.Cost;
import dev.holdfast.Failure;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelResponse;
import dev.holdfast.Spend;
import dev.holdfast.core.internal.call.Outcome.Answered;
import java.util.ArrayList;
import java.util.Optional;

/** Makes the response of the attempt that won, or the trail of one that won and was lost after all. */
final class Answers {
    private final Progress progress;
    private final Attempts attempts;
    private final AttemptSender sender;

    Answers(Progress progress, Attempts attempts, AttemptSender sender) {
        this.progress = progress;
        this.attempts = attempts;
        this.sender = sender;
    }

    /** An answer that came as a whole. */
    ModelResponse answered(Won won, Answered answered) {
        Attempt attempt = endedWell(won, answered.answer());
        completed(won, attempt, answered.answer());
        return respond(won, answered.answer(), attempt);
    }

    /** The winner has its answer: told, paid, and its permit given back. */
    void completed(Won won, Attempt attempt, ModelAnswer answer) {
        tell(won, attempt);
        won.underway().admitted().succeeded(answer.usage());
    }

    void tell(Won won, Attempt attempt) {
        attempts.tell(attempt, won.underway().admitted());
    }

    /** A stream that had begun failed. */
    void lost(Won won, Failure failure) {
        attempts.lost(won.underway(), failure);
    }

    /** The attempt that won, if it ends now with this answer. */
    Attempt endedWell(Won won, ModelAnswer answer) {
        Spend spend = progress.spending().of(answer, won.underway().model());
        return ended(won, Optional.empty(), spend);
    }

    /** The attempt that won, if it ends now without the rest of its answer: part of the answer came, and may be charged for. */
    Attempt endedBadly(Won won, Failure failure) {
        return ended(
                won,
                Optional.of(failure),
                progress.spending().possible(won.underway().candidate().model()));
    }

    private Attempt ended(Won won, Optional<Failure> failure, Spend spend) {
        return won.underway()
                .ended(
                        failure,
                        won.outcome().rateLimits(),
                        Optional.of(spend),
                        progress.time().nanoTime());
    }

    /** What the call did, ended by this attempt: attempts as they were begun. */
    CallTrail trail(Attempt last) {
        var all = new ArrayList<>(progress.state().attempts());
        all.add(last);
        return new CallTrail(
                progress.call().id(), CallState.asBegun(all), progress.state().rejections());
    }

    ModelResponse respond(Won won, ModelAnswer answer, Attempt attempt) {
        Candidate candidate = won.underway().candidate();
        progress.services().misconfigured().serves(candidate.target());
        progress.services()
                .fallbacks()
                .answered(
                        progress.candidate(0).target().model(),
                        candidate.target().model());
        Optional<Cost> cost = attempt.spend()
                .filter(spend -> spend.basis() == Spend.Basis.REPORTED)
                .flatMap(Spend::cost);
        return new ModelResponse(
                answer,
                Optional.of(candidate.target()),
                trail(attempt).attempts(),
                cost,
                false,
                false,
                Optional.of(sender.idempotencyKey(candidate)),
                progress.call().id(),
                won.outcome().providerRequestId(),
                won.outcome().adjusted());
    }
}
