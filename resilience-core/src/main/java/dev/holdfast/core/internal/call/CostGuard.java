package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.FailureKind;
import dev.holdfast.Rejection;
import dev.holdfast.spi.SpendGuard;
import dev.holdfast.spi.SpendGuard.Granted;
import dev.holdfast.spi.SpendGuard.Refused;
import dev.holdfast.spi.SpendGuard.Reservation;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * Rejects the attempt that could take a call past its maximal cost, or a budget past its end: what it may cost by the
 * estimate, and what the call's earlier attempts cost or may have cost. Where a maximum is set, a target of unknown price is
 * rejected too, since nothing can be promised.
 */
final class CostGuard {
    private static final Reservation NOTHING = spend -> {};

    private final Optional<SpendGuard> budgets;

    CostGuard(Optional<SpendGuard> budgets) {
        this.budgets = budgets;
    }

    /** Whether a budget lets the attempt through, or why not. */
    sealed interface Decision {}

    /**
     * It does.
     *
     * @param reservation what was set aside
     */
    record Allowed(Reservation reservation) implements Decision {}

    /**
     * It does not.
     *
     * @param rejection why
     */
    record Denied(Rejection rejection) implements Decision {}

    /** The call's own maximum. */
    Optional<Rejection> rejection(Candidate candidate, CallState state, Spending spending, CallOptions options) {
        return options.maxCostUsd()
                .filter(most -> passes(most, candidate, state, spending))
                .map(most -> new Rejection(candidate.target(), FailureKind.COST_LIMIT, Optional.empty()));
    }

    /** The budgets, which it asks last: what they set aside is kept from others. */
    Decision reserve(Candidate candidate, Spending spending, CallOptions options) {
        if (budgets.isEmpty()) {
            return new Allowed(NOTHING);
        }
        return switch (budgets.get().reserve(spending.requestFor(candidate, options))) {
            case Granted(Reservation reservation) -> new Allowed(reservation);
            case Refused refused ->
                new Denied(new Rejection(
                        candidate.target(),
                        FailureKind.COST_LIMIT,
                        refused.availableIn(),
                        Optional.of(refused.budget())));
        };
    }

    private static boolean passes(BigDecimal most, Candidate candidate, CallState state, Spending spending) {
        Optional<Cost> next = spending.most(candidate.model());
        if (next.isEmpty()) {
            return true;
        }
        Cost sum = next.get();
        for (Attempt attempt : state.attempts()) {
            sum = sum.plus(attempt.spend().flatMap(spent -> spent.cost()).orElse(Cost.ZERO));
        }
        return sum.usd().compareTo(most) > 0;
    }
}
