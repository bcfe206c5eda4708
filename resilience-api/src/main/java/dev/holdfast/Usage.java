package dev.holdfast;

/**
 * Tokens of one answer, split so that no token is counted twice, whatever the vendor's own counting.
 *
 * <p>A server may contradict itself: more cached tokens than tokens, a total that is not the sum. Such a usage is kept, each
 * part cut to its whole, and marked: who pays by it knows that it cannot be right.
 *
 * @param input input tokens that were neither read from nor written to the prompt cache
 * @param cachedInput input tokens read from the vendor's prompt cache
 * @param cacheWrite input tokens written to the vendor's prompt cache
 * @param output output tokens, reasoning included
 * @param reasoning how many of the output tokens were reasoning
 * @param contradictory whether the server's own figures contradict each other
 */
public record Usage(long input, long cachedInput, long cacheWrite, long output, long reasoning, boolean contradictory) {
    /** Nothing used. */
    public static final Usage NONE = new Usage(0, 0, 0, 0, 0);

    /** Refuses negative counts. */
    public Usage {
        Checks.notNegative("input", input);
        Checks.notNegative("cachedInput", cachedInput);
        Checks.notNegative("cacheWrite", cacheWrite);
        Checks.notNegative("output", output);
        Checks.notNegative("reasoning", reasoning);
    }

    /**
     * Creates a usage that does not contradict itself.
     *
     * @param input input tokens that were neither read from nor written to the prompt cache
     * @param cachedInput input tokens read from the vendor's prompt cache
     * @param cacheWrite input tokens written to the vendor's prompt cache
     * @param output output tokens, reasoning included
     * @param reasoning how many of the output tokens were reasoning
     */
    public Usage(long input, long cachedInput, long cacheWrite, long output, long reasoning) {
        this(input, cachedInput, cacheWrite, output, reasoning, false);
    }

    /**
     * {@return this usage, marked}
     *
     * @param changed whether the server's own figures contradict each other
     */
    public Usage withContradictory(boolean changed) {
        return new Usage(input, cachedInput, cacheWrite, output, reasoning, changed);
    }

    /**
     * {@return usage without cache and reasoning}
     *
     * @param input input tokens
     * @param output output tokens
     */
    public static Usage of(long input, long output) {
        return new Usage(input, 0, 0, output, 0);
    }

    /** {@return all tokens that went in} */
    public long totalInput() {
        return sum(sum(input, cachedInput), cacheWrite);
    }

    /** {@return all tokens, in and out} */
    public long total() {
        return sum(totalInput(), output);
    }

    /**
     * {@return the sum of both, each count at most {@link Long#MAX_VALUE}; marked if either is}
     *
     * @param other what is added
     */
    public Usage plus(Usage other) {
        return new Usage(
                sum(input, other.input),
                sum(cachedInput, other.cachedInput),
                sum(cacheWrite, other.cacheWrite),
                sum(output, other.output),
                sum(reasoning, other.reasoning),
                contradictory || other.contradictory);
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
