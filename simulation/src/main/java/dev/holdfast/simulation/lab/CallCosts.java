package dev.holdfast.simulation.lab;

import dev.holdfast.Attempt;
import dev.holdfast.FailureKind;
import dev.holdfast.simulation.ModelProfile;
import dev.holdfast.simulation.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What calls cost, in the prices of a profile: delivered answers, a part of each attempt that the provider could not end well,
 * the whole of one whose answer was lost or broken, and the time of whoever waits. Refusals bill nothing. Safe for use by many threads.
 */
public final class CallCosts {
    private static final double SHARE_OF_FAILED = 0.248;
    private static final double PER_SECOND = 0.082;

    private final Map<String, Double> prices;

    /**
     * Costs at the prices of a profile.
     *
     * @param profile its models and their prices
     */
    public CallCosts(Profile profile) {
        prices = profile.models().stream().collect(Collectors.toMap(ModelProfile::name, ModelProfile::price));
    }

    /**
     * {@return what a call was billed, in answers of the first model}
     *
     * @param servedBy the model whose answer was delivered; empty if none was
     * @param attempts the attempts of the call
     */
    public double billed(Optional<String> servedBy, List<Attempt> attempts) {
        double sum = servedBy.map(this::price).orElse(0.0);
        for (Attempt attempt : attempts) {
            double share =
                    attempt.failure().map(failure -> share(failure.kind())).orElse(0.0);
            sum += share == 0 ? 0 : share * price(attempt.target().model());
        }
        return sum;
    }

    /**
     * {@return the cost of one success, in answers of the first model; not a number if there was none}
     *
     * @param billed what all calls were billed
     * @param secondsOfLatency how long all calls took together, in seconds
     * @param successes how many calls were answered
     */
    public static double perSuccess(double billed, double secondsOfLatency, int successes) {
        return successes == 0 ? Double.NaN : (billed + PER_SECOND * secondsOfLatency) / successes;
    }

    private static double share(FailureKind kind) {
        return switch (kind) {
            case OVERLOADED, SERVER_ERROR, CONNECTION -> SHARE_OF_FAILED;
            case TIMEOUT, TRUNCATED, MALFORMED_RESPONSE, EMPTY_RESPONSE -> 1;
            default -> 0;
        };
    }

    private double price(String model) {
        return prices.getOrDefault(model, 0.0);
    }
}
