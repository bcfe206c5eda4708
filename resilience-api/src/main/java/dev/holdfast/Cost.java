package dev.holdfast;

import java.math.BigDecimal;

/**
 * Money, exact. Two costs are equal if their values are, whatever their scale.
 *
 * @param usd US dollars
 */
public record Cost(BigDecimal usd) {
    /** No cost: free, which is not the same as unknown. */
    public static final Cost ZERO = new Cost(BigDecimal.ZERO);

    /** Drops trailing zeros, so that equal values are equal. */
    public Cost {
        usd = usd.signum() == 0 ? BigDecimal.ZERO : usd.stripTrailingZeros();
    }

    /**
     * {@return the sum of both}
     *
     * @param other what is added
     */
    public Cost plus(Cost other) {
        return new Cost(usd.add(other.usd));
    }

    @Override
    public String toString() {
        return "$" + usd.toPlainString();
    }
}
