package dev.holdfast.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * When requests come, whatever becomes of them.
 *
 * @param process how they follow each other
 * @param perSecond how many come in a second in the mean, outside surges; greater than 0
 * @param size how many come at once in {@link ArrivalProcess#BURSTS}, at least 1
 * @param surges when more come than that, in the order of time
 * @param trace whose times and lengths are followed in {@link ArrivalProcess#TRACE}; present there and only there
 */
public record Arrivals(ArrivalProcess process, double perSecond, int size, List<Surge> surges, Optional<Trace> trace) {
    /** How requests follow each other. */
    public enum ArrivalProcess {
        /** Independently of each other: the gaps are exponential. */
        POISSON,
        /** Independent times over the whole length of the run, so that just as many come as were said. */
        UNIFORM,
        /** One after the other at equal distances. */
        TICKS,
        /** Many at once, after exponential gaps. */
        BURSTS,
        /** As a trace tells. */
        TRACE
    }

    /** Refuses rates that are not positive, surges that overlap and a process that cannot have what it is given. */
    public Arrivals {
        if (!(perSecond > 0) || Double.isInfinite(perSecond)) {
            throw new IllegalArgumentException("perSecond: " + perSecond + " (expected: > 0)");
        }
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size + " (expected: >= 1)");
        }
        if (trace.isPresent() != (process == ArrivalProcess.TRACE)) {
            throw new IllegalArgumentException("trace: " + (trace.isPresent() ? "given" : "missing")
                    + " (expected: a trace for the process TRACE, and for no other)");
        }
        surges = List.copyOf(surges);
        if (!surges.isEmpty() && (process == ArrivalProcess.TRACE || process == ArrivalProcess.UNIFORM)) {
            throw new IllegalArgumentException("surges: given (expected: none for the process " + process + ")");
        }
        for (int i = 1; i < surges.size(); i++) {
            if (surges.get(i).from().compareTo(surges.get(i - 1).until()) < 0) {
                throw new IllegalArgumentException("surges: " + surges.get(i).from() + " is before the last one ended"
                        + " (expected: one after the other)");
            }
        }
    }

    /**
     * A time in which more requests come, or fewer.
     *
     * @param from when it begins
     * @param length how long it lasts
     * @param times by what the rate is multiplied; greater than 0
     */
    public record Surge(Duration from, Duration length, double times) {
        /** Refuses a surge before the beginning, one without a length, and a factor that is not positive. */
        public Surge {
            if (from.isNegative()) {
                throw new IllegalArgumentException("from: " + from + " (expected: >= 0)");
            }
            if (!length.isPositive()) {
                throw new IllegalArgumentException("length: " + length + " (expected: > 0)");
            }
            if (!(times > 0) || Double.isInfinite(times)) {
                throw new IllegalArgumentException("times: " + times + " (expected: > 0)");
            }
        }

        /** {@return when it ends} */
        public Duration until() {
            return from.plus(length);
        }
    }

    /**
     * {@return independent requests}
     *
     * @param perSecond how many come in a second in the mean
     */
    public static Arrivals poisson(double perSecond) {
        return new Arrivals(ArrivalProcess.POISSON, perSecond, 1, List.of(), Optional.empty());
    }

    /**
     * {@return the requests of a trace}
     *
     * @param trace their times and lengths
     */
    public static Arrivals of(Trace trace) {
        double span = Math.max(1e-9, trace.rows().getLast().at().toNanos() / 1e9);
        return new Arrivals(ArrivalProcess.TRACE, trace.rows().size() / span, 1, List.of(), Optional.of(trace));
    }
}
