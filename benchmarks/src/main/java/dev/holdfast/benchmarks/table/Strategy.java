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
    NONE("none", bare(1, Backoff.immediate()), Published.of(847, 2340, 94.2, 0)),
    /** Four attempts, 1 s apart. */
    FIXED("fixed", bare(4, Backoff.fixed(Duration.ofSeconds(1))), Published.of(1203, 4521, 97.8, 2.3)),
    /** Four attempts after 1, 2 and 4 s. */
    EXPONENTIAL("exponential", bare(4, exponential()), Published.of(1456, 8234, 99.4, 4.1)),
    /** The same times a factor from 0.5 to 1.5. */
    EXPONENTIAL_JITTER(
            "exponential-jitter",
            bare(4, exponential().withJitter(Jitter.proportional(0.5))),
            Published.of(1287, 5892, 99.6, 3.2)),
    /** The next model at once, each once. */
    SMART_ROUTING(
            "smart-routing",
            bare(1, Backoff.immediate()).withFallbackOn(FailureKind.CONTENT_POLICY),
            Published.of(923, 3120, 99.8, 1.8)),
    /** What a client does if nobody sets anything. */
    DEFAULTS("defaults", RetryPolicy.standard(), Optional.empty());

    private final String title;
    private final RetryPolicy policy;
    private final Optional<Published> published;

    /** The published figures of a row. */
    public record Published(double meanMs, double maxMs, double successPct, double costPct) {
        private static Optional<Published> of(double meanMs, double maxMs, double successPct, double costPct) {
            return Optional.of(new Published(meanMs, maxMs, successPct, costPct));
        }
    }

    Strategy(String title, RetryPolicy policy, Optional<Published> published) {
        this.title = title;
        this.policy = policy;
        this.published = published;
    }

    /** The row's name. */
    public String title() {
        return title;
    }

    /** What the client is told. */
    public RetryPolicy policy() {
        return policy;
    }

    /** The models it may use. */
    public List<String> route() {
        return this == SMART_ROUTING
                ? PublishedWeather.models()
                : PublishedWeather.models().subList(0, 1);
    }

    /** Whether it is what a client does of itself, breaker and all, not one of the published rows. */
    public boolean shipped() {
        return published.isEmpty();
    }

    /** What was published. */
    public Optional<Published> published() {
        return published;
    }

    private static Backoff exponential() {
        return Backoff.exponential(Duration.ofSeconds(1));
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
