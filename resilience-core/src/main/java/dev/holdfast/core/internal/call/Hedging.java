package dev.holdfast.core.internal.call;

import dev.holdfast.Target;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;

/** When the calls of one client are hedged, and what that may cost: the policy, the live latencies, the budgets. */
final class Hedging {
    private final HedgePolicy policy;
    private final Latencies latencies;
    private final Budgets hedges;
    private final Budgets retries;

    Hedging(HedgePolicy policy, Latencies latencies, Budgets retries, Timekeeper time) {
        this.policy = policy;
        this.latencies = latencies;
        this.retries = retries;
        this.hedges = new Budgets(Optional.of(new RetryBudgetPolicy(policy.budget(), policy.reserve())), time);
    }

    /**
     * Whether a call may be executed twice at once. One whose execution does more than cost, and one whose caller gave it a key so
     * that it is executed once, may not: on another target the key is another, and nobody there knows the first.
     */
    static boolean allows(Call call, boolean repeatsNeedKeys) {
        return call.options().hedge().orElse(true)
                && !repeatsNeedKeys
                && call.options().idempotencyKey().isEmpty();
    }

    /** How long an attempt on the target may take until it is hedged; empty while nobody knows how long they take. */
    Optional<Duration> after(Target target, boolean streaming) {
        Optional<Duration> length = policy.delay()
                .or(() -> latencies
                        .of(target, streaming)
                        .quantile(policy.percentile().orElseThrow() / 100, policy.minSamples()));
        return length.map(each -> each.compareTo(policy.floor()) < 0 ? policy.floor() : each);
    }

    /** A first attempt on a target earns a part of a hedge of it. */
    void recordFirstAttempt(Target target) {
        hedges.recordFirstAttempt(target);
    }

    /** A hedge is paid for twice: by the attempts on the slow target, and as added load on the one it goes to. */
    Optional<Target> payFor(Target slow, Target hedge) {
        if (!hedges.tryWithdraw(slow)) {
            return Optional.of(slow);
        }
        if (!retries.tryWithdraw(hedge)) {
            hedges.giveBack(slow);
            return Optional.of(hedge);
        }
        return Optional.empty();
    }

    /** A hedge that was paid for and never sent. */
    void giveBack(Target slow, Target hedge) {
        hedges.giveBack(slow);
        retries.giveBack(hedge);
    }
}
