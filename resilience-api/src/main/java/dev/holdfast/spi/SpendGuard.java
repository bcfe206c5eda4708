package dev.holdfast.spi;

import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import java.time.Duration;
import java.util.Optional;

/**
 * Lets an attempt through or refuses it by what it may cost: budgets.
 *
 * <p>Asked before every attempt, retries included, by the thread of the call, when cooldown and breaker would let it through
 * and before limits are reserved; must not block. What it throws ends the call. A refusal is a rejection of that target alone
 * ({@link dev.holdfast.FailureKind#COST_LIMIT}): a call goes on to a model of its route that fits.
 */
@FunctionalInterface
public interface SpendGuard {
    /**
     * Sets aside what an attempt may cost, so that attempts at the same time cannot pass a budget together.
     *
     * @param request the attempt
     * @return what was set aside, or a refusal that set nothing aside
     */
    Decision reserve(SpendRequest request);

    /**
     * An attempt that is about to be made.
     *
     * @param options the call's options, the client's defaults included
     * @param target where it goes
     * @param most what it may cost by the estimate; empty where the price is unknown
     */
    record SpendRequest(CallOptions options, Target target, Optional<Cost> most) {}

    /** Whether the attempt may be made. */
    sealed interface Decision {}

    /**
     * It may.
     *
     * @param reservation what was set aside for it
     */
    record Granted(Reservation reservation) implements Decision {}

    /**
     * It may not.
     *
     * @param budget the name of the budget that it would pass
     * @param availableIn how long until the budget begins anew; empty if it would not fit then either
     */
    record Refused(String budget, Optional<Duration> availableIn) implements Decision {}

    /** What was set aside for one attempt. */
    @FunctionalInterface
    interface Reservation {
        /**
         * Takes the place of what was set aside. Called once, when the attempt has ended, by any thread; later calls do nothing.
         *
         * @param spend what the attempt used and cost; empty for nothing. Where its cost is unknown, what was set aside counts
         */
        void settle(Optional<Spend> spend);
    }
}
