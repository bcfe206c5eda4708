package dev.holdfast.core;

import dev.holdfast.spi.HealthProbe;
import java.time.Duration;
import java.util.Optional;

/**
 * How endpoints are asked whether they are well. Only those that calls use are asked, and only while no call has just shown that
 * they are. What the answers mean is for {@link HealthPolicy} to say: its thresholds, its mean latency.
 *
 * <p>The defaults: {@code GET /models} every 30 s, give or take a tenth, for at most 5 s.
 *
 * @param interval how long from the end of a probe to the next, 100 ms to 1 day
 * @param timeout how long a probe may take, above 0, at most 1 day
 * @param jitter which part the interval may be longer or shorter, 0 to 0.5, so that processes do not ask in step
 * @param path what to ask for by {@code GET}, from the endpoint's base URL on; begins with a slash
 * @param completion the model to ask for a few tokens instead, which costs money; empty for none
 * @param own asks in its own way instead; empty for none
 */
public record ProbePolicy(
        Duration interval,
        Duration timeout,
        double jitter,
        String path,
        Optional<String> completion,
        Optional<HealthProbe> own) {
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration DAY = Duration.ofDays(1);
    private static final ProbePolicy DEFAULTS = new ProbePolicy(
            Duration.ofSeconds(30), Duration.ofSeconds(5), 0.1, "/models", Optional.empty(), Optional.empty());

    /** Refuses values out of range, and two ways to ask. */
    public ProbePolicy {
        if (interval.compareTo(LEAST) < 0 || interval.compareTo(DAY) > 0) {
            throw new IllegalArgumentException("interval: " + interval + " (expected: " + LEAST + " to PT24H)");
        }
        if (!timeout.isPositive() || timeout.compareTo(DAY) > 0) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: above 0, at most PT24H)");
        }
        if (!(jitter >= 0 && jitter <= 0.5)) {
            throw new IllegalArgumentException("jitter: " + jitter + " (expected: 0 to 0.5)");
        }
        if (!path.startsWith("/")
                || path.startsWith("//")
                || path.chars().anyMatch(each -> each <= ' ' || each > '~')) {
            throw new IllegalArgumentException(
                    "path: \"" + path + "\" (expected: one slash, then printable ASCII without blanks, as in /health)");
        }
        if (completion.isPresent() && own.isPresent()) {
            throw new IllegalArgumentException("completion: beside an own probe (expected: one of them)");
        }
    }

    /** {@return the defaults} */
    public static ProbePolicy defaults() {
        return DEFAULTS;
    }

    /**
     * {@return this policy with another interval}
     *
     * @param length how long from one probe to the next
     */
    public ProbePolicy withInterval(Duration length) {
        return new ProbePolicy(length, timeout, jitter, path, completion, own);
    }

    /**
     * {@return this policy with another timeout}
     *
     * @param length how long a probe may take
     */
    public ProbePolicy withTimeout(Duration length) {
        return new ProbePolicy(interval, length, jitter, path, completion, own);
    }

    /**
     * {@return this policy with another jitter}
     *
     * @param part which part the interval may be longer or shorter
     */
    public ProbePolicy withJitter(double part) {
        return new ProbePolicy(interval, timeout, part, path, completion, own);
    }

    /**
     * {@return this policy with another path}
     *
     * @param asked what to ask for, from the endpoint's base URL on: {@code "/health"}
     */
    public ProbePolicy withPath(String asked) {
        return new ProbePolicy(interval, timeout, jitter, asked, completion, own);
    }

    /**
     * {@return this policy with calls of a few tokens for probes}
     *
     * <p>Such a probe is a real call of the model on the endpoint, but for the events of a whole call: limits, breaker, budgets and
     * the ledger see its one attempt, whose tag {@code holdfast.probe} is {@code completion}. Its evidence is that of a call.
     * Endpoints that do not serve the model, or in another form than OpenAI's chat, are not asked.
     *
     * @param model the model
     */
    public ProbePolicy withCompletion(String model) {
        return new ProbePolicy(interval, timeout, jitter, path, Optional.of(model), own);
    }

    /**
     * {@return this policy with an own way to ask}
     *
     * @param probe asks
     */
    public ProbePolicy withProbe(HealthProbe probe) {
        return new ProbePolicy(interval, timeout, jitter, path, completion, Optional.of(probe));
    }
}
