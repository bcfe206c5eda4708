package dev.holdfast.simulation;

import java.time.Duration;
import java.util.Optional;

/**
 * Times in which a model or a region is down.
 *
 * @param timing when they are
 * @param share which share of the attempts fails during one, 0 to 1
 * @param status the status that these get, 500 to 599
 * @param recovery in what time after one the share falls to 1 / e of it; zero for at once
 * @param drops whether its beginning ends the attempts that are open, by that share of them
 * @param retryAfter what the provider says when to come again; empty for nothing
 */
public record OutageProfile(
        Timing timing, double share, int status, Duration recovery, boolean drops, Optional<Duration> retryAfter) {
    /** Refuses what is no share, no status of a server and a negative time. */
    public OutageProfile {
        Shares.check("share", share);
        if (status < 500 || status > 599) {
            throw new IllegalArgumentException("status: " + status + " (expected: 500 to 599)");
        }
        if (recovery.isNegative()) {
            throw new IllegalArgumentException("recovery: " + recovery + " (expected: >= 0)");
        }
    }

    /** When outages are. */
    public sealed interface Timing {}

    /**
     * One in each of equal parts of the run.
     *
     * @param every how long such a part is, about; as many fit into the run, rounded
     * @param length how long one lasts in the mean
     * @param spread by what share the lengths vary up and down, 0 to 1; they are spread evenly
     * @param from the earliest beginning, as a share of what its part leaves free
     * @param width how far the beginning varies, as a share of that; with {@code from} at most 1
     * @param least how many there are at least
     */
    public record Planned(Duration every, Duration length, double spread, double from, double width, int least)
            implements Timing {
        /** Refuses lengths that are not positive, and what is no share. */
        public Planned {
            positive("every", every);
            positive("length", length);
            Shares.check("spread", spread);
            Shares.check("from", from);
            Shares.check("width", width);
            Shares.check("from + width", from + width);
            if (least < 0) {
                throw new IllegalArgumentException("least: " + least + " (expected: >= 0)");
            }
        }
    }

    /**
     * Up and down in turns, for exponential times: the model of Gilbert and Elliott. It is down for
     * {@code down / (up + down)} of the time, from the beginning on.
     *
     * @param up how long it is up in the mean
     * @param down how long it is down in the mean
     */
    public record Alternating(Duration up, Duration down) implements Timing {
        /** Refuses times that are not positive. */
        public Alternating {
            positive("up", up);
            positive("down", down);
        }
    }

    private static void positive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }
}
