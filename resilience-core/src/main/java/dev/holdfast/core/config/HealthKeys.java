package dev.holdfast.core.config;

import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.ProbePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The section {@code health}: what probes ask, and what is made of their answers and of calls. */
final class HealthKeys {
    private static final Key<Duration> INTERVAL = Key.of(
            "interval",
            Kinds.DURATION,
            "how long from one probe of an endpoint in use to the next; none is sent if it is absent");
    private static final Key<Duration> TIMEOUT =
            Key.of("timeout", Kinds.DURATION, "how long a probe may take").usually("5s");
    private static final Key<Double> JITTER = Key.of(
                    "jitter", Kinds.number(0, 0.5), "by what share the interval varies up and down")
            .usually("0.1");
    private static final Key<String> PATH = Key.of(
                    "path", Kinds.TEXT, "what is asked for by GET, from the endpoint's base URL on")
            .usually("/models");
    private static final Key<String> COMPLETION =
            Key.of("completion", Kinds.TEXT, "the model that is asked for a few tokens instead, which costs money");

    private static final Key<Integer> FAILURES = Key.of(
                    "failures", Kinds.count(1, 1_000_000), "how many failures in a row make it unhealthy")
            .usually("3");
    private static final Key<Integer> RECOVERIES = Key.of(
                    "recoveries", Kinds.count(1, 1_000_000), "how many successes in a row make it healthy again")
            .usually("2");
    private static final Key<Duration> DEGRADED_ABOVE = Key.of(
                    "degraded-above", Kinds.DURATION, "the mean latency of probes from which it is degraded")
            .usually("500ms");
    private static final Key<Double> DEGRADED_RATE = Key.of(
                    "degraded-error-rate", Kinds.SHARE, "the share of failed calls from which it is degraded")
            .usually("0.5");
    private static final Key<Duration> EJECTION = Key.of(
                    "ejection", Kinds.DURATION, "how long an unhealthy one is left alone before a call tries it")
            .usually("30s");
    private static final Key<Duration> LONGEST_EJECTION = Key.of(
                    "longest-ejection", Kinds.DURATION, "the longest it is left alone when that fails")
            .usually("5m");
    private static final Key<Duration> SLOW_START = Key.of(
                    "slow-start", Kinds.DURATION, "how long after its return until it has its full share")
            .usually("30s");
    private static final Key<Boolean> UNREACHABLE = Key.of(
                    "unreachable-at-once", Kinds.FLAG, "whether one failed connection makes it unhealthy")
            .usually("false");
    private static final Schema SCHEMA = Schema.of(
            "how endpoints in use are asked whether they are well, and when one is degraded or unhealthy",
            INTERVAL,
            TIMEOUT,
            JITTER,
            PATH,
            COMPLETION,
            FAILURES,
            RECOVERIES,
            DEGRADED_ABOVE,
            DEGRADED_RATE,
            EJECTION,
            LONGEST_EJECTION,
            SLOW_START,
            UNREACHABLE);
    static final Key<Section> HEALTH = Key.of("health", Kinds.section(SCHEMA), SCHEMA.title());

    private HealthKeys() {}

    static HealthPolicy read(Section section) {
        HealthPolicy policy = HealthPolicy.defaults();
        policy = section.change(policy, FAILURES, (so, most) -> so.withThresholds(most, so.recoveryThreshold()));
        policy = section.change(policy, RECOVERIES, (so, least) -> so.withThresholds(so.failureThreshold(), least));
        policy = section.change(
                policy, DEGRADED_ABOVE, (so, latency) -> so.withDegraded(latency, so.degradedErrorRate()));
        policy = section.change(policy, DEGRADED_RATE, (so, rate) -> so.withDegraded(so.degradedLatency(), rate));
        // The longer of the two first, so that neither is refused for the other's usual value.
        policy = section.change(
                policy, LONGEST_EJECTION, (so, longest) -> so.withEjection(shorter(so.ejection(), longest), longest));
        policy = section.change(
                policy,
                EJECTION,
                (so, first) -> so.withEjection(
                        first,
                        section.has(LONGEST_EJECTION) ? so.longestEjection() : longer(first, so.longestEjection())));
        policy = section.change(policy, SLOW_START, HealthPolicy::withSlowStart);
        return section.change(policy, UNREACHABLE, HealthPolicy::withUnreachableAtOnce);
    }

    /** How endpoints are probed; empty for not at all. */
    static Optional<ProbePolicy> readProbes(Section section) {
        if (!section.has(INTERVAL)) {
            for (Key<?> key : List.of(TIMEOUT, JITTER, PATH, COMPLETION)) {
                if (section.has(key)) {
                    throw section.refused(key, "without interval (expected: interval beside it)");
                }
            }
            return Optional.empty();
        }
        ProbePolicy policy = section.change(ProbePolicy.defaults(), INTERVAL, ProbePolicy::withInterval);
        policy = section.change(policy, TIMEOUT, ProbePolicy::withTimeout);
        policy = section.change(policy, JITTER, ProbePolicy::withJitter);
        policy = section.change(policy, PATH, ProbePolicy::withPath);
        return Optional.of(section.change(policy, COMPLETION, ProbePolicy::withCompletion));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
