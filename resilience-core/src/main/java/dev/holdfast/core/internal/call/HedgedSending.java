package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.core.internal.call.Admission.Admitted;
import dev.holdfast.core.internal.call.NextMove.Send;
import dev.holdfast.core.internal.call.Race.Broke;
import dev.holdfast.core.internal.call.Race.Came;
import dev.holdfast.core.internal.call.Race.Landing;
import java.util.Optional;

/**
 * Sends attempts that are given company when they take long. One that nothing can be sent beside stays on the call's thread; any
 * other goes on a thread of its own, and the call's thread waits for whichever answers first. All that is counted, told and
 * decided happens on the call's thread.
 */
final class HedgedSending implements Sending {
    private static final Failure BEATEN = Failure.of(
            FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.AMBIGUOUS, "the attempt beside it answered first");
    private static final Failure ENDED = Failure.of(
            FailureKind.CANCELLED,
            FailureScope.REQUEST,
            Delivery.AMBIGUOUS,
            "the call ended while the exchange was on its way");
    private static final Failure CALLED_OFF = Failure.of(
            FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.NEVER_SENT, "it was not needed before it was sent");
    private static final Failure UNSTARTED =
            Failure.of(FailureKind.LOCAL, FailureScope.REQUEST, Delivery.NEVER_SENT, "its thread could not be started");

    private final Progress progress;
    private final Hedging hedging;
    private final Attempts attempts;
    private final AttemptSender sender;
    private final Sending alone;

    HedgedSending(Progress progress, Hedging hedging, Attempts attempts, AttemptSender sender, Sending alone) {
        this.progress = progress;
        this.hedging = hedging;
        this.attempts = attempts;
        this.sender = sender;
        this.alone = alone;
    }

    @Override
    public Optional<Won> send(Underway underway) throws InterruptedException {
        if (progress.track(underway.index()).attempts() == 0) {
            hedging.recordFirstAttempt(underway.target());
        }
        Optional<HedgeRule> rule = hedging.after(
                        underway.target(), progress.call().request().streaming())
                .map(after -> new HedgeRule(progress.services().setup().retry(), after));
        Optional<Send> hedge = rule.flatMap(each -> next(each, givenUp(underway, Optional.empty())));
        return hedge.isPresent() ? race(underway, rule.get(), hedge.get()) : alone.send(underway);
    }

    private static Optional<Send> next(HedgeRule rule, CallState state) {
        return rule.next(state).map(Send.class::cast);
    }

    /** What the rule and the guards see: the call without hope for the attempt, whose possible cost counts already. */
    private CallState givenUp(Underway underway, Optional<Spend> spend) {
        CallState now = progress.asOfNow();
        return now.givenUp(
                underway.index(), underway.ended(Optional.of(BEATEN), Optional.empty(), spend, now.nowNanos()));
    }

    /** Whatever comes first ends it, if it is an answer; of two that fail the call hears when both have. */
    private Optional<Won> race(Underway first, HedgeRule rule, Send hedge) throws InterruptedException {
        try (var race = new Race(sender, progress)) {
            try {
                start(race, first);
                Optional<Landing> early =
                        race.next(progress.time().nanoTime() + hedge.delay().toNanos());
                if (early.isEmpty()) {
                    hedge(race, first, rule);
                }
                Landing landing = early.isPresent() ? early.get() : race.next();
                Optional<Won> won = ended(landing, first);
                while (won.isEmpty() && !race.isOver() && !progress.isCutByDeadline()) {
                    won = ended(race.next(), first);
                }
                won.ifPresent(winner -> giveUp(race, first, BEATEN));
                return won;
            } finally {
                giveUp(race, first, ENDED);
            }
        }
    }

    /** A thread that does not start, since a part plugged in throws, leaves nothing underway. */
    private void start(Race race, Underway underway) {
        boolean started = false;
        try {
            race.start(underway);
            started = true;
        } finally {
            if (!started) {
                attempts.cutShort(underway, UNSTARTED);
            }
        }
    }

    /** Sends a hedge where one may go. A target that rejects it is passed over, and the call may still come to it later. */
    private void hedge(Race race, Underway first, HedgeRule rule) throws InterruptedException {
        CallState seen = givenUp(
                first,
                Optional.of(progress.spending().possible(first.candidate().model())));
        for (Optional<Send> to = next(rule, seen); to.isPresent(); to = next(rule, seen)) {
            Optional<Admitted> admitted = admit(to.get(), first, seen);
            if (admitted.isPresent()) {
                begin(race, first, to.get(), admitted.get());
                return;
            }
            seen = seen.passedOver(to.get().candidate());
        }
    }

