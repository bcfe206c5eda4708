package dev.holdfast.benchmarks.table;

import dev.holdfast.FailureKind;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.Jitter;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.PublishedWeather;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The rows of the table: what a client does about failures, and what was published of it. */
public enum Strategy {
    /** One attempt. */
    NONE("none"),
    /** Four attempts, 1 s apart. */
    FIXED("fixed"),
    /** Four attempts after 1, 2 and 4 s. */
    EXPONENTIAL("exponential"),
    /** The same times a factor from 0.5 to 1.5. */
    EXPONENTIAL_JITTER("exponential-jitter"),
    /** The next model at once, each once. */
    SMART_ROUTING("smart-routing"),
    /** What a client does if nobody sets anything. */
    DEFAULTS("defaults");

    private static final int ATTEMPTS = 4;
    private static final Duration BASE = Duration.ofSeconds(1);

    private final String title;

    /** The published figures of a row. */
    public record Published(double meanMs, double maxMs, double successPct, double costPct) {}

    Strategy(String title) {
        this.title = title;
    }

    /** The row's name. */
    public String title() {
        return title;
    }

    /** What the client is told. */
    public RetryPolicy policy() {
        return switch (this) {
            case NONE -> bare(1, Backoff.immediate());
            case FIXED -> bare(ATTEMPTS, Backoff.fixed(BASE));
            case EXPONENTIAL -> bare(ATTEMPTS, Backoff.exponential(BASE));
            case EXPONENTIAL_JITTER -> bare(ATTEMPTS, Backoff.exponential(BASE).withJitter(Jitter.proportional(0.5)));
            case SMART_ROUTING -> bare(1, Backoff.immediate()).withFallbackOn(FailureKind.CONTENT_POLICY);
            case DEFAULTS -> RetryPolicy.standard();
        };
    }

    /** The models it may use. */
    public List<String> route() {
        return PublishedWeather.models().subList(0, this == SMART_ROUTING ? 4 : 1);
    }

    /** Whether it is what a client does of itself, breaker and all, not one of the published rows. */
    public boolean shipped() {
        return this == DEFAULTS;
    }

    /** What was published. */
    public Optional<Published> published() {
        return switch (this) {
            case NONE -> Optional.of(new Published(847, 2340, 94.2, 0));
            case FIXED -> Optional.of(new Published(1203, 4521, 97.8, 2.3));
            case EXPONENTIAL -> Optional.of(new Published(1456, 8234, 99.4, 4.1));
            case EXPONENTIAL_JITTER -> Optional.of(new Published(1287, 5892, 99.6, 3.2));
            case SMART_ROUTING -> Optional.of(new Published(923, 3120, 99.8, 1.8));
            case DEFAULTS -> Optional.empty();
        };
    }

    /** Nothing but attempts and backoff. */
    private static RetryPolicy bare(int attempts, Backoff backoff) {
        return RetryPolicy.standard()
                .withMaxAttempts(attempts)
                .withBackoff(backoff)
                .withoutDeadline()
                .withoutBudget()
                .withoutCooldowns();
    }
}
