package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.internal.call.Admission.Admitted;
import dev.holdfast.core.internal.call.KindRules.SameTarget;
import dev.holdfast.core.internal.call.NextMove.Send;
import dev.holdfast.core.internal.call.Outcome.CutShort;
import dev.holdfast.core.internal.call.Outcome.Failed;
import dev.holdfast.core.internal.call.Underway.Bound;
import dev.holdfast.core.internal.call.Underway.Start;
import java.time.Duration;
import java.util.Optional;

/** Begins the attempts of one call and takes note of their ends. Each that was begun ends once, and is told of once. */
final class Attempts {
    private final Progress progress;

    Attempts(Progress progress) {
        this.progress = progress;
    }

    /** The attempt, underway from now on. Empty if the deadline has passed meanwhile: then nothing is held for it any more. */
    Optional<Underway> begin(Send send, Admitted admitted) {
        CallState state = progress.asOfNow();
        if (!state.untilDeadline().isPositive()) {
            admitted.neverSent();
            return Optional.empty();
        }
        Candidate candidate = progress.candidate(send.candidate());
        boolean first = progress.track(send.candidate()).attempts() == 0;
        if (first && send.reason() != AttemptReason.HEDGE) {
            progress.services().budgets().recordFirstAttempt(candidate.target());
        }
        progress.update(CallState::started);
        int number = progress.number();
        var start = new Start(progress.time().now(), progress.state().nowNanos(), progress.waitedSince());
        progress.tell(new CallEvent.AttemptStarted(
                start.at(), progress.call().id(), number, send.reason(), candidate.target()));
        boolean keyRefused = progress.track(send.candidate())
                .failure()
                .filter(failure -> KindRules.of(failure.kind()).sameTarget() == SameTarget.WITH_FRESH_KEY)
                .isPresent();
        return Optional.of(new Underway(number, send, candidate, admitted, start, bound(candidate, start), keyRefused));
    }

    private Bound bound(Candidate candidate, Start start) {
        Duration timeout = progress.services().timeoutFor(progress.call(), candidate);
        Duration untilCut = Duration.ofNanos(progress.call().deadlineNanos() - start.nanos());
        boolean cut = timeout.compareTo(untilCut) >= 0;
        // A stream has timers that run out long before: only the clock says whether the deadline cut it.
        return new Bound(
                cut ? untilCut : timeout, cut && !progress.call().request().streaming());
    }

    /** What came of an attempt. It stays underway if it won, until its answer has come as a whole. */
    Optional<Won> ended(Underway underway, Outcome outcome) throws InterruptedException {
        hear(underway, outcome);
        return switch (outcome) {
            case Outcome.Good good -> {
                recordLatency(underway);
                underway.admitted().arrived();
                if (good instanceof Outcome.Begun) {
                    underway.admitted().begun();
                }
                yield Optional.of(new Won(good, underway));
            }
            case Failed failed -> {
                failedAs(underway, failed);
                yield Optional.empty();
            }
            case CutShort(Failure failure) -> {
                cutShort(underway, failure);
                throw new InterruptedException();
            }
        };
    }

    /** It failed by itself. */
    void failed(Underway underway, Failed failed) {
        hear(underway, failed);
        failedAs(underway, failed);
    }

    private void failedAs(Underway underway, Failed failed) {
        Failure failure = progress.services().failures().same(failed.failure());
        if (failure.kind() == FailureKind.TIMEOUT) {
            recordLatency(underway);
        }
        aftermath().failed(underway, told(underway, failure, failed.rateLimits()), failure);
    }

    private void hear(Underway underway, Outcome outcome) {
        outcome.rateLimits()
                .ifPresent(said -> progress.services()
                        .rateLimits()
                        .heard(underway.candidate().account(), said));
        outcome.rateLimits().ifPresent(underway.admitted()::heard);
    }

    /** It took this long, or at least so long. */
    void recordLatency(Underway underway) {
        progress.services()
                .latencies()
                .of(underway.target(), progress.call().request().streaming())
                .record(progress.time().nanoTime() - underway.start().nanos());
    }

    /** Ended from here while its exchange was on its way: the provider may go on with it, and it is nobody's failure. */
    void cutShort(Underway underway, Failure why) {
        Attempt attempt = told(underway, why, Optional.empty());
        underway.admitted().ignored(why);
        Track track = progress.track(underway.index());
        long now = progress.time().nanoTime();
        progress.update(state ->
                state.failed(underway.index(), attempt, track.failed(why, Duration.ZERO, track.backoff(), now)));
    }

    /** Made where something fails. */
    private Aftermath aftermath() {
        return new Aftermath(progress);
    }

    /** A stream that had begun failed. */
    void lost(Underway underway, Failure failure) {
        aftermath().lost(underway, failure);
    }

    /** Cancelled while its key was fetched, nothing was sent; where a part threw, nobody knows. */
    void brokeOff(Underway underway, boolean interrupted) {
        Failure failure = interrupted
                ? Failure.of(
                        FailureKind.CANCELLED,
                        FailureScope.REQUEST,
                        Delivery.NEVER_SENT,
                        "the thread was interrupted before sending")
                : Failure.of(FailureKind.LOCAL, FailureScope.REQUEST, Delivery.AMBIGUOUS, "a plugged-in part threw");
        underway.admitted().ignored(failure);
        Attempt attempt = told(underway, failure, Optional.empty());
        progress.update(state -> state.failed(underway.index(), attempt, progress.track(underway.index())));
    }

    private Attempt told(Underway underway, Failure failure, Optional<RateLimitSnapshot> limits) {
        Attempt attempt = underway.ended(
                Optional.of(failure),
                limits,
                progress.spending().of(failure, underway.candidate().model()),
                progress.time().nanoTime());
        tell(attempt, underway.admitted());
        return attempt;
    }

    /** Tells, once for each attempt, how it ended and what it cost. */
    void tell(Attempt attempt, Admitted admitted) {
        admitted.spent(attempt.spend());
        progress.tell(new CallEvent.AttemptFinished(
                progress.time().now(),
                progress.call().id(),
                attempt,
                progress.call().options().tenant(),
                progress.call().options().tags()));
    }
}
