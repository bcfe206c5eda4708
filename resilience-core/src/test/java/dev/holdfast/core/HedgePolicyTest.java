package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HedgePolicyTest {
    @Test
    void theTextSaysAll() {
        assertThat(HedgePolicy.defaults())
                .hasToString("after: p95, floor: 50ms, samples: 20, budget: 0.05, reserve: 10");
        assertThat(HedgePolicy.after(Duration.ofSeconds(2)))
                .hasToString("after: 2s, floor: 0s, samples: 20, budget: 0.05, reserve: 10");
    }

    @Test
    void whatTheTextLeavesOutIsAsByDefault() {
        assertThat(HedgePolicy.parse("after: p95, budget: 0.05")).isEqualTo(HedgePolicy.defaults());
        assertThat(HedgePolicy.parse(" After:p99.9 ")).isEqualTo(HedgePolicy.afterPercentile(99.9));
        assertThat(HedgePolicy.parse("after: 750ms, reserve: 3"))
                .isEqualTo(HedgePolicy.after(Duration.ofMillis(750)).withBudget(0.05, 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "p95",
                "budget: 0.05",
                "after: p0",
                "after: p100",
                "after: p95.1234567",
                "after: soon",
                "after: -1s",
                "after: 2d",
                "after: p95, floor: x",
                "after: p95, samples: 0",
                "after: p95, samples: 1.5",
                "after: p95, budget: 2",
                "after: p95, budget: NaN",
                "after: p95, budget: 1e999999999",
                "after: p95, reserve: -1",
                "after: p95, colour: red",
                "after: p95,",
                "after: p95, floor: 1s, floor: 1s, floor: 1s, floor: 1s, floor: 1s"
            })
    void whatIsNoPolicyIsRefusedWithWordsOnWhatIs(String text) {
        assertThatThrownBy(() -> HedgePolicy.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void aPolicyHasADelayOrAPercentile() {
        assertThatThrownBy(() -> new HedgePolicy(Optional.empty(), OptionalDouble.empty(), Duration.ZERO, 20, 0.05, 10))
                .hasMessageContaining("after");
        assertThatThrownBy(() ->
                        new HedgePolicy(Optional.of(Duration.ZERO), OptionalDouble.of(95), Duration.ZERO, 20, 0.05, 10))
                .hasMessageContaining("after");
    }

    @Property
    void everyPolicyReadsBackFromItsText(@ForAll("policies") HedgePolicy policy) {
        assertThat(HedgePolicy.parse(policy.toString())).isEqualTo(policy);
    }

    @Provide
    Arbitrary<HedgePolicy> policies() {
        Arbitrary<HedgePolicy> delayed = Arbitraries.longs()
                .between(0, Duration.ofDays(1).toNanos())
                .map(nanos -> HedgePolicy.after(Duration.ofNanos(nanos)));
        Arbitrary<HedgePolicy> live =
                Arbitraries.doubles().between(0.01, 99.99).ofScale(2).map(HedgePolicy::afterPercentile);
        return Combinators.combine(
                        Arbitraries.oneOf(delayed, live),
                        Arbitraries.longs().between(0, Duration.ofHours(1).toNanos()),
                        Arbitraries.integers().between(1, 100_000),
                        Arbitraries.doubles().between(0, 1).ofScale(4),
                        Arbitraries.integers().between(0, 1_000_000))
                .as((policy, floor, samples, budget, reserve) -> policy.withFloor(Duration.ofNanos(floor))
                        .withMinSamples(samples)
                        .withBudget(budget, reserve));
    }
}
