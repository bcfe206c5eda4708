package dev.holdfast.gateway.internal.access;

import dev.holdfast.ModelRequest;
import dev.holdfast.Priority;
import dev.holdfast.Usage;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.gateway.internal.api.ProblemException;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The requests and tokens a minute of each key. A call that would pass them is refused at once. Safe for use by many threads. */
public final class KeyLimits {
    private final Map<String, RateLimiter> byKey = new LinkedHashMap<>();
    private final Timekeeper time;
    private final TokenEstimator estimator = TokenEstimator.lexical();

    /**
     * Creates the limits.
     *
     * @param keys the keys
     * @param time where time comes from
     * @param earlier whose counts it goes on with, by the names of keys
     */
    public KeyLimits(List<AccessKey> keys, Timekeeper time, Optional<KeyLimits> earlier) {
        this.time = time;
        for (AccessKey key : keys) {
            LimitPolicy policy = LimitPolicy.defaults();
            if (key.rpm().isPresent()) {
                policy = policy.withRpm(key.rpm().getAsLong());
            }
            if (key.tpm().isPresent()) {
                policy = policy.withTpm(key.tpm().getAsLong());
            }
            if (policy.limitsAnything()) {
                byKey.put(key.name(), limiter(key.name(), policy, earlier));
            }
        }
    }

    /** What counted counts, also where the limit changed. */
    private RateLimiter limiter(String name, LimitPolicy policy, Optional<KeyLimits> earlier) {
        RateLimiter known = earlier.map(each -> each.byKey.get(name)).orElse(null);
        if (known == null) {
            return RateLimiter.of("key " + name, policy, time);
        }
        if (!known.policy().equals(policy)) {
            known.change(policy);
        }
        return known;
    }

    /**
     * Takes a call's share.
     *
     * @param key whose call it is
     * @param request what is asked
     * @return gives back what was not used
     */
    public Share take(Optional<AccessKey> key, ModelRequest request) {
        return take(key, () -> estimator.estimate(request));
    }

    /**
     * Takes the share of a request that uses no tokens.
     *
     * @param key whose request it is
     */
    public void takeRequest(Optional<AccessKey> key) {
        take(key, () -> new TokenEstimate(0, 0)).settle(Optional.empty());
    }

    private Share take(Optional<AccessKey> key, Supplier<TokenEstimate> estimate) {
        RateLimiter limiter = key.map(each -> byKey.get(each.name())).orElse(null);
        if (limiter == null) {
            return Share.NONE;
        }
        return switch (limiter.tryAcquire(estimate.get(), Priority.INTERACTIVE)) {
            case RateLimiter.Granted(RateLimiter.Reservation reservation) -> new Share(Optional.of(reservation));
            case RateLimiter.Refused refused -> throw refusal(refused);
        };
    }

    private static ProblemException refusal(RateLimiter.Refused refused) {
        ProblemException problem = ProblemException.of(
                429,
                "rate_limit_error",
                "rate_limit_exceeded",
                "the limit of your key is reached (" + refused.cause() + ")");
        Optional<Duration> in = refused.availableIn();
        return in.isEmpty()
                ? problem
                : problem.withHeader(
                        "retry-after", Long.toString(Math.max(1, (in.get().toMillis() + 999) / 1000)));
    }

    /**
     * A call's share of a key's limit. For one thread.
     *
     * @param reservation what was taken; empty where nothing is limited
     */
    public record Share(Optional<RateLimiter.Reservation> reservation) {
        private static final Share NONE = new Share(Optional.empty());

        /**
         * The call is over.
         *
         * @param usage what it used; where that is not known, the estimate counts
         */
        public void settle(Optional<Usage> usage) {
            reservation.ifPresent(taken ->
                    usage.ifPresentOrElse(used -> taken.settle(used.totalInput(), used.output()), taken::settle));
        }

        /** Nothing was asked of a provider. */
        public void giveBack() {
            reservation.ifPresent(RateLimiter.Reservation::cancel);
        }
    }
}
