package dev.holdfast;

import java.util.Optional;

/**
 * What one attempt used and cost, and how certain that is.
 *
 * @param usage the tokens
 * @param cost what they cost; empty where the price is unknown, which is not free
 * @param basis where the tokens come from
 */
public record Spend(Usage usage, Optional<Cost> cost, Basis basis) {
    /** Where the tokens of an attempt come from. */
    public enum Basis {
        /** The provider reported them with its answer. */
        REPORTED,
        /** The provider answered and did not say: what it left out is estimated here. */
        ESTIMATED,
        /** No answer came, and the provider may have done the work all the same: what it may have used, estimated here. */
        POSSIBLE
    }

    /** {@return whether this is a fact: tokens the provider reported, at a known price} */
    public boolean isExact() {
        return basis == Basis.REPORTED && cost.isPresent() && !usage.contradictory();
    }
}
