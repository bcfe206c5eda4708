package dev.holdfast.core;

import dev.holdfast.BreakerState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * When a circuit breaker opens, for how long, and how it finds out that the target is back.
 *
 * <p>The defaults: it opens after 5 failures in a row for 30 s, then lets 3 probes through at a time and closes after 2 good
 * ones. Two are the fewest that one lucky answer cannot fake, and 3 at a time save a target that answers slowly from
 * being probed one by one.
 *
 * @param failureThreshold after how many failures in a row it opens, at least 1; not looked at where there is a window
 * @param window by which shares of failed and slow calls it opens; empty for failures in a row
 * @param openTime how long it stays open the first time
 * @param openFactor by what the open time grows each time it opens again without having closed; 1 keeps it fixed
 * @param maxOpenTime the longest open time, also for what a server suggests; at least {@code openTime}
 * @param jitter by what share the open time varies up and down, 0 to 1
 * @param maxProbes how many probes may be outstanding while half-open, at least 1
 * @param successThreshold how many probes have to succeed before it closes, at least 1
 * @param probeTimeout after what time the slot of a probe that never reported is given to another; longer than an
 *     attempt may take
 * @param countRateLimits whether a rate limit (429) of the provider counts as a failure; by default it is ignored, since
 *     the target rests anyway
 * @param initialState how it starts and what a reset leads back to: {@code CLOSED}, {@code FORCED_OPEN},
 *     {@code DISABLED} or {@code METRICS_ONLY}
 */
