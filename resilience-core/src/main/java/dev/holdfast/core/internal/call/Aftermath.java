package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.core.internal.call.Admission.Admitted;
import dev.holdfast.core.internal.event.Misconfigured;
import java.time.Duration;

/** What a failure means for others: the breaker that hears of it, the account that rests, the call that thinks again. */
final class Aftermath {
    private final Progress progress;

    Aftermath(Progress progress) {
        this.progress = progress;
    }

    /** An attempt failed before there was an answer. */
    void failed(Underway underway, Attempt attempt, Failure failure) {
        int candidate = underway.index();
        long now = progress.time().nanoTime();
        boolean late = underway.bound().byDeadline() || now - progress.call().deadlineNanos() >= 0;
        boolean deadlineCut = late && failure.kind() == FailureKind.TIMEOUT;
        Track before = heard(underway, failure, !deadlineCut);
        Duration untilDeadline = Duration.ofNanos(progress.call().patienceNanos() - now);
        Duration backoff = failure.suggestedDelay().isEmpty() && leavesAttempts(candidate, failure, before)
                ? progress.services().retryDelay().backoff(failure.kind(), before)
                : before.backoff();
        Duration delay = progress.services().retryDelay().after(failure, backoff, untilDeadline);
        Track after = before.failed(failure, delay, backoff, now);
        boolean beside = underway.send().reason() == AttemptReason.HEDGE;
        progress.update(state -> beside
                ? state.at(now).failedBeside(candidate, attempt, after)
                : state.at(now).failed(candidate, attempt, after));
        rest(candidate, failure);
        if (deadlineCut) {
            progress.cutByDeadline();
        }
    }

    /** A stream that had begun failed: it is told of like any failure, and nothing is tried again. */
    void lost(Underway underway, Failure failure) {
        heard(underway, failure, true);
        rest(underway.index(), failure);
    }

    /** Gives the permit back, as a failure where the breaker counts its kind. */
    private Track heard(Underway underway, Failure failure, boolean providersFault) {
        Track before = progress.track(underway.index());
        Admitted admitted = underway.admitted();
        if (providersFault) {
            admitted.tells(failure, before.failure().isPresent());
        }
        if (providersFault && progress.services().admission().breakerHears(underway.candidate(), failure)) {
            admitted.failed(failure, before.heard());
            return before.nowHeard();
        }
        admitted.ignored(failure);
        return before;
    }

    private boolean leavesAttempts(int candidate, Failure failure, Track before) {
        Track after = before.failed(failure, Duration.ZERO, Duration.ZERO, 0);
        return KindRules.leavesAttempts(
                progress.services().setup().retry(), failure, progress.candidate(candidate), after);
    }

    /**
     * An account that is limited, used up or misconfigured rests; the server's own word on how long is what others must obey.
     */
    private void rest(int candidate, Failure failure) {
        Candidate account = progress.candidate(candidate);
        if (concernsTheAccount(failure, candidate) && Misconfigured.is(failure.kind())) {
            progress.services().misconfigured().add(account.target());
        }
        if (!progress.services().setup().retry().cooldowns() || !concernsTheAccount(failure, candidate)) {
            return;
        }
        progress.services()
                .admission()
                .rest(account, failure)
                .ifPresent(length -> progress.tell(new CallEvent.CooldownStarted(
                        progress.time().now(), account.target(), length, failure.kind())));
    }

    private boolean concernsTheAccount(Failure failure, int candidate) {
        return switch (failure.kind()) {
            case RATE_LIMITED, QUOTA_EXHAUSTED -> failure.scope() != FailureScope.REQUEST;
            case MODEL_NOT_FOUND -> true;
            case AUTH, PERMISSION ->
                !progress.candidate(candidate).refreshable()
                        || progress.track(candidate).keyRefusals() > 1;
            default -> false;
        };
    }
}
