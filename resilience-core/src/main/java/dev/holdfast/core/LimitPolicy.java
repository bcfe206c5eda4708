package dev.holdfast.core;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How much a target may be asked. What is empty is not limited; the defaults limit nothing.
 *
 * <pre>{@code
 * LimitPolicy.perMinute(500, 1_000_000).withConcurrency(20).withPacing(true)
 * }</pre>
 *
 * @param rpm requests within any minute, at least 1
 * @param tpm tokens within any minute, input and output together, at least 1
 * @param inputTpm input tokens within any minute, at least 1
 * @param outputTpm output tokens within any minute, at least 1
 * @param concurrency attempts in flight, at least 1
 * @param adaptive attempts in flight, found out from how they end; not beside {@code concurrency}
 * @param maxWait how long an attempt may wait for its turn; zero to be refused rather than wait: a client's call that has no other
 *     target then ends with {@code limit_exceeded} and does not wait for the limit in any other way either
 * @param pacing whether grants keep a distance instead of going out in bursts
 * @param learning what the rate-limit headers of answers change
 * @param calibration whether a client corrects its guesses of a model's tokens by what its answers really used; where tokens are
 *     given to a {@link RateLimiter} they are never corrected
 * @param instances how many processes share these limits evenly, at least 1
 * @param margin how much longer than a minute a grant counts, up to a minute: as much as two requests may differ in the time
 *     they take to the provider
 */