    /** What was taken for it comes back if the deadline passed while it was; then the slow one is cut at once too. */
    private void begin(Race race, Underway first, Send to, Admitted admitted) {
        Optional<Underway> hedge = attempts.begin(to, admitted);
        if (hedge.isEmpty()) {
            hedging.giveBack(first.target(), progress.candidate(to.candidate()).target());
            tell(first, to, HedgeStep.REJECTED);
            return;
        }
        tell(first, to, HedgeStep.SENT);
        boolean started = false;
        try {
            start(race, hedge.get());
            started = true;
        } finally {
            if (!started) {
                hedging.giveBack(first.target(), hedge.get().target());
                tell(first, to, HedgeStep.FAILED);
            }
        }
    }

    private Optional<Admitted> admit(Send to, Underway first, CallState seen) throws InterruptedException {
        Candidate candidate = progress.candidate(to.candidate());
        Optional<Target> poor = hedging.payFor(first.target(), candidate.target());
        if (poor.isPresent()) {
            progress.tell(new CallEvent.BudgetRefused(
                    progress.time().now(), progress.call().id(), poor.get()));
            tell(first, to, HedgeStep.OVER_BUDGET);
            return Optional.empty();
        }
        Optional<Admitted> admitted = Optional.empty();
        try {
            var ask = Admission.Ask.impatient(progress);
            if (progress.services().admission().admit(candidate, seen, to.candidate(), ask) instanceof Admitted let) {
                admitted = Optional.of(let);
            } else {
                tell(first, to, HedgeStep.REJECTED);
            }
            return admitted;
        } finally {
            if (admitted.isEmpty()) {
                hedging.giveBack(first.target(), candidate.target());
            }
        }
    }

    /** Whatever it brought, a hedge is told of once more. */
    private Optional<Won> ended(Landing landing, Underway first) throws InterruptedException {
        Optional<Won> won = Optional.empty();
        try {
            won = broughtBy(landing);
            return won;
        } finally {
            if (isHedge(landing.underway())) {
                tell(first, landing.underway().send(), won.isPresent() ? HedgeStep.WON : HedgeStep.FAILED);
            }
        }
    }

    private Optional<Won> broughtBy(Landing landing) throws InterruptedException {
        return switch (landing) {
            case Came(Underway underway, Outcome outcome) -> attempts.ended(underway, outcome);
            case Broke(Underway underway, InterruptedException interrupted) -> {
                attempts.brokeOff(underway, true);
                throw interrupted;
            }
            case Broke(Underway underway, Throwable thrown) -> {
                attempts.brokeOff(underway, false);
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) thrown;
            }
        };
    }

    /** The slow one took at least as long as it did until now: left out, the live latencies would forget what is slow. */
    private void giveUp(Race race, Underway first, Failure why) {
        for (Optional<Landing> next = race.poll(); next.isPresent(); next = race.poll()) {
            landedBeside(next.get(), first, why);
        }
        for (Race.GivenUp given : race.giveUp()) {
            if (!given.sent() && isHedge(given.underway())) {
                hedging.giveBack(first.target(), given.underway().target());
            }
            giveUp(given.underway(), first, given.sent() ? why : CALLED_OFF);
        }
    }

    private void giveUp(Underway underway, Underway first, Failure why) {
        attempts.cutShort(underway, why);
        if (isHedge(underway)) {
            tell(first, underway.send(), HedgeStep.LOST);
        } else {
            attempts.recordLatency(underway);
        }
    }

    /** Came in at the same instant: what a provider said of its failure is known, and counts; a second answer is not needed. */
    private void landedBeside(Landing landing, Underway first, Failure why) {
        switch (landing) {
            case Came(Underway failing, Outcome.Failed failed) -> {
                attempts.failed(failing, failed);
                if (isHedge(failing)) {
                    tell(first, failing.send(), HedgeStep.FAILED);
                }
            }
            case Came(Underway cut, Outcome.CutShort(Failure failure)) -> giveUp(cut, first, failure);
            case Came(Underway answered, Outcome outcome) -> {
                Race.clearAway(landing);
                giveUp(answered, first, why);
            }
            case Broke(Underway broken, Throwable thrown) ->
                giveUp(broken, first, thrown instanceof InterruptedException ? CALLED_OFF : why);
        }
    }

    private static boolean isHedge(Underway underway) {
        return underway.send().reason() == AttemptReason.HEDGE;
    }

    private void tell(Underway first, Send to, HedgeStep step) {
        progress.tell(new CallEvent.Hedged(
                progress.time().now(),
                progress.call().id(),
                first.target(),
                progress.candidate(to.candidate()).target(),
                step));
    }
}
