package dev.holdfast.core.internal.limit;

import java.util.concurrent.atomic.AtomicReference;

/**
 * How far guesses of tokens are off for one model, learned from what its answers really used: the sum of what was used over the
 * sum of what was guessed, of about the last {@value #MEMORY} answers, so that a large request counts for more than a small
 * one.
 *
 * <p>A guess is corrected by that ratio and twice its mean deviation, since what is reserved too little is missed at the
 * limit and what is reserved too much comes back with the answer. The first deviation is taken to be a tenth. Below the guess
 * goes a correction only after {@value #ENOUGH} answers, and never below the highest ratio of late. It stays within a quarter
 * and four times the guess.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Calibration {
    private static final double MOST = 4;
    private static final double LEAST = 1 / MOST;
    private static final int MEMORY = 64;
    private static final int ENOUGH = 16;
    private static final double KEPT = 1 - 1.0 / MEMORY;
    private static final double FIRST_DEVIATION = 0.1;
    private static final double DEVIATIONS = 2;
    private static final State NEW = new State(0, 0, 0, 0, 0);

    private final AtomicReference<State> current = new AtomicReference<>(NEW);

    /**
     * What was learned. Sums fade with every answer.
     *
     * @param guessed tokens guessed
     * @param used tokens used
     * @param off by how many tokens the corrected guesses were off
     * @param highest the highest ratio, fading towards the mean
     * @param answers how many answers taught it, up to {@value #ENOUGH}
     */
    private record State(double guessed, double used, double off, double highest, int answers) {
        State after(double guess, double actual) {
            double sumGuessed = guessed * KEPT + guess;
            double sumUsed = used * KEPT + actual;
            double ratio = sumUsed / sumGuessed;
            double error = answers == 0 ? FIRST_DEVIATION * guess : Math.abs(actual - ratio * guess);
            double faded = ratio + (highest - ratio) * KEPT;
            return new State(
                    sumGuessed,
                    sumUsed,
                    off * KEPT + error,
                    Math.max(faded, actual / guess),
                    Math.min(ENOUGH, answers + 1));
        }

        double factor() {
            if (answers == 0) {
                return 1;
            }
            double factor = (used + DEVIATIONS * off) / guessed;
            double least = answers < ENOUGH ? 1 : Math.min(1, highest);
            return Math.min(MOST, Math.max(LEAST, Math.max(least, factor)));
        }
    }

    /**
     * An answer tells.
     *
     * @param guess how many tokens were guessed; of nothing nothing is learned
     * @param actual how many were used; 0 is no count to learn from
     */
    public void learn(long guess, long actual) {
        if (guess > 0 && actual > 0) {
            double guessed = (double) guess;
            double bounded = Math.min(guessed * MOST, Math.max(guessed * LEAST, (double) actual));
            current.updateAndGet(state -> state.after(guessed, bounded));
        }
    }

    /**
     * {@return how many tokens are to be reckoned with}
     *
     * @param guess how many were guessed, not negative
     */
    public long corrected(long guess) {
        double factor = current.get().factor();
        return factor == 1 ? guess : (long) Math.min(Long.MAX_VALUE, Math.ceil((double) guess * factor));
    }
}
