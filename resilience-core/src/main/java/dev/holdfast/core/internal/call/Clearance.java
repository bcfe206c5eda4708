package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.Target;
import dev.holdfast.core.internal.call.Admission.Admitted;
import dev.holdfast.core.internal.call.NextMove.Send;
import java.time.Duration;
import java.util.Optional;

/** Brings a call to the point of sending: pays for the attempt, waits for it, has it admitted. */
final class Clearance {
    private final Progress progress;

    Clearance(Progress progress) {
        this.progress = progress;
    }

    /** What was taken for the attempt. Empty if the call has to think again. */
    Optional<Admitted> clear(Send send) throws InterruptedException {
        Candidate candidate = progress.candidate(send.candidate());
        if (!budgetAllows(send, candidate)) {
            return Optional.empty();
        }
        Optional<Admitted> admitted = Optional.empty();
        try {
            await(send, candidate);
            admitted = admit(send, candidate);
            return admitted;
        } finally {
            if (admitted.isEmpty()) {
                giveBack(send);
            }
        }
    }

    private Optional<Admitted> admit(Send send, Candidate candidate) throws InterruptedException {
        long before = progress.time().nanoTime();
        var ask = Admission.Ask.patient(progress, availableIn -> tellQueued(candidate, availableIn));
        Admission.Decision decision =
                progress.services().admission().admit(candidate, progress.asOfNow(), send.candidate(), ask);
        if (progress.services().admission().isLimited(candidate)) {
            progress.waited(Duration.ofNanos(progress.time().nanoTime() - before));
        }
        return switch (decision) {
            case Admission.Refused refused -> {
                refused(send, refused);
                yield Optional.empty();
            }
            case Admitted admitted -> Optional.of(admitted);
        };
    }

    private void refused(Send send, Admission.Refused refused) {
        progress.tell(new CallEvent.TargetRejected(
                progress.time().now(), progress.call().id(), refused.rejection()));
        long now = progress.time().nanoTime();
        progress.update(state -> state.at(now).rejected(send.candidate(), refused.rejection(), refused.mayBeAwaited()));
    }

    /** A retry is paid for from the target's budget; a first attempt on a target pays into it. */
    private boolean budgetAllows(Send send, Candidate candidate) {
        boolean first = progress.track(send.candidate()).attempts() == 0;
        if (first || progress.services().budgets().tryWithdraw(candidate.target())) {
            return true;
        }
        progress.tell(new CallEvent.BudgetRefused(
                progress.time().now(), progress.call().id(), candidate.target()));
        progress.update(state -> state.retryRefused(send.candidate()));
        return false;
    }

    /** A retry that was paid for and then never sent: cancelled, rejected, or too late. */
    void giveBack(Send send) {
        if (progress.track(send.candidate()).attempts() > 0) {
            progress.services()
                    .budgets()
                    .giveBack(progress.candidate(send.candidate()).target());
        }
    }

    private void await(Send send, Candidate candidate) throws InterruptedException {
        boolean resting = progress.track(send.candidate()).rejection().isPresent();
        Duration delay = resting && send.delay().isPositive()
                ? progress.services()
                        .retryDelay()
                        .spread(
                                send.delay(),
                                progress.state().untilDeadline(),
                                progress.state().rests().count())
                : send.delay();
        if (resting) {
            progress.update(state -> state.rested(send.delay()));
        }
        if (delay.isPositive()) {
            progress.tell(new CallEvent.RetryScheduled(
                    progress.time().now(), progress.call().id(), candidate.target(), delay, send.suggested()));
            progress.time().sleep(delay);
            progress.waited(delay);
        } else if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        announceMove(send, candidate);
    }

    private void announceMove(Send send, Candidate candidate) {
        boolean moved = send.reason() == AttemptReason.FAILOVER || send.reason() == AttemptReason.FALLBACK;
        int current = progress.state().current();
        if (moved && current >= 0) {
            Target from = progress.candidate(current).target();
            progress.tell(new CallEvent.Moved(
                    progress.time().now(), progress.call().id(), from, candidate.target(), send.reason()));
        }
    }

    private void tellQueued(Candidate candidate, Optional<Duration> availableIn) {
        progress.tell(new CallEvent.AttemptQueued(
                progress.time().now(), progress.call().id(), candidate.target(), availableIn));
    }
}
