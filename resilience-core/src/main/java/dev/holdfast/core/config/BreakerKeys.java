package dev.holdfast.core.config;

import dev.holdfast.BreakerState;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The sections {@code breaker}: the client's, and a model's own. */
final class BreakerKeys {
    private static final Key<BreakerPolicy> PRESET =
            Key.of("preset", Kinds.choice(presets()), "what holds where nothing else in this section says otherwise");
    private static final Key<Integer> CONSECUTIVE =
            Key.of("consecutive-failures", Kinds.count(1, 1_000_000), "how many failures in a row open it");
    private static final Key<Integer> LAST_CALLS = Key.of(
            "last-calls", Kinds.count(1, 100_000), "judges the shares of failed and slow calls by so many calls");
    private static final Key<Duration> LAST_TIME =
            Key.of("last-time", Kinds.DURATION, "judges the shares of failed and slow calls by so long a time");
    private static final Key<Integer> MINIMUM_CALLS =
            Key.of("minimum-calls", Kinds.count(1, 1_000_000), "fewer calls in the window open nothing");
    private static final Key<Double> FAILURE_RATE =
            Key.of("failure-rate", Kinds.SHARE, "the share of failed calls that opens it");
    private static final Key<Double> SLOW_RATE =
            Key.of("slow-rate", Kinds.SHARE, "the share of slow calls that opens it");
    private static final Key<Duration> SLOW_OVER =
            Key.of("slow-over", Kinds.DURATION, "a call that takes longer is slow");
    private static final Key<Duration> OPEN_FOR =
            Key.of("open-for", Kinds.DURATION, "how long it stays open the first time");
    private static final Key<Double> OPEN_FACTOR =
            Key.of("open-factor", Kinds.number(1, 1_000), "by how much each further open time is longer");
    private static final Key<Duration> MAX_OPEN_FOR =
            Key.of("max-open-for", Kinds.DURATION, "the longest open time, also for what a server suggests");
    private static final Key<Double> JITTER =
            Key.of("jitter", Kinds.SHARE, "by what share the open time varies up and down");
    private static final Key<Integer> PROBES =
            Key.of("half-open-probes", Kinds.count(1, 1_000_000), "how many probes may be outstanding");
    private static final Key<Integer> SUCCESSES =
            Key.of("successes-to-close", Kinds.count(1, 1_000_000), "how many probes have to succeed before it closes");
    private static final Key<Duration> PROBE_TIMEOUT =
            Key.of("probe-timeout", Kinds.DURATION, "after what time a probe that never reported is given to another");
    private static final Key<Boolean> COUNT_RATE_LIMITS = Key.of(
                    "count-429", Kinds.FLAG, "whether a rate limit counts as a failure")
            .usually("false");
    private static final Key<BreakerState> INITIAL =
            Key.of("initial-state", Kinds.choice(states()), "how it starts").usually("closed");

    private static final Schema SCHEMA = Schema.of(
                    "when a target that fails is left alone",
                    PRESET,
                    CONSECUTIVE,
                    LAST_CALLS,
                    LAST_TIME,
                    MINIMUM_CALLS,
                    FAILURE_RATE,
                    SLOW_RATE,
                    SLOW_OVER,
                    OPEN_FOR,
                    OPEN_FACTOR,
                    MAX_OPEN_FOR,
                    JITTER,
                    PROBES,
                    SUCCESSES,
                    PROBE_TIMEOUT,
                    COUNT_RATE_LIMITS,
                    INITIAL)
            .withShorthand(PRESET);
    static final Key<Section> BREAKER = Key.of("breaker", Kinds.section(SCHEMA), SCHEMA.title());

    private BreakerKeys() {}