public record LimitPolicy(
        OptionalLong rpm,
        OptionalLong tpm,
        OptionalLong inputTpm,
        OptionalLong outputTpm,
        OptionalInt concurrency,
        Optional<AdaptivePolicy> adaptive,
        Duration maxWait,
        boolean pacing,
        Learning learning,
        boolean calibration,
        int instances,
        Duration margin) {
    private static final long LARGEST = 1_000_000_000_000L;
    private static final int MOST_INSTANCES = 1_000_000;
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final Duration LARGEST_MARGIN = Duration.ofMinutes(1);
    private static final LimitPolicy DEFAULTS = new LimitPolicy(
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Duration.ofSeconds(30),
            false,
            Learning.FOLLOW,
            true,
            1,
            Duration.ZERO);
    private static final Map<String, LimitPolicy> PRESETS = Map.of(
            "gpt-4.1", perMinute(500, 1_000_000),
            "gpt-4.1-mini", DEFAULTS.withRpm(1_000),
            "claude-sonnet-4.5", perMinute(1_000, 500_000),
            "gemini-2.5-flash", perMinute(1_000, 2_000_000),
            "deepseek-v3.2", perMinute(2_000, 4_000_000),
            "rate-limits", DEFAULTS.withRpm(500).withLearning(Learning.MEASURED));

    /** What the rate-limit headers of answers change. Never more than the policy allows. */
    public enum Learning {
        /** Nothing. */
        OFF,
        /** A lower limit is taken over; what remains is not overdrawn, and when little is left it is spread over the time to reset. */
        FOLLOW,
        /** Besides, when fewer than 50 requests remain, the limit is 0.8 of what was granted in the last minute. */
        MEASURED
    }

    /** Refuses values out of range, and limits that cannot be shared by so many. */
    public LimitPolicy {
        if (instances < 1 || instances > MOST_INSTANCES) {
            throw refused("instances", instances, "1 to " + MOST_INSTANCES);
        }
        inRange("rpm", rpm, instances);
        inRange("tpm", tpm, instances);
        inRange("inputTpm", inputTpm, instances);
        inRange("outputTpm", outputTpm, instances);
        if (concurrency.isPresent() && concurrency.getAsInt() < instances) {
            throw refused("concurrency", concurrency.getAsInt(), ">= " + instances);
        }
        if (concurrency.isPresent() && adaptive.isPresent()) {
            throw refused("concurrency", concurrency.getAsInt(), "none beside an adaptive one");
        }
        if (maxWait.isNegative() || maxWait.compareTo(LONGEST) > 0) {
            throw refused("maxWait", maxWait, "0 to " + LONGEST);
        }
        if (margin.isNegative() || margin.compareTo(LARGEST_MARGIN) > 0) {
            throw refused("margin", margin, "0 to " + LARGEST_MARGIN);
        }
    }

    /** {@return no limit; waits up to 30 s once there is one, and follows what the provider says} */
    public static LimitPolicy defaults() {
        return DEFAULTS;
    }

    /**
     * {@return a limit on requests and tokens; waits up to 30 s}
     *
     * @param rpm requests within any minute
     * @param tpm tokens within any minute
     */
    public static LimitPolicy perMinute(long rpm, long tpm) {
        return DEFAULTS.withRpm(rpm).withTpm(tpm);
    }

    /**
     * {@return ready-made policies by model; nothing uses them until it names one}
     *
     * <p>Requests and tokens a minute: {@code gpt-4.1} 500 and 1M, {@code gpt-4.1-mini} 1,000 requests,
     * {@code claude-sonnet-4.5} 1,000 and 500K, {@code gemini-2.5-flash} 1,000 and 2M, {@code deepseek-v3.2} 2,000 and 4M.
     * {@code rate-limits} is the articles' limiter: 500 requests, and 0.8 of what was measured when fewer than 50 remain.
     */
    public static Map<String, LimitPolicy> presets() {
        return PRESETS;
    }

    /**
     * {@return this policy with a limit on requests}
     *
     * @param requests requests within any minute
     */
    public LimitPolicy withRpm(long requests) {
        Fields fields = new Fields(this);
        fields.rpm = OptionalLong.of(requests);
        return fields.policy();
    }

    /**
     * {@return this policy with a limit on tokens}
     *
     * @param tokens tokens within any minute, input and output together
     */
    public LimitPolicy withTpm(long tokens) {
        Fields fields = new Fields(this);
        fields.tpm = OptionalLong.of(tokens);
        return fields.policy();
    }

    /**
     * {@return this policy with a limit on input tokens}
     *
     * @param tokens input tokens within any minute
     */
    public LimitPolicy withInputTpm(long tokens) {
        Fields fields = new Fields(this);
        fields.inputTpm = OptionalLong.of(tokens);
        return fields.policy();
    }

    /**
     * {@return this policy with a limit on output tokens}
     *
     * @param tokens output tokens within any minute
     */
    public LimitPolicy withOutputTpm(long tokens) {
        Fields fields = new Fields(this);
        fields.outputTpm = OptionalLong.of(tokens);
        return fields.policy();
    }

    /**
     * {@return this policy with a fixed limit on attempts in flight}
     *
     * @param attempts attempts in flight
     */
    public LimitPolicy withConcurrency(int attempts) {
        Fields fields = new Fields(this);
        fields.concurrency = OptionalInt.of(attempts);
        fields.adaptive = Optional.empty();
        return fields.policy();
    }

    /**
     * {@return this policy with a limit on attempts in flight that is found out}
     *
     * @param policy how it is found out
     */
    public LimitPolicy withAdaptiveConcurrency(AdaptivePolicy policy) {
        Fields fields = new Fields(this);
        fields.concurrency = OptionalInt.empty();
        fields.adaptive = Optional.of(policy);
        return fields.policy();
    }

    /**
     * {@return this policy with another patience}
     *
     * @param wait how long an attempt may wait for its turn
     */
    public LimitPolicy withMaxWait(Duration wait) {
        Fields fields = new Fields(this);
        fields.maxWait = wait;
        return fields.policy();
    }

    /**
     * {@return this policy with or without a distance between grants}
     *
     * @param on whether a grant keeps the next one away for its part of a minute
     */
    public LimitPolicy withPacing(boolean on) {
        Fields fields = new Fields(this);
        fields.pacing = on;
        return fields.policy();
    }

    /**
     * {@return this policy with another way to heed the provider's headers}
     *
     * @param rule what they change
     */
    public LimitPolicy withLearning(Learning rule) {
        Fields fields = new Fields(this);
        fields.learning = rule;
        return fields.policy();
    }

    /**
     * {@return this policy with or without correction of guessed tokens}
     *
     * @param on whether a client corrects its guesses of a model's tokens by what its answers really used
     */
    public LimitPolicy withCalibration(boolean on) {
        Fields fields = new Fields(this);
        fields.calibration = on;
        return fields.policy();
    }

    /**
     * {@return this policy for one of several processes: each keeps to its even part, rounded down}
     *
     * @param processes how many share the limits
     */
    public LimitPolicy withInstances(int processes) {
        Fields fields = new Fields(this);
        fields.instances = processes;
        return fields.policy();
    }

    /**
     * {@return this policy with another margin}
     *
     * @param longer how much longer than a minute a grant counts
     */
    public LimitPolicy withMargin(Duration longer) {
        Fields fields = new Fields(this);
        fields.margin = longer;
        return fields.policy();
    }

    /** {@return this policy without a limit on attempts in flight} */
    public LimitPolicy withoutConcurrency() {
        Fields fields = new Fields(this);
        fields.concurrency = OptionalInt.empty();
        fields.adaptive = Optional.empty();
        return fields.policy();
    }

    /** {@return this policy with no limits but that on attempts in flight} */
    public LimitPolicy withoutRates() {
        Fields fields = new Fields(this);
        fields.rpm = OptionalLong.empty();
        fields.tpm = OptionalLong.empty();
        fields.inputTpm = OptionalLong.empty();
        fields.outputTpm = OptionalLong.empty();
        fields.pacing = false;
        fields.learning = Learning.OFF;
        return fields.policy();
    }

    /** {@return whether anything is limited} */
    public boolean limitsAnything() {
        return rpm.isPresent()
                || tpm.isPresent()
                || inputTpm.isPresent()
                || outputTpm.isPresent()
                || concurrency.isPresent()
                || adaptive.isPresent();
    }

    /** {@return whether tokens are limited, together or apart} */
    public boolean limitsTokens() {
        return tpm.isPresent() || inputTpm.isPresent() || outputTpm.isPresent();
    }

    private static void inRange(String name, OptionalLong value, long least) {
        if (value.isPresent() && (value.getAsLong() < least || value.getAsLong() > LARGEST)) {
            throw refused(name, value.getAsLong(), least + " to " + LARGEST);
        }
    }

    private static IllegalArgumentException refused(String name, Object value, String expected) {
        return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }

    /** The components of a policy that is about to be made. */
    private static final class Fields {
        private OptionalLong rpm;
        private OptionalLong tpm;
        private OptionalLong inputTpm;
        private OptionalLong outputTpm;
        private OptionalInt concurrency;
        private Optional<AdaptivePolicy> adaptive;
        private Duration maxWait;
        private boolean pacing;
        private Learning learning;
        private boolean calibration;
        private int instances;
        private Duration margin;

        Fields(LimitPolicy from) {
            rpm = from.rpm;
            tpm = from.tpm;
            inputTpm = from.inputTpm;
            outputTpm = from.outputTpm;
            concurrency = from.concurrency;
            adaptive = from.adaptive;
            maxWait = from.maxWait;
            pacing = from.pacing;
            learning = from.learning;
            calibration = from.calibration;
            instances = from.instances;
            margin = from.margin;
        }

        LimitPolicy policy() {
            return new LimitPolicy(
                    rpm,
                    tpm,
                    inputTpm,
                    outputTpm,
                    concurrency,
                    adaptive,
                    maxWait,
                    pacing,
                    learning,
                    calibration,
                    instances,
                    margin);
        }
    }
}
