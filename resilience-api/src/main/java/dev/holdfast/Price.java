package dev.holdfast;

import java.math.BigDecimal;

/**
 * What a model costs, in US dollars per 1,000,000 tokens, exact.
 *
 * @param input uncached input
 * @param cachedInput input read from the vendor's prompt cache
 * @param cacheWrite input written to the vendor's prompt cache
 * @param output output, reasoning included
 */
public record Price(BigDecimal input, BigDecimal cachedInput, BigDecimal cacheWrite, BigDecimal output) {
    /** Refuses negative prices. */
    public Price {
        notNegative("input", input);
        notNegative("cachedInput", cachedInput);
        notNegative("cacheWrite", cacheWrite);
        notNegative("output", output);
    }

    /**
     * {@return one price for every token}
     *
     * @param perMillion US dollars per 1,000,000 tokens
     */
    public static Price blended(BigDecimal perMillion) {
        return new Price(perMillion, perMillion, perMillion, perMillion);
    }

    /**
     * {@return a price whose cache writes cost what uncached input costs}
     *
     * @param input US dollars per 1,000,000 uncached input tokens
     * @param cachedInput US dollars per 1,000,000 cached input tokens
     * @param output US dollars per 1,000,000 output tokens
     */
    public static Price split(BigDecimal input, BigDecimal cachedInput, BigDecimal output) {
        return new Price(input, cachedInput, input, output);
    }

    /**
     * {@return what these tokens cost, exactly}
     *
     * @param usage the tokens
     */
    public Cost of(Usage usage) {
        BigDecimal sum = times(input, usage.input())
                .add(times(cachedInput, usage.cachedInput()))
                .add(times(cacheWrite, usage.cacheWrite()))
                .add(times(output, usage.output()));
        return new Cost(sum.movePointLeft(6));
    }

    private static BigDecimal times(BigDecimal perMillion, long tokens) {
        return perMillion.multiply(BigDecimal.valueOf(tokens));
    }

    private static void notNegative(String name, BigDecimal value) {
        if (value.signum() < 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
        }
    }
}
