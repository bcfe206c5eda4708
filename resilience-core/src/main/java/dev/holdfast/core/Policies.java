package dev.holdfast.core;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a client does about failures, as one value.
 *
 * <p>Ready-made ones are presets of the whole; those of a part are in {@link RetryPolicy#presets()} and
 * {@link BreakerPolicy#presets()}. A value; safe for use by many threads.
 *
 * @param retry how often, how long and for what a call is tried again
 * @param breaker the breaker of every target whose model names none of its own; empty for none
 */
public record Policies(RetryPolicy retry, Optional<BreakerPolicy> breaker) {
    private static final Policies STANDARD =
            new Policies(RetryPolicy.standard(), Optional.of(BreakerPolicy.adaptive()));
    private static final Policies ADAPTIVE = new Policies(
            RetryPolicy.adaptive(),
            Optional.of(BreakerPolicy.adaptive()
                    .withFailureThreshold(3)
                    .withOpenTime(Duration.ofMillis(200))
                    .withGrowth(1.2, Duration.ofSeconds(1))));
    private static final Map<String, Policies> PRESETS = Map.of("standard", STANDARD, "adaptive", ADAPTIVE);

    /** {@return what a client does that names no policies} */
    public static Policies standard() {
        return STANDARD;
    }

    /**
     * {@return for clients with several models or endpoints, whatever the weather: {@link RetryPolicy#adaptive()} and a breaker that
     * opens after 3 failures in a row for 200 ms, a fifth longer each time up to 1 s, ±20 %, and is closed by one good probe. With
     * a single target {@link #standard()} saves more}
     */
    public static Policies adaptive() {
        return ADAPTIVE;
    }

    /** {@return the ready-made policies by name: {@code standard}, {@code adaptive}} */
    public static Map<String, Policies> presets() {
        return PRESETS;
    }

    /** {@return a builder of clients that have these policies} */
    public ClientBuilder builder() {
        ClientBuilder builder = ResilientClient.builder().retry(retry);
        return breaker.map(builder::breaker).orElseGet(builder::withoutBreaker);
    }

    /**
     * {@return these policies with another policy of retry}
     *
     * @param other the policy
     */
    public Policies withRetry(RetryPolicy other) {
        return new Policies(other, breaker);
    }

    /**
     * {@return these policies with another breaker}
     *
     * @param other the breaker
     */
    public Policies withBreaker(BreakerPolicy other) {
        return new Policies(retry, Optional.of(other));
    }

    /** {@return these policies without a breaker} */
    public Policies withoutBreaker() {
        return new Policies(retry, Optional.empty());
    }
}
