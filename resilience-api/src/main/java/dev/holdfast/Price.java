package dev.holdfast;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * What a model costs, in US dollars, exact: {@link Rates} per 1,000,000 tokens, other rates for long requests, and a fee for
 * each request where the vendor takes one.
 *
 * <p>Vendors that charge more for a long context charge <em>all</em> tokens of such a request at the higher rates, not only
 * those beyond the bound; so does {@link #of}. Immutable.
 *
 * @param rates what tokens cost
 * @param longContext other rates for long requests, by rising bound; empty for none
 * @param perRequest US dollars for each answered request
 */
public record Price(Rates rates, List<Tier> longContext, BigDecimal perRequest) {
    /** Refuses a negative fee and bounds that do not rise. */
    public Price {
        notNegative("perRequest", perRequest);
        longContext = List.copyOf(longContext);
        for (int i = 1; i < longContext.size(); i++) {
            if (longContext.get(i).above() <= longContext.get(i - 1).above()) {
                throw new IllegalArgumentException(
                        "longContext: " + longContext.get(i).above() + " after "
                                + longContext.get(i - 1).above() + " (expected: rising bounds)");
            }
        }
    }

    /**
     * US dollars per 1,000,000 tokens.
     *
     * @param input uncached input
     * @param cachedInput input read from the vendor's prompt cache
     * @param cacheWrite input written to the vendor's prompt cache
     * @param output output that is no reasoning
     * @param reasoning output that is reasoning
     */
    public record Rates(
            BigDecimal input, BigDecimal cachedInput, BigDecimal cacheWrite, BigDecimal output, BigDecimal reasoning) {
        /** Refuses negative rates. */
        public Rates {
            notNegative("input", input);
            notNegative("cachedInput", cachedInput);
            notNegative("cacheWrite", cacheWrite);
            notNegative("output", output);
            notNegative("reasoning", reasoning);
        }

        /**
         * {@return rates whose cached input and cache writes cost what uncached input costs, and reasoning what output costs}
         *
         * @param input US dollars per 1,000,000 input tokens
         * @param output US dollars per 1,000,000 output tokens
         */
        public static Rates of(BigDecimal input, BigDecimal output) {
            return new Rates(input, input, input, output, output);
        }

        private BigDecimal of(Usage usage) {
            long reasoned = Math.min(usage.reasoning(), usage.output());
            return times(input, usage.input())
                    .add(times(cachedInput, usage.cachedInput()))
                    .add(times(cacheWrite, usage.cacheWrite()))
                    .add(times(output, usage.output() - reasoned))
                    .add(times(reasoning, reasoned))
                    .movePointLeft(6);
        }

        private static BigDecimal times(BigDecimal perMillion, long tokens) {
            return perMillion.multiply(BigDecimal.valueOf(tokens));
        }
    }

    /**
     * Rates of long requests.
     *
     * @param above the rates hold for requests of more input tokens than this, cached ones included; not negative
     * @param rates what each token of such a request costs
     */
    public record Tier(long above, Rates rates) {
        /** Refuses a negative bound. */
        public Tier {
            Checks.notNegative("above", above);
        }
    }

    /**
     * {@return a price by rates alone}
     *
     * @param rates what tokens cost
     */
    public static Price of(Rates rates) {
        return new Price(rates, List.of(), BigDecimal.ZERO);
    }

    /**
     * {@return one price for every token}
     *
     * @param perMillion US dollars per 1,000,000 tokens
     */
    public static Price blended(BigDecimal perMillion) {
        return of(Rates.of(perMillion, perMillion));
    }

    /**
     * {@return a price whose cache writes cost what uncached input costs, and reasoning what output costs}
     *
     * @param input US dollars per 1,000,000 uncached input tokens
     * @param cachedInput US dollars per 1,000,000 cached input tokens
     * @param output US dollars per 1,000,000 output tokens
     */
    public static Price split(BigDecimal input, BigDecimal cachedInput, BigDecimal output) {
        return of(new Rates(input, cachedInput, input, output, output));
    }

    /**
     * {@return this price with other rates for requests longer than those so far}
     *
     * @param above the rates hold for requests of more input tokens than this
     * @param longer the rates
     */
    public Price withLongContext(long above, Rates longer) {
        var tiers = new ArrayList<>(longContext);
        tiers.add(new Tier(above, longer));
        return new Price(rates, tiers, perRequest);
    }

    /**
     * {@return the rates of a request}
     *
     * @param inputTokens all its input tokens, cached ones included
     */
    public Rates ratesFor(long inputTokens) {
        Rates applicable = rates;
        for (Tier tier : longContext) {
            applicable = inputTokens > tier.above() ? tier.rates() : applicable;
        }
        return applicable;
    }

    /**
     * {@return what one answer of these tokens costs, exactly}
     *
     * @param usage the tokens
     */
    public Cost of(Usage usage) {
        return new Cost(ratesFor(usage.totalInput()).of(usage).add(perRequest));
    }

    private static void notNegative(String name, BigDecimal value) {
        if (value.signum() < 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
        }
    }
}
