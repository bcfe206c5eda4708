package dev.holdfast.core.internal.breaker;

import dev.holdfast.core.BreakerWindow;

/** When a window holds too many failures or slow calls. */
final class Rates {
    private static final double NEVER = 2;
    /** Further from one than rounding leads. */
    private static final double CLEARLY_BELOW = 1 - 1e-9;

    private final int minimumCalls;
    private final double failureRate;
    private final double slowCallRate;

    Rates(BreakerWindow window) {
        this.minimumCalls = window.minimumCalls();
        this.failureRate = window.failureRate();
        this.slowCallRate =
                window.slowCalls().map(BreakerWindow.SlowCalls::rate).orElse(NEVER);
    }

    /** A quotient of whole numbers is the double nearest to it, so a rate that is exactly reached is reached. */
    boolean metBy(long calls, long failures, long slow) {
        return calls >= minimumCalls && (reaches(failures, calls, failureRate) || reaches(slow, calls, slowCallRate));
    }

    private static boolean reaches(long some, long all, double rate) {
        // A division takes as long as an atomic operation; what is clearly below needs none.
        return some != 0 && some >= rate * CLEARLY_BELOW * all && (double) some / all >= rate;
    }

    boolean failuresMeet(Sums sums) {
        return reaches(sums.failures(), sums.calls(), failureRate);
    }
}
