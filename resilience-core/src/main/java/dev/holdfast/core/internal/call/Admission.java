package dev.holdfast.core.internal.call;

import dev.holdfast.CallOptions;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Priority;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Rejection;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.Usage;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.CircuitBreaker.FailureReport;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.internal.call.Candidate.Account;
import dev.holdfast.core.internal.control.ControlBoard;
import dev.holdfast.spi.SpendGuard.Reservation;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lets an attempt through or rejects it, before anything is sent. In this order: what was ordered by hand, what the call may
 * cost, the cooldown, a look at the breaker, the budgets, the limits (waiting for them only where no other target is free), the
 * breaker's permit; money and limits that were reserved go back if a later step refuses after all.
 */
final class Admission {
    /** How long an account rests, softly, when the provider does not say. */
    private static final Duration ASSUMED_COOLDOWN = Duration.ofSeconds(60);

    private final Breakers breakers;
    private final ControlBoard control;
    private final TargetLimits limits;
    private final Cooldowns cooldowns;
    private final CostGuard costs;
    private final Timekeeper time;

    Admission(Setup setup, Breakers breakers, ControlBoard control) {
        this.time = setup.timekeeper();
        this.breakers = breakers;
        this.control = control;
        this.limits = new TargetLimits(setup.models().values(), time);
        this.cooldowns = new Cooldowns(time);
        this.costs = new CostGuard(setup.spendGuard());
    }

    /** Whether an attempt may go, or why not. */
    sealed interface Decision {}

    /**
     * It may not.
     *
     * @param rejection why
     */
    record Refused(Rejection rejection) implements Decision {}

    /**
     * It may. What was taken for it comes back when the attempt ends, and only the first end counts.
     *
     * @param permit the breaker's; empty where there is no breaker
     * @param reservation the limits'
     * @param money what budgets set aside
     */
    record Admitted(Optional<Permit> permit, TargetLimits.Reserved reservation, Reservation money) implements Decision {
        void succeeded(Optional<Usage> usage) {
            permit.ifPresent(Permit::succeeded);
            reservation.settle(usage);
        }

        void failed(Failure failure, boolean repeated) {
            permit.ifPresent(each -> each.failed(new FailureReport(repeated, failure.suggestedDelay())));
            reservation.settle(failure);
        }

        void ignored(Failure failure) {
            permit.ifPresent(Permit::ignored);
            reservation.settle(failure);
        }

        /** Cancelled on its way: what was reserved may have been used. */
        void ignored() {
            permit.ifPresent(Permit::ignored);
            reservation.settleAsReserved();
        }

        /** The headers of the answer said this. Before any of the ends. */
        void heard(RateLimitSnapshot snapshot) {
            reservation.heard(snapshot);
        }

        void neverSent() {
            permit.ifPresent(Permit::ignored);
            reservation.giveBack();
            money.settle(Optional.empty());
        }

        /** What it used and cost; empty for nothing. */
        void spent(Optional<Spend> spend) {
            money.settle(spend);
        }
    }

    /**
     * What an attempt asks to be let through with.
     *
     * @param spending what it may use
     * @param options the call's
     * @param queued hears that it waits for a limit, and for how long at most, where that is known
     */
    record Ask(Spending spending, CallOptions options, Consumer<Optional<Duration>> queued) {}

    Decision admit(Candidate candidate, CallState state, int index, Ask ask) throws InterruptedException {
        Optional<Rejection> rejection = ordered(candidate, state, index)
                .or(() -> costs.rejection(candidate, state, ask.spending(), ask.options()))
                .or(() -> restOf(candidate, state, index))
                .or(() -> breakers.rejection(candidate));
        if (rejection.isPresent()) {
            return new Refused(rejection.get());
        }
        return switch (costs.reserve(candidate, ask.spending(), ask.options())) {
            case CostGuard.Denied(Rejection denied) -> new Refused(denied);
            case CostGuard.Allowed(Reservation money) -> withMoney(candidate, state, index, ask, money);
        };
    }

