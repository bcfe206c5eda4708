package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FailureKind;
import dev.holdfast.spi.BackoffStrategy.BackoffRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
    @Test
    void textOfTheDefault() {
        assertThat(RetryPolicy.standard())
                .hasToString("retry(4 attempts, 8 per call, exponential(1s, x2, max 60s, jitter 0.5), deadline 2m,"
                        + " max suggested delay 60s, fallback if wait over 5s, budget 0.2 + 100)");
    }

    @Test
    void textNamesOnlyWhatIsOtherwise() {
        assertThat(RetryPolicy.parse("retry()")).isEqualTo(RetryPolicy.standard());
        assertThat(RetryPolicy.parse("interactive()")).isEqualTo(RetryPolicy.interactive());
        assertThat(RetryPolicy.parse(" Batch( 3 attempts ,no deadline, fixed(2s) ) "))
                .isEqualTo(RetryPolicy.batch()
                        .withMaxAttempts(3)
                        .withoutDeadline()
                        .withBackoff(Backoff.fixed(Duration.ofSeconds(2))));
        assertThat(RetryPolicy.parse("retry(min interval 100ms, fallback on content_policy + context_length,"
                        + " no cooldowns, wait when open, only if idempotent, no budget, timeout never,"
                        + " rate_limited 6 attempts backoff linear(1s, max 30s), overloaded backoff fixed(3s))"))
                .isEqualTo(RetryPolicy.standard()
                        .withMinInterval(Duration.ofMillis(100))
                        .withFallbackOn(FailureKind.CONTENT_POLICY, FailureKind.CONTEXT_LENGTH)
                        .withoutCooldowns()
                        .withWaitWhenOpen(true)
                        .withOnlyIfIdempotent(true)
                        .withoutBudget()
                        .withKind(FailureKind.TIMEOUT, KindPolicy.never())
                        .withKind(
                                FailureKind.RATE_LIMITED,
                                KindPolicy.attempts(6).withBackoff(Backoff.parse("linear(1s, max 30s)")))
                        .withKind(FailureKind.OVERLOADED, KindPolicy.backingOff(Backoff.fixed(Duration.ofSeconds(3)))));
    }

    @Property
    void textReadsBackAsTheSamePolicy(@ForAll("policies") RetryPolicy policy) {
        assertThat(RetryPolicy.parse(policy.toString())).isEqualTo(policy);
        assertThat(RetryPolicy.parse(policy.toString().toUpperCase(java.util.Locale.ROOT)))
                .isEqualTo(policy);
    }

    @Provide
    Arbitrary<RetryPolicy> policies() {
        Arbitrary<Duration> lengths = Arbitraries.longs()
                .between(1, 4_000_000_000_000L)
                .map(Duration::ofNanos)
                .edgeCases(edges -> edges.add(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofHours(24)));
        Arbitrary<Backoff> backoffs = Combinators.combine(
                        lengths,
                        Arbitraries.of(
                                Jitter.none(),
                                Jitter.full(),
                                Jitter.proportional(0.25),
                                Jitter.additive(Duration.ofSeconds(1)),
                                Jitter.decorrelated()))
                .as((base, jitter) -> Backoff.exponential(base).withJitter(jitter));
        Arbitrary<RetryPolicy> plain = Combinators.combine(
                        Arbitraries.integers().between(1, 1_000),
                        backoffs,
                        lengths.optional(),
                        lengths,
                        Combinators.combine(
                                        Arbitraries.doubles().between(0, 10),
                                        Arbitraries.integers().between(0, 1_000_000))
                                .as(RetryBudgetPolicy::new)
                                .optional(),
                        Arbitraries.of(true, false))
                .as((attempts, backoff, deadline, ceiling, budget, flag) -> {
                    RetryPolicy some = RetryPolicy.standard()
                            .withMaxAttempts(attempts)
                            .withMaxAttemptsPerCall(attempts + 1)
                            .withBackoff(backoff)
                            .withMaxSuggestedDelay(ceiling)
                            .withMinInterval(flag ? ceiling : Duration.ZERO)
                            .withWaitWhenOpen(flag)
                            .withOnlyIfIdempotent(!flag);
                    RetryPolicy bound = deadline.map(some::withDeadline).orElseGet(some::withoutDeadline);
                    return budget.map(bound::withBudget).orElseGet(bound::withoutBudget);
                });
        Arbitrary<KindPolicy> others = Combinators.combine(
                        Arbitraries.integers().between(1, 20),
                        backoffs,
                        Arbitraries.integers().between(0, 2))
                .as((most, backoff, form) -> switch (form) {
                    case 0 -> KindPolicy.attempts(most);
                    case 1 -> KindPolicy.backingOff(backoff);
                    default -> KindPolicy.attempts(most).withBackoff(backoff);
                });
        return Combinators.combine(
                        plain, Arbitraries.of(FailureKind.TIMEOUT, FailureKind.RATE_LIMITED, FailureKind.AUTH), others)
                .as(RetryPolicy::withKind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "retry",
                "retry(",
                "other()",
                "retry(0 attempts)",
                "retry(4 attempts,)",
                "retry(attempts 4)",
                "retry(deadline)",
                "retry(deadline soon)",
                "retry(deadline 0s)",
                "retry(rate_limited)",
                "retry(circuit_open never)",
                "retry(elsewhere never)",
                "retry(fallback on nothing)",
                "retry(budget lots + 1)",
                "retry(budget 0.2 + )",
                "retry(exponential(1s, x0))",
                "retry(4 attempts))",
                "retry(99999999999 attempts)",
                "retry(budget 1e400 + 1)"
            })
    void whatIsNoPolicyIsRefusedWithWhatWasExpected(String text) {
        assertThatThrownBy(() -> RetryPolicy.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }

    @Property
    void anyTextIsReadOrRefused(@ForAll @StringLength(max = 60) String text) {
        for (String form : List.of(text, "retry(" + text + ")")) {
            try {
                assertThat(RetryPolicy.parse(form)).isNotNull();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("expected");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {"CANCELLED", "CIRCUIT_OPEN", "LIMIT_EXCEEDED", "COOLING_DOWN", "CLIENT_OVERLOADED", "COST_LIMIT"})
    void aKindThatNoAttemptFailsWithHasNoPolicy(FailureKind kind) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.standard().withKind(kind, KindPolicy.never()))
                .withMessageContaining(kind.wireName());
    }

    @Test
    void presetsReadBackAndAreWhatTheyAreCalled() {
        RetryPolicy.presets().forEach((name, policy) -> {
            assertThat(RetryPolicy.parse(name + "()")).isEqualTo(policy);
            assertThat(RetryPolicy.parse(policy.toString())).isEqualTo(policy);
        });
        assertThat(RetryPolicy.presets())
                .containsEntry("standard", RetryPolicy.standard())
                .containsEntry("interactive", RetryPolicy.interactive())
                .containsEntry("batch", RetryPolicy.batch())
                .containsEntry("adaptive", RetryPolicy.adaptive())
                .containsEntry("none", RetryPolicy.none());
    }

    @Test
    void presetsOfTheArticlesWaitAsTheArticlesDo() {
        assertThat(ranges("layered", 4)).containsExactly("500-1500", "1000-3000", "2000-6000");
        assertThat(ranges("workflow", 4)).containsExactly("1000-3000", "2000-6000", "4000-12000");
        assertThat(ranges("degradation", 5)).containsExactly("1000-2000", "2000-3000", "4000-5000", "8000-9000");
        assertThat(ranges("bounded", 3)).containsExactly("2000-2000", "2000-2000");
        assertThat(ranges("backoff", 6))
                .containsExactly("500-1500", "1000-3000", "2000-6000", "4000-12000", "8000-24000");
        assertThat(ranges("backoff-30", 6))
                .containsExactly("750-1250", "1500-2500", "3000-5000", "6000-10000", "12000-20000");
        assertThat(ranges("endpoints", 3)).containsExactly("1000-1000", "2000-2000");
        assertThat(RetryPolicy.presets().get("backoff").minInterval()).isEqualTo(Duration.ofMillis(100));
        assertThat(((Backoff) RetryPolicy.presets().get("workflow").backoff()).max())
                .isEqualTo(Duration.ofSeconds(45));
        assertThat(((Backoff) RetryPolicy.presets().get("backoff-30").backoff()).max())
                .isEqualTo(Duration.ofSeconds(30));
    }

    /** The shortest and the longest wait before each retry, in whole milliseconds. */
    private static List<String> ranges(String preset, int attempts) {
        RetryPolicy policy = RetryPolicy.presets().get(preset);
        assertThat(policy.maxAttempts()).isEqualTo(attempts);
        return IntStream.range(1, attempts)
                .mapToObj(retry -> millis(policy, retry, 0L) + "-" + millis(policy, retry, -1L))
                .toList();
    }

    private static long millis(RetryPolicy policy, int retry, long bits) {
        Duration delay = policy.backoff().delay(new BackoffRequest(retry, Duration.ZERO, () -> bits));
        return Math.round(delay.toNanos() / 1e6);
    }

    @Test
    void aPolicyIsNotChangedThroughTheMapItWasGiven() {
        Map<FailureKind, KindPolicy> kinds = RetryPolicy.standard()
                .withKind(FailureKind.TIMEOUT, KindPolicy.never())
                .kinds();
        assertThatThrownBy(kinds::clear).isInstanceOf(UnsupportedOperationException.class);
    }
}
