package dev.holdfast.core;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How much a target may be asked. What is empty is not limited; the defaults limit nothing.
 *
 * @param rpm requests within any minute, at least 1
 * @param tpm tokens within any minute, input and output together, at least 1
 * @param concurrency attempts in flight, at least 1
 * @param maxWait how long an attempt may wait for its turn; zero to be refused rather than wait
 */
public record LimitPolicy(OptionalLong rpm, OptionalLong tpm, OptionalInt concurrency, Duration maxWait) {
    private static final long LARGEST = 1_000_000_000_000L;
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final LimitPolicy DEFAULTS =
            new LimitPolicy(OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty(), Duration.ofSeconds(30));
    private static final Map<String, LimitPolicy> PRESETS = Map.of(
            "gpt-4.1", perMinute(500, 1_000_000),
            "gpt-4.1-mini", DEFAULTS.withRpm(1_000),
            "claude-sonnet-4.5", perMinute(1_000, 500_000),
            "gemini-2.5-flash", perMinute(1_000, 2_000_000),
            "deepseek-v3.2", perMinute(2_000, 4_000_000));

    /** Refuses values out of range. */
    public LimitPolicy {
        inRange("rpm", rpm);
        inRange("tpm", tpm);
        if (concurrency.isPresent() && concurrency.getAsInt() < 1) {
            throw new IllegalArgumentException("concurrency: " + concurrency.getAsInt() + " (expected: >= 1)");
        }
        if (maxWait.isNegative() || maxWait.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("maxWait: " + maxWait + " (expected: 0 to " + LONGEST + ")");
        }
    }

    /** {@return no limit; waits up to 30 s once there is one} */
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
        return new LimitPolicy(OptionalLong.of(requests), tpm, concurrency, maxWait);
    }

    /**
     * {@return this policy with a limit on tokens}
     *
     * @param tokens tokens within any minute
     */
    public LimitPolicy withTpm(long tokens) {
        return new LimitPolicy(rpm, OptionalLong.of(tokens), concurrency, maxWait);
    }

    /**
     * {@return this policy with a limit on attempts in flight}
     *
     * @param attempts attempts in flight
     */
    public LimitPolicy withConcurrency(int attempts) {
        return new LimitPolicy(rpm, tpm, OptionalInt.of(attempts), maxWait);
    }

    /**
     * {@return this policy with another patience}
     *
     * @param wait how long an attempt may wait for its turn
     */
    public LimitPolicy withMaxWait(Duration wait) {
        return new LimitPolicy(rpm, tpm, concurrency, wait);
    }

    /** {@return whether anything is limited} */
    public boolean limitsAnything() {
        return rpm.isPresent() || tpm.isPresent() || concurrency.isPresent();
    }

    private static void inRange(String name, OptionalLong value) {
        if (value.isPresent() && (value.getAsLong() < 1 || value.getAsLong() > LARGEST)) {
            throw new IllegalArgumentException(name + ": " + value.getAsLong() + " (expected: 1 to " + LARGEST + ")");
        }
    }
}
