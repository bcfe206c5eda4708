package dev.holdfast.core.config;

import dev.holdfast.core.HedgePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The section {@code hedge}. */
final class HedgeKeys {
    private static final String OFF = "off";

    private static final Key<Optional<HedgePolicy>> PRESET = Key.of(
            "preset",
            Kinds.written(
                    "off, or a text such as after: p95, budget: 0.05",
                    text -> text.equals(OFF) ? Optional.empty() : Optional.of(HedgePolicy.parse(text))),
            "what holds where nothing else in this section says otherwise");
    private static final Key<Optional<HedgePolicy>> AFTER = Key.of(
            "after",
            Kinds.written(
                    "off, a percentile of the target's latency such as p95, or a delay such as 300ms",
                    text -> text.equals(OFF) ? Optional.empty() : Optional.of(HedgePolicy.parse("after: " + text))),
            "how long an attempt may take until another is sent beside it");
    private static final Key<Duration> FLOOR = Key.of(
                    "floor", Kinds.DURATION, "the least delay, whatever the percentile says")
            .usually("50ms");
    private static final Key<Integer> SAMPLES = Key.of(
                    "samples",
                    Kinds.count(1, 1_000_000),
                    "how many latencies of the last minutes it takes for a percentile")
            .usually("20");
    private static final Key<Double> BUDGET = Key.of(
                    "budget", Kinds.SHARE, "how many hedges each first attempt on a target earns")
            .usually("0.05");
    private static final Key<Integer> RESERVE = Key.of(
                    "reserve", Kinds.count(0, 1_000_000), "how many hedges are allowed beyond that")
            .usually("10");

    private static final Schema SCHEMA = Schema.of(
                    "when a second attempt is sent beside one that takes long; none is if it is absent",
                    PRESET,
                    AFTER,
                    FLOOR,
                    SAMPLES,
                    BUDGET,
                    RESERVE)
            .withShorthand(PRESET);
    static final Key<Section> HEDGE = Key.of("hedge", Kinds.section(SCHEMA), SCHEMA.title());

    private HedgeKeys() {}

    /** The policy; empty for no hedges. */
    static Optional<HedgePolicy> read(Section section) {
        for (Key<?> key : List.of(FLOOR, SAMPLES, BUDGET, RESERVE)) {
            if (section.has(key) && !section.has(PRESET) && !section.has(AFTER)) {
                throw section.refused(key, "without after (expected: after beside it)");
            }
        }
        Optional<HedgePolicy> base = section.get(PRESET).flatMap(policy -> policy);
        Optional<HedgePolicy> policy = section.get(AFTER)
                .map(after -> after.map(own -> like(own, base)))
                .orElse(base);
        return policy.map(so -> changed(so, section));
    }

    /** When it hedges is its own; the rest is the base's, if there is one. */
    private static HedgePolicy like(HedgePolicy own, Optional<HedgePolicy> base) {
        return base.map(other -> own.withFloor(other.floor())
                        .withMinSamples(other.minSamples())
                        .withBudget(other.budget(), other.reserve()))
                .orElse(own);
    }

    private static HedgePolicy changed(HedgePolicy policy, Section section) {
        HedgePolicy changed = section.change(policy, FLOOR, HedgePolicy::withFloor);
        changed = section.change(changed, SAMPLES, HedgePolicy::withMinSamples);
        changed = section.change(changed, BUDGET, (so, ratio) -> so.withBudget(ratio, so.reserve()));
        return section.change(changed, RESERVE, (so, beyond) -> so.withBudget(so.budget(), beyond));
    }
}
