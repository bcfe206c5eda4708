package dev.holdfast.core.internal.limit;

import dev.holdfast.core.AdaptivePolicy;

/**
 * An adaptive limit at one moment, and how it goes on after each attempt.
 *
 * <p>A drop multiplies the limit by {@code decrease}, once for all attempts that were under way at that time. Any other end lets
 * the limit grow only if at least half of it was in use: an application that asks for little proves nothing.
 *
 * <p>{@code AIMD}: each end adds {@code 1 / limit}, so that a limit in full use grows by one in the time of one attempt.
 * {@code GRADIENT}: the limit goes, by a fifth of the way, to {@code limit * gradient + sqrt(limit)}, where the gradient is
 * {@code tolerance * usual / latest} within 0.5 and 1, and the usual latency is an exponential mean of about 100 ends.
 *
 * @param policy the rule
 * @param exact the limit, with its fraction
 * @param usualNanos the usual latency; 0 before the first
 * @param loweredNanos when a drop lowered it last
 * @param lowered whether one did
 */
public record AdaptiveState(AdaptivePolicy policy, double exact, double usualNanos, long loweredNanos, boolean lowered) {
    private static final double STEP = 0.2;
    private static final double NEW_PART = 0.01;
    private static final double LEAST_GRADIENT = 0.5;

    public static AdaptiveState initial(AdaptivePolicy policy) {
        return new AdaptiveState(policy, policy.initial(), 0, 0, false);
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
        if (dropped || slow) {
            return lowered && startedNanos - loweredNanos < 0
                    ? this
                    : new AdaptiveState(policy, within(exact * policy.decrease()), usualNanos, nowNanos, true);
        }
        double usual = usualNanos == 0 ? took : usualNanos + NEW_PART * (took - usualNanos);
        double next =
                switch (policy.algorithm()) {
                    case AIMD -> exact + 1 / exact;
                    case GRADIENT -> exact + STEP * (aim(usual, took) - exact);
                };
        boolean grows = next > exact;
        boolean used = 2.0 * inFlight >= limit();
        return new AdaptiveState(policy, grows && !used ? exact : within(next), usual, loweredNanos, lowered);
    }

    private double aim(double usual, long took) {
        double gradient = Math.max(LEAST_GRADIENT, Math.min(1, policy.tolerance() * usual / took));
        return exact * gradient + StrictMath.sqrt(exact);
    }

    private double within(double limit) {
        return Math.max(policy.min(), Math.min(policy.max(), limit));
    }
}
