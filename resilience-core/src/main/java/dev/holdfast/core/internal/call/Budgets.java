package dev.holdfast.core.internal.call;

import dev.holdfast.Target;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.core.internal.budget.RetryBudget;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import dev.holdfast.spi.Timekeeper;
import java.util.Optional;

/** The retry budget of each target; without a policy every retry is allowed. */
final class Budgets {
    private static final int MOST_TARGETS = 10_000;

    private final Optional<BoundedRegistry<Target, RetryBudget>> byTarget;

    Budgets(Optional<RetryBudgetPolicy> policy, Timekeeper timekeeper) {
        this.byTarget =
                policy.map(each -> new BoundedRegistry<>(MOST_TARGETS, target -> new RetryBudget(each, timekeeper)));
    }

    void recordFirstAttempt(Target target) {
        byTarget.ifPresent(registry -> registry.get(target).recordFirstAttempt());
    }

    boolean tryWithdraw(Target target) {
        return byTarget.map(registry -> registry.get(target).tryWithdraw()).orElse(true);
    }

    /** A retry that was paid for and never sent. */
    void giveBack(Target target) {
        byTarget.ifPresent(registry -> registry.get(target).giveBack());
    }
}
