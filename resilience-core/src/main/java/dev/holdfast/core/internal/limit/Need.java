package dev.holdfast.core.internal.limit;

/**
 * What one request takes, beside itself. Amounts beyond any limit are cut, so that sums of them stay far from overflow.
 *
 * @param input input tokens
 * @param output output tokens
 */
public record Need(long input, long output) {
    /** Larger than any limit may be. */
    private static final long MOST = 1L << 50;

    public static final Need NOTHING = new Need(0, 0);

    public Need {
        input = Math.min(MOST, Math.max(0, input));
        output = Math.min(MOST, Math.max(0, output));
    }

    public long total() {
        return input + output;
    }

    long of(Weight weight) {
        return switch (weight) {
            case REQUESTS -> 1;
            case TOKENS -> total();
            case INPUT -> input;
            case OUTPUT -> output;
        };
    }

    /** {@return what this has beyond the other} */
    Need beyond(Need other) {
        return new Need(input - other.input, output - other.output);
    }

    boolean isNothing() {
        return input == 0 && output == 0;
    }

    /** {@return as much in all, of which the given amount went in} */
    public Need withTotal(long actual) {
        long in = Math.min(input, Math.max(0, actual));
        return output == 0 ? new Need(actual, 0) : new Need(in, actual - in);
    }
}
