package dev.holdfast.core;

/**
 * How many retries and hedges a target may get beside its first attempts, so that an outage is not answered with a
 * multiple of the load. The defaults: one for every five first attempts, plus a reserve of 100 that refills over a minute.
 *
 * @param ratio how many retries each first attempt earns, 0 to 10
 * @param reserve how many retries are allowed beyond that, refilled over a minute, and how many can be saved up; 0 to
 *     1,000,000. With 0, one can be saved up.
 */
public record RetryBudgetPolicy(double ratio, int reserve) {
    private static final RetryBudgetPolicy DEFAULTS = new RetryBudgetPolicy(0.2, 100);

    /** Refuses values out of range. */
    public RetryBudgetPolicy {
        if (!(ratio >= 0 && ratio <= 10)) {
            throw new IllegalArgumentException("ratio: " + ratio + " (expected: 0 to 10)");
        }
        if (reserve < 0 || reserve > 1_000_000) {
            throw new IllegalArgumentException("reserve: " + reserve + " (expected: 0 to 1000000)");
        }
    }

    /** {@return 20 % of the first attempts, plus 100} */
    public static RetryBudgetPolicy defaults() {
        return DEFAULTS;
    }

    /**
     * {@return this policy with another ratio}
     *
     * @param retries how many retries each first attempt earns
     */
    public RetryBudgetPolicy withRatio(double retries) {
        return new RetryBudgetPolicy(retries, reserve);
    }

    /**
     * {@return this policy with another reserve}
     *
     * @param retries how many retries are allowed beyond the ratio
     */
    public RetryBudgetPolicy withReserve(int retries) {
        return new RetryBudgetPolicy(ratio, retries);
    }
}
