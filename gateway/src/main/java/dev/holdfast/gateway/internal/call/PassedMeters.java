package dev.holdfast.gateway.internal.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/**
 * Counts what is passed on. Labels are of the configuration or of a short list. Safe for use by many threads.
 *
 * @param registry where it is counted
 */
public record PassedMeters(MeterRegistry registry) {
    /** How a request that was passed on ended. */
    enum Outcome {
        SUCCESS("success"),
        ERROR("error"),
        CANCELLED("cancelled");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }
    }

    void count(String endpoint, String method, Outcome outcome, Duration took) {
        Timer.builder("holdfast.passed")
                .description("requests for no model that were passed on, with all their attempts")
                .tags("endpoint", endpoint, "method", method, "outcome", outcome.word)
                .register(registry)
                .record(took);
    }
}
