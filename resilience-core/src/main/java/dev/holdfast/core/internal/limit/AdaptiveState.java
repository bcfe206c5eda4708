package dev.holdfast.core.internal.limit;

import dev.holdfast.core.AdaptivePolicy;
import dev.holdfast.core.AdaptivePolicy.Algorithm;

/**
 * An adaptive limit at one moment, and how it goes on after each attempt.
 *
 * <p>A drop multiplies the limit by {@code decrease}, once for all attempts that were under way at that time. Any other end lets
 * the limit grow only if at least half of it was in use: an application that asks for little proves nothing.
 *
 * <p>{@code AIMD}: each end adds {@code 1 / limit}, so that a limit in full use grows by one in the time of one attempt.
 *
 * <p>{@code GRADIENT}: compares two means of latency, since answers of a model differ in length by far more than by load. The
 * usual one is learned from {@value #LEARNED} ends at a quiet limit, that is at the beginning, and again after every
 * {@value #RUN} ends at half the limit of then; the recent one is an exponential mean. In the time of one attempt the limit goes to
 * {@code limit * gradient + sqrt(limit)}, where the gradient is {@code tolerance * usual / recent} within 0.5 and 1. If the usual
 * latency were learned while the limit is in full use, it would follow the overload it is to reveal.
 *
 * @param policy the rule
 * @param exact the limit, with its fraction
 * @param usualNanos the mean latency at a quiet limit
 * @param recentNanos the mean latency of late
 * @param ends how many ends were heard since the limit was last made quiet
 * @param quietedNanos what began before says nothing of the limit of now
 * @param quieted whether it was ever lowered
 */
public record AdaptiveState(
        AdaptivePolicy policy,
        double exact,
        double usualNanos,
        double recentNanos,
        int ends,
        long quietedNanos,
        boolean quieted) {
    static final int LEARNED = 50;
    static final int RUN = 2_000;
    private static final double MOST_STEP = 0.2;
    private static final double LEAST_GRADIENT = 0.5;
    private static final double QUIET = 0.5;

    public static AdaptiveState initial(AdaptivePolicy policy) {
        return new AdaptiveState(policy, policy.initial(), 0, 0, 0, 0, false);
    }

    public long limit() {
        return (long) exact;
    }

    /**
     * {@return the state after an attempt}
     *
     * @param inFlight how many were in flight as it ended, with it
     * @param startedNanos when it began
     * @param nowNanos when it ended
     * @param dropped whether the provider dropped it
     */
    public AdaptiveState after(long inFlight, long startedNanos, long nowNanos, boolean dropped) {
        long took = Math.max(1, nowNanos - startedNanos);
        boolean slow = policy.slow().isPresent() && took > policy.slow().get().toNanos();
        boolean old = quieted && startedNanos - quietedNanos < 0;
        if (dropped || slow) {
            return old ? this : lowered(policy.decrease(), ends, nowNanos);
        }
        if (policy.algorithm() == Algorithm.AIMD) {
            return withLimit(exact + 1 / exact, inFlight);
        }
        return old ? this : learned(took).run(inFlight, nowNanos);
    }

    private AdaptiveState lowered(double factor, int heard, long nowNanos) {
        return new AdaptiveState(policy, within(exact * factor), usualNanos, recentNanos, heard, nowNanos, true);
    }

    private AdaptiveState learned(long took) {
        double usual = ends >= LEARNED ? usualNanos : ends == 0 ? took : usualNanos + (took - usualNanos) / (ends + 1);
        double recent = ends < LEARNED ? usual : recentNanos + step() * (took - recentNanos);
        return new AdaptiveState(policy, exact, usual, recent, ends + 1, quietedNanos, quieted);
    }

    private AdaptiveState run(long inFlight, long nowNanos) {
        if (ends <= LEARNED) {
            return this;
        }
        if (ends >= RUN) {
            return lowered(QUIET, 0, nowNanos);
        }
        double gradient = Math.max(LEAST_GRADIENT, Math.min(1, policy.tolerance() * usualNanos / recentNanos));
        return withLimit(exact + step() * (exact * gradient + StrictMath.sqrt(exact) - exact), inFlight);
    }

    /** As many ends as the limit come in the time of one attempt. */
    private double step() {
        return Math.min(MOST_STEP, 1 / exact);
    }

    private AdaptiveState withLimit(double next, long inFlight) {
        boolean used = 2.0 * inFlight >= limit();
        return next > exact && !used
                ? this
                : new AdaptiveState(policy, within(next), usualNanos, recentNanos, ends, quietedNanos, quieted);
    }

    private double within(double limit) {
        return Math.max(policy.min(), Math.min(policy.max(), limit));
    }
}
