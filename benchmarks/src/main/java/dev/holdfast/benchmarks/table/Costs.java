package dev.holdfast.benchmarks.table;

import dev.holdfast.Attempt;
import dev.holdfast.simulation.PublishedWeather;
import java.util.List;
import java.util.Optional;

/**
 * What calls cost, in calls of the first model: delivered answers, a part of each attempt that ended in 503, and the time of
 * whoever waits. 400 and 429 bill nothing.
 */
final class Costs {
    private static final double[] PRICES = {1, 1.875, 0.3125, 0.0525};
    private static final double SHARE_OF_FAILED = 0.248;
    private static final double PER_SECOND = 0.082;

    private Costs() {}

    static double billed(Optional<String> servedBy, List<Attempt> attempts) {
        double sum = servedBy.map(Costs::price).orElse(0.0);
        for (Attempt attempt : attempts) {
            boolean unavailable = attempt.failure()
                    .filter(failure -> failure.status().orElse(0) == 503)
                    .isPresent();
            sum += unavailable ? SHARE_OF_FAILED * price(attempt.target().model()) : 0;
        }
        return sum;
    }

    /** The cost of one success; not a number if there was none. */
    static double perSuccess(double billed, double secondsOfLatency, int successes) {
        return successes == 0 ? Double.NaN : (billed + PER_SECOND * secondsOfLatency) / successes;
    }

    private static double price(String model) {
        return PRICES[PublishedWeather.models().indexOf(model)];
    }
}
