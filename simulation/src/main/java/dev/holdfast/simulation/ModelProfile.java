package dev.holdfast.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How one model of a provider behaves.
 *
 * @param name the model
 * @param price what an answer costs, in any unit that the models of a profile share; not negative
 * @param answer how long answers take
 * @param refused which share of the requests it refuses with 400, always; 0 to 1
 * @param outages when it is down
 * @param limit its rate limit; empty for none
 * @param load what many attempts at once do to it; empty for nothing
 * @param faults what happens to single attempts; the shares sum to at most 1
 */
public record ModelProfile(
        String name,
        double price,
        AnswerTime answer,
        double refused,
        List<OutageProfile> outages,
        Optional<RequestLimit> limit,
        Optional<Load> load,
        List<Fault> faults) {
    /** Refuses a blank name, a negative price, and what is no share. */
    public ModelProfile {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a model)");
        }
        if (!(price >= 0) || Double.isInfinite(price)) {
            throw new IllegalArgumentException("price: " + price + " (expected: >= 0)");
        }
        Shares.check("refused", refused);
        outages = List.copyOf(outages);
        faults = List.copyOf(faults);
        double sum = faults.stream().mapToDouble(Fault::share).sum();
        if (sum > 1 + 1e-12) {
            throw new IllegalArgumentException("faults: shares sum to " + sum + " (expected: at most 1)");
        }
    }

    /**
     * How long answers take: log-normal, and some much longer.
     *
     * @param mean the mean, without those that take longer
     * @param sigma the standard deviation of the logarithm, 0 to 5
     * @param slowShare which share takes longer, 0 to 1
     * @param slowTimes by what these take longer, at least 1
     */
    public record AnswerTime(Duration mean, double sigma, double slowShare, double slowTimes) {
        /** Refuses a mean that is not positive and what is out of range. */
        public AnswerTime {
            if (!mean.isPositive()) {
                throw new IllegalArgumentException("mean: " + mean + " (expected: > 0)");
            }
            if (!(sigma >= 0 && sigma <= 5)) {
                throw new IllegalArgumentException("sigma: " + sigma + " (expected: 0 to 5)");
            }
            Shares.check("slowShare", slowShare);
            if (!(slowTimes >= 1) || Double.isInfinite(slowTimes)) {
                throw new IllegalArgumentException("slowTimes: " + slowTimes + " (expected: >= 1)");
            }
        }
    }

    /**
     * A rate limit as a bucket: full at the start, refilled steadily. What it refuses gets 429 and takes nothing.
     *
     * @param perSecond how many requests a second it refills
     * @param burst how many it holds, at least 1
     * @param hint whether the provider says when to come again, which is true
     */
    public record RequestLimit(double perSecond, double burst, Hint hint) {
        /** Refuses rates that are not positive. */
        public RequestLimit {
            if (!(perSecond > 0) || Double.isInfinite(perSecond)) {
                throw new IllegalArgumentException("perSecond: " + perSecond + " (expected: > 0)");
            }
            if (!(burst >= 1) || Double.isInfinite(burst)) {
                throw new IllegalArgumentException("burst: " + burst + " (expected: >= 1)");
            }
        }
    }

    /** How a provider says when to come again. */
    public enum Hint {
        /** Not at all. */
        NONE,
        /** {@code Retry-After} in seconds, rounded up. */
        SECONDS,
        /** {@code retry-after-ms}. */
        MILLISECONDS
    }

    /**
     * What many attempts at once do: each beyond those that run freely makes all that begin take longer.
     *
     * @param free how many attempts in flight do nothing
     * @param slowdown by what share of its time each further one makes an answer longer, not negative
     * @param most from how many on further ones are refused; empty for no bound
     * @param status what these get, 400 to 599: 529, 503, 429
     */
    public record Load(int free, double slowdown, OptionalInt most, int status) {
        /** Refuses negative numbers. */
        public Load {
            if (free < 0) {
                throw new IllegalArgumentException("free: " + free + " (expected: >= 0)");
            }
            if (!(slowdown >= 0) || Double.isInfinite(slowdown)) {
                throw new IllegalArgumentException("slowdown: " + slowdown + " (expected: >= 0)");
            }
            if (most.isPresent() && most.getAsInt() < 1) {
                throw new IllegalArgumentException("most: " + most.getAsInt() + " (expected: >= 1)");
            }
            if (status < 400 || status > 599) {
                throw new IllegalArgumentException("status: " + status + " (expected: 400 to 599)");
            }
        }
    }

    /**
     * What happens to single attempts, each by chance.
     *
     * @param kind what it is
     * @param share to which share of the attempts it happens, 0 to 1
     * @param status the status, for {@link FaultKind#STATUS}; 400 to 599
     */
    public record Fault(FaultKind kind, double share, int status) {
        /** Refuses what is no share and no status of an error. */
        public Fault {
            Shares.check("share", share);
            if (status < 400 || status > 599) {
                throw new IllegalArgumentException("status: " + status + " (expected: 400 to 599)");
            }
        }
    }

    /** What can happen to an attempt. */
    public enum FaultKind {
        /** A status instead of an answer, at once. */
        STATUS,
        /** The connection is reset before an answer. */
        RESET,
        /** Nothing comes. */
        HANG,
        /** 200 with an error in it. */
        ERROR_IN_OK,
        /** 200 without any text in it. */
        EMPTY,
        /** 200 with half a document, whole as HTTP. */
        MALFORMED,
        /** 200 whose connection ends in the middle of the answer. */
        TRUNCATED
    }
}
