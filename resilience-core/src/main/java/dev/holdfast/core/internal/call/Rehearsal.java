package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Rejection;
import dev.holdfast.core.internal.call.Admission.Ask;
import dev.holdfast.core.internal.call.NextMove.Send;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A call as it would go if every attempt failed so that the next target may help: decided by the rules and the guards of a call
 * that is made, with nothing sent and nothing taken. By one thread.
 */
final class Rehearsal {
    private static final Failure SLOW = Failure.of(
            FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.AMBIGUOUS, "another attempt goes beside it");

    private final Services services;
    private final Ask ask;
    private final List<Step> steps = new ArrayList<>();
    private final List<Step> later = new ArrayList<>();
    private CallState state;
    private Optional<First> first = Optional.empty();

    private Rehearsal(Services services, Ask ask, CallState begun) {
        this.services = services;
        this.ask = ask;
        this.state = begun;
    }

    /**
     * Somewhere the call came to.
     *
     * @param candidate where
     * @param skipped why nothing would be sent there; empty if an attempt would
     */
    record Step(Candidate candidate, Optional<Rejection> skipped) {}

    /**
     * The call's first attempt.
     *
     * @param candidate where it would go
     * @param after how long the call would wait for it at least
     * @param state the call just before
     * @param index where it would go, in that state
     */
    record First(Candidate candidate, Duration after, CallState state, int index) {}

    /** Plays a call from its beginning. */
    static Rehearsal of(Services services, Ask ask, CallState begun) {
        var rehearsal = new Rehearsal(services, ask, begun);
        if (!begun.candidates().isEmpty()) {
            rehearsal.play();
        }
        return rehearsal;
    }

    /** Where the call came, in order; each candidate once. */
    List<Step> steps() {
        return steps;
    }

    /** What it would come back to once the others have failed. */
    List<Step> later() {
        return later;
    }

    /** Where its first attempt would go; empty if it would end with nothing sent. */
    Optional<First> first() {
        return first;
    }

    private void play() {
        Moves moves = services.movesFor(ask.call());
        while (next(moves) instanceof Send send) {
            boolean back = !state.tracks().get(send.candidate()).isUntried();
            if (back && send.delay().isPositive()) {
                found(send.candidate(), send.delay());
                return;
            }
            if (back) {
                state = state.rested(send.delay());
            }
            go(send.candidate(), back);
        }
    }

    private NextMove next(Moves moves) {
        NextMove move = moves.next(state);
        if (!(move instanceof Send send) || !state.isNewThere(send.candidate())) {
            return move;
        }
        state = services.routes().arrived(state, send.candidate(), ask, services.routes()::mayBeTried);
        return moves.next(state);
    }

    private void go(int index, boolean back) {
        Candidate candidate = state.candidates().get(index);
        Optional<Rejection> skipped = services.admission().outlook(candidate, state, index, ask);
        if (skipped.isPresent()) {
            if (!back) {
                steps.add(new Step(candidate, skipped));
            }
            state = state.rejected(index, skipped.get());
            return;
        }
        found(index, Duration.ZERO);
        if (back) {
            steps.removeIf(step -> step.candidate().equals(candidate));
            later.add(new Step(candidate, skipped));
        } else {
            steps.add(new Step(candidate, skipped));
        }
        state = state.retryRefused(index);
    }

    private void found(int index, Duration after) {
        if (first.isEmpty()) {
            first = Optional.of(new First(state.candidates().get(index), after, state, index));
        }
    }

    /** Where a hedge of the first attempt would go, and how long after its start. */
    Optional<Hedge> hedge() {
        return first.filter(each -> each.after().isZero())
                .flatMap(slow -> services.hedgingOf(ask.call()).flatMap(hedging -> hedge(slow, hedging)));
    }

    /**
     * A hedge.
     *
     * @param candidate where it would go
     * @param after how long after the start of the first attempt
     */
    record Hedge(Candidate candidate, Duration after) {}

    private Optional<Hedge> hedge(First slow, Hedging hedging) {
        Optional<HedgeRule> rule = hedging.after(
                        slow.candidate().target(), ask.call().request().streaming())
                .map(after -> new HedgeRule(services.setup().retry(), after));
        if (rule.isEmpty()) {
            return Optional.empty();
        }
        var impatient = new Ask(ask.call(), ask.spending(), availableIn -> {}, false);
        CallState seen = slow.state().started().givenUp(slow.index(), attempt(slow.candidate()));
        for (Optional<Send> to = next(rule.get(), seen); to.isPresent(); to = next(rule.get(), seen)) {
            int index = to.get().candidate();
            Candidate candidate = seen.candidates().get(index);
            if (services.admission().outlook(candidate, seen, index, impatient).isEmpty()) {
                return Optional.of(new Hedge(candidate, to.get().delay()));
            }
            seen = seen.passedOver(index);
        }
        return Optional.empty();
    }

    private static Optional<Send> next(HedgeRule rule, CallState seen) {
        return rule.next(seen).map(Send.class::cast);
    }

    /** What the slow one may cost counts already. */
    private Attempt attempt(Candidate slow) {
        return new Attempt(
                1,
                AttemptReason.FIRST,
                slow.target(),
                Optional.empty(),
                services.setup().timekeeper().now(),
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(SLOW),
                Optional.empty(),
                Optional.of(ask.spending().possible(slow.model())));
    }
}
