package dev.holdfast.core.internal.call;

import dev.holdfast.CallOptions;
import dev.holdfast.Delivery;
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
import dev.holdfast.core.internal.health.Health;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.SpendGuard.Reservation;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lets an attempt through or rejects it, before anything is sent. In this order: whether the model can hold the request, what the
 * call may cost, what was ordered by hand, the cooldown, a look at the breaker, the budgets, the limits (waiting for them only where no other target is free), the
 * breaker's permit; money and limits that were reserved go back if a later step refuses after all.
 */
final class Admission {
    /** How long an account rests, softly, when the provider does not say. */
    private static final Duration ASSUMED_COOLDOWN = Duration.ofSeconds(60);

    private final Breakers breakers;
    private final ControlBoard control;
    private final TargetLimits limits;
    private Cooldowns cooldowns;
    private final CostGuard costs;
    private final Health health;
    private final boolean limitsSpeak;
    private final Timekeeper time;

    Admission(Setup setup, Breakers breakers, ControlBoard control, Health health) {
        this.health = health;
        this.limitsSpeak = setup.retry().cooldowns();
        this.time = setup.timekeeper();
        this.breakers = breakers;
        this.control = control;
        this.limits = new TargetLimits(setup.models().values(), time);
        this.cooldowns = new Cooldowns(time);
        this.costs = new CostGuard(setup.spendGuard());
    }

    /** Goes on with the limits and the cooldowns of an earlier client. Before anything is asked. */
    void continueFrom(Admission earlier) {
        cooldowns = earlier.cooldowns;
        limits.continueFrom(earlier.limits);
    }

    /** Whether an attempt may go, or why not. */
    sealed interface Decision {}

    /**
     * It may not.
     *
     * @param rejection why
     * @param mayBeAwaited whether the call may wait until it ends, where it says when
     */
    record Refused(Rejection rejection, boolean mayBeAwaited) implements Decision {
        Refused(Rejection rejection) {
            this(rejection, true);
        }
    }

