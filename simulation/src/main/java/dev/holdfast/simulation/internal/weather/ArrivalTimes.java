package dev.holdfast.simulation.internal.weather;

import dev.holdfast.simulation.Arrivals;
import dev.holdfast.simulation.Arrivals.ArrivalProcess;
import dev.holdfast.simulation.Arrivals.Surge;
import dev.holdfast.simulation.Trace;
import dev.holdfast.simulation.internal.weather.Draws.Purpose;
import java.util.Arrays;
import java.util.Optional;

/** The requests of a run: when they come and how long they are. */
public final class ArrivalTimes {
    /** What of the time to answer does not depend on the length of the answer, where a trace tells the lengths. */
    private static final double LENGTH_FREE_SHARE = 0.25;

    private final long[] nanos;
    private final double spanSeconds;
    private final Optional<Trace> trace;
    private final double meanTokens;

    private ArrivalTimes(long[] nanos, double spanSeconds, Optional<Trace> trace) {
        this.nanos = nanos;
        this.spanSeconds = spanSeconds;
        this.trace = trace;
        this.meanTokens = trace.map(ArrivalTimes::meanTokens).orElse(1.0);
    }

    /** Draws them. */
    public static ArrivalTimes of(Arrivals arrivals, Draws draws, int requests) {
        if (requests < 1) {
            throw new IllegalArgumentException("requests: " + requests + " (expected: >= 1)");
        }
        return switch (arrivals.process()) {
            case TRACE -> traced(arrivals.trace().orElseThrow(), requests);
            case UNIFORM -> uniform(arrivals, draws, requests);
            case POISSON, TICKS, BURSTS -> paced(arrivals, draws, requests);
        };
    }

    private static ArrivalTimes traced(Trace trace, int requests) {
        int rows = trace.rows().size();
        if (requests > rows) {
            throw new IllegalArgumentException(
                    "requests: " + requests + ": the trace has fewer (expected: 1 to " + rows + ")");
        }
        Trace part = trace.first(requests);
        long[] nanos = part.rows().stream().mapToLong(row -> row.at().toNanos()).toArray();
        return new ArrivalTimes(nanos, StrictMath.max(1, nanos[nanos.length - 1] / 1e9), Optional.of(part));
    }

    private static ArrivalTimes uniform(Arrivals arrivals, Draws draws, int requests) {
        double span = requests / arrivals.perSecond();
        long[] nanos = new long[requests];
        for (int i = 0; i < requests; i++) {
            nanos[i] = nanos(span * draws.uniform(Purpose.ARRIVAL, i, 0, 0));
        }
        Arrays.sort(nanos);
        return new ArrivalTimes(nanos, span, Optional.empty());
    }

    /** Times at which one request comes in a unit of time, stretched to the rate of each moment. */
    private static ArrivalTimes paced(Arrivals arrivals, Draws draws, int requests) {
        var clock = new RateClock(arrivals);
        long[] nanos = new long[requests];
        int size = arrivals.process() == ArrivalProcess.BURSTS ? arrivals.size() : 1;
        double unit = 0;
        for (int i = 0; i < requests; i++) {
            if (arrivals.process() == ArrivalProcess.TICKS) {
                unit = i;
            } else if (i % size == 0) {
                unit -= size * StrictMath.log(1 - draws.uniform(Purpose.ARRIVAL, i, 0, 0));
            }
            nanos[i] = nanos(clock.seconds(unit));
        }
        double span = StrictMath.max(nanos[requests - 1] / 1e9, clock.seconds(requests));
        return new ArrivalTimes(nanos, span, Optional.empty());
    }

    /** From the number of requests that have come in the mean to the time; asked for numbers that never go down. */
    private static final class RateClock {
        private final Arrivals arrivals;
        private int surge;
        private double seconds;
        private double units;

        RateClock(Arrivals arrivals) {
            this.arrivals = arrivals;
        }

        double seconds(double wanted) {
            while (true) {
                double rate = arrivals.perSecond();
                double until = Double.POSITIVE_INFINITY;
                if (surge < arrivals.surges().size()) {
                    Surge next = arrivals.surges().get(surge);
                    double from = next.from().toNanos() / 1e9;
                    boolean within = seconds >= from;
                    rate *= within ? next.times() : 1;
                    until = within ? next.until().toNanos() / 1e9 : from;
                }
                double at = seconds + (wanted - units) / rate;
                if (at <= until) {
                    return at;
                }
                units += (until - seconds) * rate;
                boolean ended = surge < arrivals.surges().size()
                        && until == arrivals.surges().get(surge).until().toNanos() / 1e9;
                seconds = until;
                surge += ended ? 1 : 0;
            }
        }
    }

    int count() {
        return nanos.length;
    }

    /** When a request comes. */
    public long nanos(int request) {
        return nanos[request];
    }

    /** How long the run is, from its beginning to about its last request. */
    public double spanSeconds() {
        return spanSeconds;
    }

    boolean isTraced() {
        return trace.isPresent();
    }

    Trace.Row row(int request) {
        return trace.orElseThrow().rows().get(request);
    }

    /** How long it takes to answer a request, beside the mean of 1. */
    public double work(int request) {
        return trace.isEmpty()
                ? 1
                : LENGTH_FREE_SHARE + (1 - LENGTH_FREE_SHARE) * row(request).generatedTokens() / meanTokens;
    }

    private static double meanTokens(Trace trace) {
        double mean = trace.rows().stream()
                .mapToLong(Trace.Row::generatedTokens)
                .average()
                .orElse(1);
        return StrictMath.max(1, mean);
    }

    private static long nanos(double seconds) {
        return StrictMath.round(seconds * 1e9);
    }
}