    static BreakerPolicy read(Section section) {
        BreakerPolicy policy = section.get(PRESET).orElseGet(BreakerPolicy::defaults);
        policy = section.change(policy, CONSECUTIVE, BreakerPolicy::withFailureThreshold);
        policy = withWindow(policy, section);
        policy = openTimes(policy, section);
        policy = section.change(policy, JITTER, BreakerPolicy::withJitter);
        policy = section.change(policy, PROBES, (so, most) -> so.withProbes(most, so.successThreshold()));
        policy = section.change(policy, SUCCESSES, (so, successes) -> so.withProbes(so.maxProbes(), successes));
        policy = section.change(policy, PROBE_TIMEOUT, BreakerPolicy::withProbeTimeout);
        policy = section.change(policy, COUNT_RATE_LIMITS, BreakerPolicy::withCountRateLimits);
        return section.change(policy, INITIAL, BreakerPolicy::withInitialState);
    }

    /** The cap first: one open time above the preset's cap would be refused before the file's own cap is read. */
    private static BreakerPolicy openTimes(BreakerPolicy policy, Section section) {
        Duration longest = section.get(MAX_OPEN_FOR).orElse(policy.maxOpenTime());
        Duration first = section.get(OPEN_FOR).orElse(policy.openTime());
        double factor = section.get(OPEN_FACTOR).orElse(policy.openFactor());
        if (section.has(MAX_OPEN_FOR) && longest.compareTo(first) < 0) {
            throw section.refused(MAX_OPEN_FOR, "shorter than open-for (expected: at least that)");
        }
        BreakerPolicy changed = section.change(policy, OPEN_FOR, (so, time) -> so.withOpenTime(time));
        if (!section.has(OPEN_FACTOR) && !section.has(MAX_OPEN_FOR)) {
            return changed;
        }
        return changed.withGrowth(factor, longest.compareTo(first) < 0 ? first : longest);
    }

    private static BreakerPolicy withWindow(BreakerPolicy policy, Section section) {
        if (section.has(LAST_CALLS) && section.has(LAST_TIME)) {
            throw section.refused(LAST_TIME, "beside last-calls (expected: one of the two)");
        }
        Optional<BreakerWindow> window = policy.window();
        window = section.change(window, LAST_CALLS, (so, calls) -> Optional.of(BreakerWindow.ofCalls(calls)));
        window = section.change(window, LAST_TIME, (so, length) -> Optional.of(BreakerWindow.ofTime(length)));
        for (Key<?> key : List.of(MINIMUM_CALLS, FAILURE_RATE, SLOW_RATE, SLOW_OVER)) {
            if (window.isEmpty() && section.has(key)) {
                throw section.refused(key, "without a window (expected: last-calls or last-time beside it)");
            }
        }
        if (section.has(SLOW_RATE) != section.has(SLOW_OVER)) {
            Key<?> one = section.has(SLOW_RATE) ? SLOW_RATE : SLOW_OVER;
            throw section.refused(one, "alone (expected: slow-rate and slow-over together)");
        }
        return window.map(rates -> policy.withWindow(rates(rates, section))).orElse(policy);
    }

    private static BreakerWindow rates(BreakerWindow window, Section section) {
        BreakerWindow changed = section.change(window, MINIMUM_CALLS, BreakerWindow::withMinimumCalls);
        changed = section.change(changed, FAILURE_RATE, BreakerWindow::withFailureRate);
        return section.change(changed, SLOW_RATE, (so, share) -> so.withSlowCalls(share, section.require(SLOW_OVER)));
    }

    private static Map<String, BreakerPolicy> presets() {
        var presets = new LinkedHashMap<String, BreakerPolicy>();
        presets.put("defaults", BreakerPolicy.defaults());
        presets.put("adaptive", BreakerPolicy.adaptive());
        presets.put("off", BreakerPolicy.off());
        presets.put("metrics-only", BreakerPolicy.metricsOnly());
        presets.putAll(new TreeMap<>(BreakerPolicy.presets()));
        return presets;
    }

    private static Map<String, BreakerState> states() {
        var states = new LinkedHashMap<String, BreakerState>();
        states.put("closed", BreakerState.CLOSED);
        states.put("forced-open", BreakerState.FORCED_OPEN);
        states.put("disabled", BreakerState.DISABLED);
        states.put("metrics-only", BreakerState.METRICS_ONLY);
        return states;
    }
}
