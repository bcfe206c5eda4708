package dev.holdfast.core.internal.limit;

import dev.holdfast.core.LimitPolicy;
import java.time.Duration;

/**
 * A limit policy in plain numbers, with {@link #NONE} for what is not limited.
 *
 * @param paced whether grants keep a distance
 */
public record Limits(
        long requests, long tokens, long input, long output, long concurrency, long windowNanos, boolean paced) {
    /** No limit. */
    public static final long NONE = Long.MAX_VALUE;

    private static final Weight[] WEIGHTS = Weight.values();

    /** {@return the share of one of several processes, if the policy names several} */
    public static Limits of(LimitPolicy policy, Duration window) {
        long shares = policy.instances();
        long concurrency =
                policy.concurrency().isPresent() ? share(policy.concurrency().getAsInt(), shares) : NONE;
        return new Limits(
                share(policy.rpm().orElse(NONE), shares),
                share(policy.tpm().orElse(NONE), shares),
                share(policy.inputTpm().orElse(NONE), shares),
                share(policy.outputTpm().orElse(NONE), shares),
                concurrency,
                window.plus(policy.margin()).toNanos(),
                policy.pacing());
    }

    static long share(long limit, long shares) {
        return limit == NONE ? NONE : Math.max(1, limit / shares);
    }

    public Limits withConcurrency(long most) {
        return new Limits(requests, tokens, input, output, most, windowNanos, paced);
    }

    long of(Weight weight) {
        return switch (weight) {
            case REQUESTS -> requests;
            case TOKENS -> tokens;
            case INPUT -> input;
            case OUTPUT -> output;
        };
    }

    /** {@return these limits where they are the lower ones, else the given ones} */
    Limits atMost(long mostRequests, long mostTokens, long mostInput, long mostOutput) {
        return new Limits(
                Math.min(requests, mostRequests),
                Math.min(tokens, mostTokens),
                Math.min(input, mostInput),
                Math.min(output, mostOutput),
                concurrency,
                windowNanos,
                paced);
    }

    /** {@return whether so much can be granted at some time} */
    public boolean canEverGrant(Need need) {
        for (Weight weight : WEIGHTS) {
            if (need.of(weight) > of(weight)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether a word of {@link Allotment} can stand for all that is limited} */
    boolean areRatesAlone() {
        return concurrency == NONE && input == NONE && output == NONE && !paced;
    }

    /** {@return how long a grant keeps the next one away, where grants keep a distance; a window at most} */
    long paceNanos(Need need) {
        long longest = 0;
        for (Weight weight : WEIGHTS) {
            if (of(weight) != NONE) {
                double part = Math.min(1, (double) need.of(weight) / of(weight));
                longest = Math.max(longest, (long) (windowNanos * part));
            }
        }
        return longest;
    }
}