public record BreakerPolicy(
        int failureThreshold,
        Optional<BreakerWindow> window,
        Duration openTime,
        double openFactor,
        Duration maxOpenTime,
        double jitter,
        int maxProbes,
        int successThreshold,
        Duration probeTimeout,
        boolean countRateLimits,
        BreakerState initialState) {

    private static final Duration LONGEST = Duration.ofDays(365);
    private static final BreakerPolicy DEFAULTS = new BreakerPolicy(
            5,
            Optional.empty(),
            Duration.ofSeconds(30),
            1,
            Duration.ofMinutes(5),
            0,
            3,
            2,
            Duration.ofMinutes(5),
            false,
            BreakerState.CLOSED);
    private static final Map<String, BreakerPolicy> PRESETS = Map.of(
            "gpt-4.1", opening(5, 60, 3, 3),
            "claude-sonnet-4.5", opening(3, 30, 3, 3),
            "gemini-2.5-flash", opening(7, 90, 3, 3),
            "deepseek-v3.2", opening(4, 45, 3, 3),
            "degradation", opening(5, 60, 3, 3),
            "rate-limits", opening(5, 30, 3, 2),
            "rag", opening(3, 60, 2, 2));

    /** Refuses values out of range. */
    public BreakerPolicy {
        atLeastOne("failureThreshold", failureThreshold);
        between("openTime", openTime, Duration.ofNanos(1), LONGEST);
        if (!(openFactor >= 1 && openFactor <= 1_000)) {
            throw new IllegalArgumentException("openFactor: " + openFactor + " (expected: 1 to 1000)");
        }
        between("maxOpenTime", maxOpenTime, openTime, LONGEST);
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("jitter: " + jitter + " (expected: 0 to 1)");
        }
        atLeastOne("maxProbes", maxProbes);
        atLeastOne("successThreshold", successThreshold);
        between("probeTimeout", probeTimeout, Duration.ofNanos(1), LONGEST);
        if (initialState == BreakerState.OPEN || initialState == BreakerState.HALF_OPEN) {
            throw new IllegalArgumentException(
                    "initialState: " + initialState + " (expected: CLOSED, FORCED_OPEN, DISABLED or METRICS_ONLY)");
        }
    }

    /** {@return opens after 5 failures in a row for 30 s, 3 probes at a time, closes after 2 that succeed} */
    public static BreakerPolicy defaults() {
        return DEFAULTS;
    }

    /** {@return for outages of seconds: opens for 1 s, twice as long each time up to 30 s, ±20 %; one probe decides} */
    public static BreakerPolicy adaptive() {
        return DEFAULTS.withOpenTime(Duration.ofSeconds(1))
                .withGrowth(2, Duration.ofSeconds(30))
                .withJitter(0.2)
                .withProbes(1, 1);
    }

    /** {@return admits everything and counts nothing} */
    public static BreakerPolicy off() {
        return DEFAULTS.withInitialState(BreakerState.DISABLED);
    }

    /** {@return counts as the defaults do and rejects nothing} */
    public static BreakerPolicy metricsOnly() {
        return DEFAULTS.withInitialState(BreakerState.METRICS_ONLY);
    }

    /**
     * {@return ready-made policies by name; nothing uses them until it names one}
     *
     * <p>By model, failures and open time, 3 probes to close: {@code gpt-4.1} 5 / 60 s, {@code claude-sonnet-4.5}
     * 3 / 30 s, {@code gemini-2.5-flash} 7 / 90 s, {@code deepseek-v3.2} 4 / 45 s. By use: {@code degradation} 5 / 60 s,
     * 3 to close; {@code rate-limits} 5 / 30 s, 2 to close; {@code rag} 3 / 60 s, 2 probes at a time, 2 to close.
     */
    public static Map<String, BreakerPolicy> presets() {
        return PRESETS;
    }

    /**
     * {@return this policy, which opens after failures in a row}
     *
     * @param failures after how many
     */
    public BreakerPolicy withFailureThreshold(int failures) {
        return with(draft -> {
            draft.failureThreshold = failures;
            draft.window = Optional.empty();
        });
    }

    /**
     * {@return this policy, which opens by the share of failed or slow calls}
     *
     * @param rates which calls it looks at, and from which shares on it opens
     */
    public BreakerPolicy withWindow(BreakerWindow rates) {
        return with(draft -> draft.window = Optional.of(rates));
    }

    /**
     * {@return this policy with another first open time; the longest one grows with it if it has to}
     *
     * @param time how long it stays open the first time
     */
    public BreakerPolicy withOpenTime(Duration time) {
        return with(draft -> {
            draft.openTime = time;
            draft.maxOpenTime = time.compareTo(maxOpenTime) > 0 ? time : maxOpenTime;
        });
    }

    /**
     * {@return this policy with an open time that grows}
     *
     * @param factor by what it grows each time it opens again; 1 keeps it fixed
     * @param longest the longest open time, also for what a server suggests
     */
    public BreakerPolicy withGrowth(double factor, Duration longest) {
        return with(draft -> {
            draft.openFactor = factor;
            draft.maxOpenTime = longest;
        });
    }

    /**
     * {@return this policy with an open time that varies}
     *
     * @param share by what share up and down, 0 to 1
     */
    public BreakerPolicy withJitter(double share) {
        return with(draft -> draft.jitter = share);
    }

    /**
     * {@return this policy with other probes}
     *
     * @param outstanding how many may be outstanding
     * @param successes how many have to succeed before it closes
     */
    public BreakerPolicy withProbes(int outstanding, int successes) {
        return with(draft -> {
            draft.maxProbes = outstanding;
            draft.successThreshold = successes;
        });
    }

    /**
     * {@return this policy with another patience for probes}
     *
     * @param timeout after what time the slot of a silent probe is given to another
     */
    public BreakerPolicy withProbeTimeout(Duration timeout) {
        return with(draft -> draft.probeTimeout = timeout);
    }

    /**
     * {@return this policy with rate limits of the provider counted as failures, or not}
     *
     * @param count whether they count
     */
    public BreakerPolicy withCountRateLimits(boolean count) {
        return with(draft -> draft.countRateLimits = count);
    }

    /**
     * {@return this policy with another start}
     *
     * @param state how the breaker starts and what a reset leads back to
     */
    public BreakerPolicy withInitialState(BreakerState state) {
        return with(draft -> draft.initialState = state);
    }

    private static BreakerPolicy opening(int failures, long seconds, int probes, int successes) {
        return DEFAULTS.withFailureThreshold(failures)
                .withOpenTime(Duration.ofSeconds(seconds))
                .withProbes(probes, successes);
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
        }
    }

    private static void between(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }

    private BreakerPolicy with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** The components of a copy, open to one change. */
    private static final class Draft {
        private int failureThreshold;
        private Optional<BreakerWindow> window;
        private Duration openTime;
        private double openFactor;
        private Duration maxOpenTime;
        private double jitter;
        private int maxProbes;
        private int successThreshold;
        private Duration probeTimeout;
        private boolean countRateLimits;
        private BreakerState initialState;

        Draft(BreakerPolicy policy) {
            failureThreshold = policy.failureThreshold;
            window = policy.window;
            openTime = policy.openTime;
            openFactor = policy.openFactor;
            maxOpenTime = policy.maxOpenTime;
            jitter = policy.jitter;
            maxProbes = policy.maxProbes;
            successThreshold = policy.successThreshold;
            probeTimeout = policy.probeTimeout;
            countRateLimits = policy.countRateLimits;
            initialState = policy.initialState;
        }

        BreakerPolicy finish() {
            return new BreakerPolicy(
                    failureThreshold,
                    window,
                    openTime,
                    openFactor,
                    maxOpenTime,
                    jitter,
                    maxProbes,
                    successThreshold,
                    probeTimeout,
                    countRateLimits,
                    initialState);
        }
    }
}
