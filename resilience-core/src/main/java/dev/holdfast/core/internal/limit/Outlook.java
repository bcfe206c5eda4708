package dev.holdfast.core.internal.limit;

import static dev.holdfast.core.internal.limit.GrantLog.later;

import dev.holdfast.core.internal.limit.Reading.Said;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the provider's answers say of its limits, as of the latest grant that was answered: limits and what is left of them.
 * What was granted since is taken off; where the provider's window is full again nothing is known any more.
 *
 * @param requests of requests
 * @param tokens of tokens
 * @param input of input tokens
 * @param output of output tokens
 * @param asOf the grant whose answer said it
 * @param measured the limit on requests that was measured; {@link Limits#NONE} for none
 * @param measuredUntilNanos how long it holds
 */
record Outlook(View requests, View tokens, View input, View output, long asOf, long measured, long measuredUntilNanos) {
    private static final Weight[] WEIGHTS = Weight.values();
    private static final double NOT_SAID = Double.POSITIVE_INFINITY;
    private static final View UNKNOWN = new View(Limits.NONE, NOT_SAID, 0, 0, 0, false);

    static final Outlook NOTHING = new Outlook(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, -1, Limits.NONE, 0);

    /** A tenth left of what is limited is little. */
    private static final long LITTLE_PART = 10;

    /** Where no reset is said, what remains is heeded for a second of a minute. */
    private static final long HEEDED_PART = 60;

    /**
     * What is known of one limit.
     *
     * @param limit how much a window allows; {@link Limits#NONE} where unknown
     * @param left how much was left; infinite where unknown
     * @param sinceNanos when that was
     * @param untilNanos when it is forgotten
     * @param refill how much comes back in a nanosecond; 0 where it all comes back at the end
     * @param spreads whether little that is left is spread over the time until then: not where that is hours
     */
    record View(long limit, double left, long sinceNanos, long untilNanos, double refill, boolean spreads) {
        private boolean isKnown(long now) {
            return left != NOT_SAID && now - untilNanos < 0;
        }

        private double leftAt(long now) {
            return left + Math.max(0, now - sinceNanos) * refill;
        }

        private View spent(long amount, long now) {
            return isKnown(now)
                    ? new View(limit, Math.max(0, leftAt(now) - amount), now, untilNanos, refill, spreads)
                    : this;
        }

        /** From when so much is left; where little is left and none comes back, at an even pace until it does. */
        private long availableAtNanos(long amount, long now) {
            if (!isKnown(now) || amount == 0) {
                return now;
            }
            if (refill > 0) {
                double missing = amount - left;
                double wait = missing / refill;
                return missing <= 0 || sinceNanos + (long) Math.ceil(wait) - now <= 0
                        ? now
                        : wait < untilNanos - sinceNanos ? sinceNanos + (long) Math.ceil(wait) : untilNanos;
            }
            if (amount > left) {
                return untilNanos;
            }
            boolean little = spreads && left < (limit == Limits.NONE ? LITTLE_PART : limit / LITTLE_PART);
            double share = amount / (left + amount);
            return little ? sinceNanos + (long) ((untilNanos - sinceNanos) * share) : now;
        }

        /** A window that is full later than it was said to be fills up little by little. */
        private View updated(@Nullable Said said, long spentSince, long now, long windowNanos) {
            if (said == null) {
                return this;
            }
            long newLimit = said.limit() == Limits.NONE ? limit : said.limit();
            if (said.left() == Limits.NONE) {
                return new View(newLimit, left, sinceNanos, untilNanos, refill, spreads);
            }
            boolean silent = said.resetNanos() < 0;
            long reset = silent ? windowNanos / HEEDED_PART : said.resetNanos();
            boolean moved = !silent && isKnown(now) && now + reset - untilNanos > windowNanos / 1024;
            boolean fills = newLimit != Limits.NONE && reset > 0 && (moved || (isKnown(now) && refill > 0));
            double rate = fills ? (double) Math.max(0, newLimit - said.left()) / reset : 0;
            long since = rate == 0 && isKnown(now) ? sinceNanos : now;
            double left = Math.max(0, said.left() - spentSince);
            return new View(newLimit, left, since, now + reset, rate, !silent && reset <= 2 * windowNanos);
        }
    }

    View of(Weight weight) {
        return switch (weight) {
            case REQUESTS -> requests;
            case TOKENS -> tokens;
            case INPUT -> input;
            case OUTPUT -> output;
        };
    }

    @SuppressWarnings("ReferenceEquality") // whether it is unchanged
    boolean isNothing() {
        return this == NOTHING;
    }

    Limits bound(Limits limits, long now) {
        if (isNothing()) {
            return limits;
        }
        long most = isMeasured(now) ? Math.min(measured, requests.limit) : requests.limit;
        return limits.atMost(most, tokens.limit, input.limit, output.limit);
    }

    /** {@return from when the provider is expected to have so much left, if nothing else is granted} */
    long availableAtNanos(Need need, long now) {
        long at = now;
        if (!isNothing()) {
            for (Weight weight : WEIGHTS) {
                at = later(at, of(weight).availableAtNanos(need.of(weight), now));
            }
        }
        return at;
    }

    Outlook spent(Need need, long now) {
        return isNothing()
                ? this
                : new Outlook(
                        requests.spent(1, now),
                        tokens.spent(need.total(), now),
                        input.spent(need.input(), now),
                        output.spent(need.output(), now),
                        asOf,
                        measured,
                        measuredUntilNanos);
    }

    /** {@return this with what the answer to a grant says; unchanged if that to a later one was heard before} */
    Outlook updated(long grant, Reading reading, ToLongFunction<Weight> spentSince, long now, long windowNanos) {
        if (grant < asOf || reading.isSilent()) {
            return this;
        }
        return new Outlook(
                updated(Weight.REQUESTS, reading, spentSince, now, windowNanos),
                updated(Weight.TOKENS, reading, spentSince, now, windowNanos),
                updated(Weight.INPUT, reading, spentSince, now, windowNanos),
                updated(Weight.OUTPUT, reading, spentSince, now, windowNanos),
                grant,
                measured,
                measuredUntilNanos);
    }

    private View updated(
            Weight weight, Reading reading, ToLongFunction<Weight> spentSince, long now, long windowNanos) {
        Said said = reading.said().get(weight);
        return of(weight).updated(said, said == null ? 0 : spentSince.applyAsLong(weight), now, windowNanos);
    }

    /** {@return whether a limit that was measured is in force} */
    boolean isMeasured(long now) {
        return measured != Limits.NONE && now - measuredUntilNanos < 0;
    }

    Outlook withMeasured(long limit, long untilNanos) {
        return new Outlook(requests, tokens, input, output, asOf, limit, untilNanos);
    }
}
