package dev.holdfast.core;

import dev.holdfast.FailureKind;
import dev.holdfast.spi.BackoffStrategy;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a {@link RetryPolicy} does otherwise after failures of one kind. What is left empty is as for every other kind.
 *
 * <p>In text: {@code never}, {@code 2 attempts}, {@code backoff fixed(2s)}, or {@code 6 attempts, backoff linear(1s)}.
 *
 * @param maxAttempts how many attempts on one target may fail with the kind before the target is given up, at least 1; it
 *     stands in the place of {@link RetryPolicy#maxAttempts()}, lower or higher, and 1 means never again. Above 1 it also
 *     lets a kind be repeated that normally ends a target, such as {@link FailureKind#CONTENT_POLICY}
 * @param backoff the delay before the retry; the number it is asked for counts the failures of this kind only
 */
public record KindPolicy(OptionalInt maxAttempts, Optional<BackoffStrategy> backoff) {
    /** Refuses fewer than 1 attempt. */
    public KindPolicy {
        if (maxAttempts.isPresent() && maxAttempts.getAsInt() < 1) {
            throw new IllegalArgumentException("maxAttempts: " + maxAttempts.getAsInt() + " (expected: >= 1)");
        }
    }

    /** {@return no retry on the same target} */
    public static KindPolicy never() {
        return attempts(1);
    }

    /**
     * {@return another bound}
     *
     * @param most how many attempts on one target may fail with the kind, at least 1
     */
    public static KindPolicy attempts(int most) {
        return new KindPolicy(OptionalInt.of(most), Optional.empty());
    }

    /**
     * {@return another backoff}
     *
     * @param strategy the delay before a retry
     */
    public static KindPolicy backingOff(BackoffStrategy strategy) {
        return new KindPolicy(OptionalInt.empty(), Optional.of(strategy));
    }

    /**
     * {@return this with another backoff}
     *
     * @param strategy the delay before a retry
     */
    public KindPolicy withBackoff(BackoffStrategy strategy) {
        return new KindPolicy(maxAttempts, Optional.of(strategy));
    }

    /** {@return the text form} */
    @Override
    public String toString() {
        if (maxAttempts.isPresent() && maxAttempts.getAsInt() == 1 && backoff.isEmpty()) {
            return "never";
        }
        String bound = maxAttempts.isPresent() ? maxAttempts.getAsInt() + " attempts" : "";
        String wait = backoff.map(strategy -> "backoff " + strategy).orElse("");
        return bound.isEmpty() || wait.isEmpty() ? bound + wait : bound + " " + wait;
    }
}