    /**
     * It may. What was taken for it comes back when the attempt ends, and only the first end counts.
     *
     * @param permit the breaker's; empty where there is no breaker
     * @param reservation the limits'
     * @param money what budgets set aside
     * @param flight what hears how the target does
     */
    record Admitted(Optional<Permit> permit, TargetLimits.Reserved reservation, Reservation money, Health.Flight flight)
            implements Decision {
        /** The answer is there, or a stream has begun. */
        void arrived() {
            flight.arrived();
        }

        /**
         * What the failure says of the target's health. Before any of the ends. What was never sent says nothing, unless it
         * could not be.
         *
         * @param repeated whether the call failed there before
         */
        void tells(Failure failure, boolean repeated) {
            if (failure.delivery() != Delivery.NEVER_SENT || failure.kind() == FailureKind.CONNECTION) {
                flight.failed(failure.kind(), failure.suggestedDelay(), repeated);
            }
        }

        void succeeded(Optional<Usage> usage) {
            flight.succeeded();
            permit.ifPresent(Permit::succeeded);
            reservation.settle(usage);
        }

        void failed(Failure failure, boolean repeated) {
            flight.ignored();
            permit.ifPresent(each -> each.failed(new FailureReport(repeated, failure.suggestedDelay())));
            reservation.settle(failure);
        }

        void ignored(Failure failure) {
            flight.ignored();
            permit.ifPresent(Permit::ignored);
            reservation.settle(failure);
        }

        /** Cancelled on its way: what was reserved may have been used. */
        void ignored() {
            flight.ignored();
            permit.ifPresent(Permit::ignored);
            reservation.settleAsReserved();
        }

        /** The answer begins to come in, and how long the rest of it takes says nothing of the target. */
        void begun() {
            permit.ifPresent(Permit::answerBegan);
        }

        /** The headers of the answer said this. Before any of the ends. */
        void heard(RateLimitSnapshot snapshot) {
            reservation.heard(snapshot);
        }

        void neverSent() {
            flight.ignored();
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
     * @param call the call
     * @param spending what it may use
     * @param queued hears that it waits for a limit, and for how long at most, where that is known
     * @param patient whether it may wait for a limit, and look past a rest that nobody asked for
     */
    record Ask(Call call, Spending spending, Consumer<Optional<Duration>> queued, boolean patient) {
        /** For an attempt that the call needs. */
        static Ask patient(Progress progress, Consumer<Optional<Duration>> queued) {
            return new Ask(progress.call(), progress.spending(), queued, true);
        }

        /** For an attempt that it can do without. */
        static Ask impatient(Progress progress) {
            return new Ask(progress.call(), progress.spending(), availableIn -> {}, false);
        }

        CallOptions options() {
            return call.options();
        }
    }

    Decision admit(Candidate candidate, CallState state, int index, Ask ask) throws InterruptedException {
        Optional<Rejection> rejection = outlook(candidate, state, index, ask);
        if (rejection.isPresent()) {
            return new Refused(rejection.get());
        }
        return switch (costs.reserve(candidate, ask.spending(), ask.options())) {
            case CostGuard.Denied(Rejection denied) -> new Refused(denied);
            case CostGuard.Allowed(Reservation money) -> withMoney(candidate, state, index, ask, money);
        };
    }

    /**
     * Whether an attempt would go now, without taking anything for it: what limits and budgets would say is not asked. Of what ends
     * by itself, that which ends last is told: until then nothing goes.
     */
    Optional<Rejection> outlook(Candidate candidate, CallState state, int index, Ask ask) {
        Optional<Rejection> passing = later(
                later(ordered(candidate, state, index), restOf(candidate, state, index, ask)),
                breakers.rejection(candidate));
        return ContextWindow.rejection(candidate, ask.call().request(), ask.spending())
                .or(() -> costs.rejection(candidate, state, ask.spending(), ask.options()))
                .or(() -> passing);
    }

    private static Optional<Rejection> later(Optional<Rejection> one, Optional<Rejection> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        boolean otherIsLater = one.get()
                .availableIn()
                .filter(in -> other.get()
                        .availableIn()
                        .filter(longer -> longer.compareTo(in) > 0)
                        .isPresent())
                .isPresent();
        return otherIsLater ? other : one;
    }

    /** What someone ordered by hand. */
    private Optional<Rejection> ordered(Candidate candidate, CallState state, int index) {
        boolean begins = state.tracks().get(index).attempts() == 0;
        return control.closedFor(candidate.endpoint().name(), begins)
                .map(left -> new Rejection(candidate.target(), FailureKind.OUT_OF_SERVICE, Optional.of(left)));
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
        boolean mayWait = ask.patient() && !state.hasUntriedBeside(index);
        var wish = new TargetLimits.Wish(
                ask.spending()::estimate,
                ask.spending().capsOutput(),
                ask.options().priority().orElse(Priority.INTERACTIVE),
                mayWait,
                state.deadlineNanos(),
                ask.queued());
        return switch (limits.reserve(candidate, wish)) {
            case TargetLimits.Exceeded(Optional<Duration> availableIn, boolean mayBeAwaited) ->
                new Refused(new Rejection(candidate.target(), FailureKind.LIMIT_EXCEEDED, availableIn), mayBeAwaited);
            case TargetLimits.Reserved reserved -> withPermit(candidate, reserved, money);
        };
    }

    private Decision withPermit(Candidate candidate, TargetLimits.Reserved reserved, Reservation money) {
        Optional<CircuitBreaker> breaker = breakers.of(candidate);
        if (breaker.isEmpty()) {
            return new Admitted(Optional.empty(), reserved, money, health.begin(candidate.target(), limitsSpeak));
        }
        return switch (breaker.get().acquire()) {
            case Permit permit ->
                new Admitted(Optional.of(permit), reserved, money, health.begin(candidate.target(), limitsSpeak));
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
    private Optional<Rejection> restOf(Candidate candidate, CallState state, int index, Ask ask) {
        boolean heeds = !ask.patient() || (state.tracks().get(index).attempts() == 0 && state.hasUntriedBeside(index));
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

    /** How long the first of these accounts of one target still rests; empty unless all of them do. */
    Optional<Duration> restOf(List<Candidate> keys) {
        Optional<Duration> shortest = Optional.empty();
        for (Candidate key : keys) {
            Optional<Duration> left = cooldowns
                    .of(key.pool())
                    .or(() -> cooldowns.of(key.account()))
                    .map(cooldown -> Duration.ofNanos(cooldown.untilNanos() - time.nanoTime()));
            if (left.isEmpty()) {
                return left;
            }
            shortest =
                    shortest.filter(known -> known.compareTo(left.get()) <= 0).or(() -> left);
        }
        return shortest;
    }

    boolean isLimited(Candidate candidate) {
        return limits.isLimited(candidate);
    }

    boolean breakerHears(Candidate candidate, Failure failure) {
        return breakers.of(candidate)
                .filter(breaker -> breaker.counts(failure.kind()))
                .isPresent();
    }

    /** Whether the candidate's account rests, be it that the server said so or that we assume it. */
    boolean isResting(Candidate candidate) {
        return cooldowns
                .of(candidate.pool())
                .or(() -> cooldowns.of(candidate.account()))
                .isPresent();
    }

    boolean wouldAdmit(Target target) {
        return control.closedFor(target.endpoint(), true).isEmpty() && breakers.wouldAdmit(target);
    }
}
