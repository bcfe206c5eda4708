package dev.holdfast.core.config;

import dev.holdfast.core.AdaptivePolicy;
import dev.holdfast.core.LimitPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** The section {@code limits} of a model. */
final class LimitKeys {
    private static final long MOST = 1_000_000_000_000L;
    private static final Key<LimitPolicy> PRESET = Key.of(
            "preset",
            Kinds.choice(new TreeMap<>(LimitPolicy.presets())),
            "what holds where nothing else in this section says otherwise");
    private static final Key<Long> RPM = Key.of("rpm", Kinds.whole(1, MOST), "requests within any minute");
    private static final Key<Long> TPM =
            Key.of("tpm", Kinds.whole(1, MOST), "tokens within any minute, input and output together");
    private static final Key<Long> INPUT_TPM =
            Key.of("input-tpm", Kinds.whole(1, MOST), "input tokens within any minute");
    private static final Key<Long> OUTPUT_TPM =
            Key.of("output-tpm", Kinds.whole(1, MOST), "output tokens within any minute");
    private static final Key<Integer> CONCURRENCY =
            Key.of("concurrency", Kinds.count(1, Integer.MAX_VALUE), "attempts in flight on one endpoint");
    private static final Key<AdaptivePolicy> ADAPTIVE = Key.of(
            "adaptive-concurrency",
            Kinds.choice(new TreeMap<>(Map.of("aimd", AdaptivePolicy.aimd(), "gradient", AdaptivePolicy.gradient()))),
            "attempts in flight, found out from how they end; not beside concurrency");
    private static final Key<Duration> MAX_WAIT = Key.of(
                    "max-wait", Kinds.DURATION, "how long an attempt may wait for its turn")
            .usually("30s");
    private static final Key<Boolean> PACING = Key.of(
                    "pacing", Kinds.FLAG, "whether grants keep a distance instead of going out in bursts")
            .usually("false");
    private static final Key<LimitPolicy.Learning> LEARNING = Key.of(
                    "learning",
                    Kinds.choice(LimitPolicy.Learning.class),
                    "what the rate-limit headers of answers change")
            .usually("follow");
    private static final Key<Boolean> CALIBRATION = Key.of(
                    "calibration", Kinds.FLAG, "whether guesses of tokens are corrected by what answers used")
            .usually("true");
    private static final Key<Integer> INSTANCES = Key.of(
                    "instances", Kinds.count(1, 1_000_000), "how many processes share these limits evenly")
            .usually("1");
    private static final Key<Duration> MARGIN = Key.of(
                    "margin", Kinds.DURATION, "how much longer than a minute a grant counts")
            .usually("0s");

    private static final Schema SCHEMA = Schema.of(
                    "limits of a model on one account",
                    PRESET,
                    RPM,
                    TPM,
                    INPUT_TPM,
                    OUTPUT_TPM,
                    CONCURRENCY,
                    ADAPTIVE,
                    MAX_WAIT,
                    PACING,
                    LEARNING,
                    CALIBRATION,
                    INSTANCES,
                    MARGIN)
            .withShorthand(PRESET);
    static final Key<Section> LIMITS = Key.of("limits", Kinds.section(SCHEMA), SCHEMA.title());

    private LimitKeys() {}

    static LimitPolicy read(Section section) {
        LimitPolicy policy = section.get(PRESET).orElseGet(LimitPolicy::defaults);
        policy = section.change(policy, RPM, LimitPolicy::withRpm);
        policy = section.change(policy, TPM, LimitPolicy::withTpm);
        policy = section.change(policy, INPUT_TPM, LimitPolicy::withInputTpm);
        policy = section.change(policy, OUTPUT_TPM, LimitPolicy::withOutputTpm);
        policy = section.change(policy, CONCURRENCY, LimitPolicy::withConcurrency);
        policy = section.change(policy, ADAPTIVE, LimitPolicy::withAdaptiveConcurrency);
        policy = section.change(policy, MAX_WAIT, LimitPolicy::withMaxWait);
        policy = section.change(policy, PACING, LimitPolicy::withPacing);
        policy = section.change(policy, LEARNING, LimitPolicy::withLearning);
        policy = section.change(policy, CALIBRATION, LimitPolicy::withCalibration);
        policy = section.change(policy, MARGIN, LimitPolicy::withMargin);
        return section.change(policy, INSTANCES, LimitPolicy::withInstances);
    }
}
