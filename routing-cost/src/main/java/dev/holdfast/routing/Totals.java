package dev.holdfast.routing;

import dev.holdfast.Cost;
import dev.holdfast.Spend;
import dev.holdfast.Usage;

/**
 * What attempts used and cost, exactly, by how certain it is.
 *
 * @param reported what providers reported
 * @param estimated answers whose tokens the provider did not report, as they were estimated
 * @param possible attempts without an answer that may have been billed all the same, as they were estimated
 */
public record Totals(Sum reported, Sum estimated, Sum possible) {
    /** Nothing spent. */
    public static final Totals NONE = new Totals(Sum.NONE, Sum.NONE, Sum.NONE);

    /**
     * A sum over attempts.
     *
     * @param attempts how many
     * @param usage their tokens, each count at most {@link Long#MAX_VALUE}
     * @param cost what those of known price cost
     * @param unpriced how many of them have no known price and are not in the cost
     * @param contradictory how many of them have a usage that contradicts itself
     * @param exact how many of them are facts: reported without contradiction, at a known price
     */
    public record Sum(long attempts, Usage usage, Cost cost, long unpriced, long contradictory, long exact) {
        /** No attempt. */
        public static final Sum NONE = new Sum(0, Usage.NONE, Cost.ZERO, 0, 0, 0);

        Sum plus(Spend spend) {
            return new Sum(
                    attempts + 1,
                    usage.plus(spend.usage()),
                    spend.cost().map(cost::plus).orElse(cost),
                    unpriced + (spend.cost().isEmpty() ? 1 : 0),
                    contradictory + (spend.usage().contradictory() ? 1 : 0),
                    exact + (spend.isExact() ? 1 : 0));
        }

        Sum plus(Sum other) {
            return new Sum(
                    attempts + other.attempts,
                    usage.plus(other.usage),
                    cost.plus(other.cost),
                    unpriced + other.unpriced,
                    contradictory + other.contradictory,
                    exact + other.exact);
        }
    }

    /** {@return how many attempts there are, of whatever certainty} */
    public long attempts() {
        return reported.attempts() + estimated.attempts() + possible.attempts();
    }

    /** {@return how many attempts are known exactly: reported without contradiction, at a known price} */
    public long exactAttempts() {
        return reported.exact();
    }

    /** {@return what was billed as far as it is known: reported and estimated, without what may have been billed} */
    public Cost cost() {
        return reported.cost().plus(estimated.cost());
    }

    /** {@return whether more may have been paid than {@link #cost}: attempts may have been billed, or have no price} */
    public boolean isLowerBound() {
        return possible.attempts() > 0 || reported.unpriced() > 0 || estimated.unpriced() > 0;
    }

    /** {@return whether every attempt is known exactly} */
    public boolean isExact() {
        return exactAttempts() == attempts();
    }

    Totals plus(Spend spend) {
        return switch (spend.basis()) {
            case REPORTED -> new Totals(reported.plus(spend), estimated, possible);
            case ESTIMATED -> new Totals(reported, estimated.plus(spend), possible);
            case POSSIBLE -> new Totals(reported, estimated, possible.plus(spend));
        };
    }

    Totals plus(Totals other) {
        return new Totals(
                reported.plus(other.reported), estimated.plus(other.estimated), possible.plus(other.possible));
    }
}
