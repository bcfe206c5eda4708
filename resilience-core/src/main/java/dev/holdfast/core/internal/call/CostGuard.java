package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Price;
import dev.holdfast.Rejection;
import dev.holdfast.Usage;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Rejects the attempt that could take a call past its maximal cost: what it may cost by the estimate, and what lost attempts
 * may have cost already. Where a maximum is set, a target of unknown price is rejected too, since nothing can be promised.
 */
final class CostGuard {
    private final PriceSource prices;
    private final Timekeeper time;

    CostGuard(PriceSource prices, Timekeeper time) {
        this.prices = prices;
        this.time = time;
    }

    Optional<Rejection> rejection(
            Candidate candidate, CallState state, Supplier<TokenEstimate> estimate, CallOptions options) {
        return options.maxCostUsd()
                .filter(most -> passes(most, candidate, state, estimate))
                .map(most -> new Rejection(candidate.target(), FailureKind.COST_LIMIT, Optional.empty()));
    }

    private boolean passes(BigDecimal most, Candidate candidate, CallState state, Supplier<TokenEstimate> estimate) {
        Optional<Cost> next = cost(candidate.target().model(), estimate.get());
        if (next.isEmpty()) {
            return true;
        }
        Cost sum = next.get();
        for (Attempt attempt : state.attempts()) {
            if (attempt.failure().filter(Failure::mayHaveBeenBilled).isPresent()) {
                sum = sum.plus(cost(attempt.target().model(), estimate.get()).orElse(Cost.ZERO));
            }
        }
        return sum.usd().compareTo(most) > 0;
    }

    private Optional<Cost> cost(String model, TokenEstimate estimate) {
        Optional<Price> price = prices.price(model, time.now());
        return price.map(each -> each.of(Usage.of(estimate.input(), estimate.output())));
    }
}