    /** What someone ordered by hand comes first. */
    private Optional<Rejection> ordered(Candidate candidate, CallState state, int index) {
        boolean begins = state.tracks().get(index).attempts() == 0;
        return control.closedFor(candidate.endpoint().name(), begins)
                .map(left -> new Rejection(candidate.target(), FailureKind.CIRCUIT_OPEN, Optional.of(left)));
    }

    /** Whatever refuses or throws from here on, the money goes back. */
    private Decision withMoney(Candidate candidate, CallState state, int index, Ask ask, Reservation money)
            throws InterruptedException {
        Optional<Decision> decision = Optional.empty();
        try {
            decision = Optional.of(withLimits(candidate, state, index, ask, money));
            return decision.get();
        } finally {
            if (decision.filter(Admitted.class::isInstance).isEmpty()) {
                money.settle(Optional.empty());
            }
        }
    }

    private Decision withLimits(Candidate candidate, CallState state, int index, Ask ask, Reservation money)
            throws InterruptedException {
        boolean mayWait = !state.hasUntriedBeside(index);
        var wish = new TargetLimits.Wish(
                ask.spending()::estimate,
                ask.options().priority().orElse(Priority.INTERACTIVE),
                mayWait,
                state.deadlineNanos(),
                ask.queued());
        return switch (limits.reserve(candidate, wish)) {
            case TargetLimits.Exceeded(Optional<Duration> availableIn) ->
                new Refused(new Rejection(candidate.target(), FailureKind.LIMIT_EXCEEDED, availableIn));
            case TargetLimits.Reserved reserved -> withPermit(candidate, reserved, money);
        };
    }

    private Decision withPermit(Candidate candidate, TargetLimits.Reserved reserved, Reservation money) {
        Optional<CircuitBreaker> breaker = breakers.of(candidate);
        if (breaker.isEmpty()) {
            return new Admitted(Optional.empty(), reserved, money);
        }
        return switch (breaker.get().acquire()) {
            case Permit permit -> new Admitted(Optional.of(permit), reserved, money);
            case CircuitBreaker.Open open -> {
                reserved.giveBack();
                yield new Refused(breakers.rejection(candidate, breaker.get(), open));
            }
        };
    }

    /**
     * An assumed rest binds only a call that has another target to go to, and has not been here before; it may come back at
     * once when the others failed.
     */
    private Optional<Rejection> restOf(Candidate candidate, CallState state, int index) {
        boolean heeds = state.tracks().get(index).attempts() == 0 && state.hasUntriedBeside(index);
        return cooldowns
                .of(candidate.pool())
                .or(() -> cooldowns.of(candidate.account()))
                .filter(cooldown -> cooldown.suggested() || heeds)
                .map(cooldown -> {
                    Duration left = Duration.ofNanos(cooldown.untilNanos() - time.nanoTime());
                    Duration binding = cooldown.suggested() ? left : Duration.ZERO;
                    return new Rejection(candidate.target(), FailureKind.COOLING_DOWN, Optional.of(binding));
                });
    }

    /** A provider said that the account is limited, used up or misconfigured. For how long it rests now, if it did not already. */
    Optional<Duration> rest(Candidate candidate, Failure failure) {
        boolean suggested = failure.suggestedDelay().isPresent();
        Duration length = Cooldowns.bounded(failure.suggestedDelay().orElse(ASSUMED_COOLDOWN));
        boolean pooled = failure.kind() == FailureKind.RATE_LIMITED || failure.kind() == FailureKind.QUOTA_EXHAUSTED;
        Account account = pooled ? candidate.pool() : candidate.account();
        return length.isPositive() && cooldowns.start(account, length, failure.kind(), suggested)
                ? Optional.of(length)
                : Optional.empty();
    }

    boolean isLimited(Candidate candidate) {
        return limits.isLimited(candidate);
    }

    boolean breakerHears(Candidate candidate, Failure failure) {
        return breakers.of(candidate)
                .filter(breaker -> breaker.counts(failure.kind()))
                .isPresent();
    }

    boolean wouldAdmit(Target target) {
        return control.closedFor(target.endpoint(), true).isEmpty() && breakers.wouldAdmit(target);
    }
}
