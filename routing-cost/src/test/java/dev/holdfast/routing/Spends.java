package dev.holdfast.routing;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.Cost;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Attempts and what they cost, for tests. */
final class Spends {
    private Spends() {}

    static Spend reported(String usd) {
        return new Spend(Usage.of(10, 5), Optional.of(new Cost(new BigDecimal(usd))), Spend.Basis.REPORTED);
    }

    static Spend of(Spend.Basis basis, String usd) {
        return new Spend(Usage.of(10, 5), Optional.of(new Cost(new BigDecimal(usd))), basis);
    }

    static AttemptFinished spent(String model, Spend spend) {
        return spent(model, spend, Optional.empty(), Map.of());
    }

    static AttemptFinished spent(String model, Spend spend, Optional<String> tenant, Map<String, String> tags) {
        return event(model, Duration.ofSeconds(1), Optional.empty(), Optional.of(spend), tenant, tags);
    }

    static AttemptFinished answered(String model, Duration took) {
        return event(model, took, Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
    }

    static AttemptFinished failed(String model, FailureKind kind) {
        Failure failure = Failure.of(kind, FailureScope.ENDPOINT, Delivery.ANSWERED, "");
        return event(model, Duration.ofMillis(1), Optional.of(failure), Optional.empty(), Optional.empty(), Map.of());
    }

    private static AttemptFinished event(
            String model,
            Duration took,
            Optional<Failure> failure,
            Optional<Spend> spend,
            Optional<String> tenant,
            Map<String, String> tags) {
        var attempt = new Attempt(
                1,
                AttemptReason.FIRST,
                new Target(model, "e-" + model),
                Optional.empty(),
                Instant.EPOCH,
                Duration.ZERO,
                took,
                failure,
                Optional.empty(),
                spend);
        return new AttemptFinished(Instant.EPOCH, "c", attempt, tenant, tags);
    }
}
