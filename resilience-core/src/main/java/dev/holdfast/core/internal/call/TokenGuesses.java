package dev.holdfast.core.internal.call;

import dev.holdfast.Target;
import dev.holdfast.Usage;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.internal.limit.Calibration;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.util.OptionalLong;

/**
 * What is reserved for a guess of tokens: each target's answers teach how far its guesses are off. A cap on output is never
 * corrected, since a provider may count the cap, and no guess at output is lowered.
 */
final class TokenGuesses {
    private final BoundedRegistry<Target, Learned> targets;

    TokenGuesses(int most) {
        this.targets = new BoundedRegistry<>(most, target -> new Learned(new Calibration(), new Calibration()));
    }

    private record Learned(Calibration input, Calibration output) {}

    /**
     * A guess, and what is reserved for it.
     *
     * @param guessed the guess
     * @param reserved what is reserved
     */
    record Guess(TokenEstimate guessed, TokenEstimate reserved, boolean capped, Learned learned) {
        /** The answer used this. */
        void learn(Usage used) {
            if (used.contradictory()) {
                return;
            }
            learned.input.learn(guessed.input(), used.totalInput());
            if (!capped) {
                learned.output.learn(guessed.output(), used.output());
            }
        }
    }

    /**
     * The guess as it is to be reserved. What would fit within the limits still fits.
     *
     * @param capped whether the request caps its output
     */
    Guess of(Target target, TokenEstimate guessed, boolean capped, LimitPolicy policy) {
        Learned learned = targets.get(target);
        long input = atMost(learned.input.corrected(guessed.input()), guessed.input(), policy, policy.inputTpm());
        long raised =
                capped ? guessed.output() : Math.max(guessed.output(), learned.output.corrected(guessed.output()));
        long output = atMost(raised, guessed.output(), policy, policy.outputTpm());
        long total = new TokenEstimate(input, output).total();
        long surplus = total - atMost(total, guessed.total(), policy, policy.tpm());
        long fromInput = Math.min(surplus, Math.max(0, input - guessed.input()));
        return new Guess(
                guessed, new TokenEstimate(input - fromInput, output - (surplus - fromInput)), capped, learned);
    }

    /** No more than this process may ever have, unless the guess was more by itself. */
    private static long atMost(long corrected, long guessed, LimitPolicy policy, OptionalLong limit) {
        return limit.isEmpty()
                ? corrected
                : Math.min(corrected, Math.max(guessed, limit.getAsLong() / policy.instances()));
    }
}
