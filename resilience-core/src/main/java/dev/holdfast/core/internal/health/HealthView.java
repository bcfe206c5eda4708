package dev.holdfast.core.internal.health;

import dev.holdfast.HealthStatus;
import java.time.Duration;
import java.util.Optional;

/**
 * How an endpoint, or a model on it, does now.
 *
 * @param status its standing
 * @param latency the mean latency of calls; empty before the first
 * @param idle how long ago the last sample of that came; zero before the first
 * @param sinceGood how long ago a call went well there, if none failed since; empty for none
 * @param probeLatency the mean latency of probes; empty before the first
 * @param errorRate the share of calls that failed lately, 0 to 1
 * @param calls how many calls that share is of, those of long ago counting less
 * @param inFlight how many attempts are on their way
 * @param failuresInRow how often it failed in a row
 * @param share the part of its weight that it has, 0.1 to 1: less while it has just returned
 * @param mark what speaks against it though it lives; empty for nothing
 * @param trialDue whether it is unhealthy, and was left alone for long enough that a call may try it
 */
public record HealthView(
        HealthStatus status,
        Optional<Duration> latency,
        Duration idle,
        Optional<Duration> sinceGood,
        Optional<Duration> probeLatency,
        double errorRate,
        double calls,
        int inFlight,
        int failuresInRow,
        double share,
        Optional<Sign> mark,
        boolean trialDue) {}
