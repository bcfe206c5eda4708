package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.spi.BackoffStrategy.BackoffRequest;
import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void exponentialDoublesUpToItsCap() {
        Backoff backoff = Backoff.exponential(SECOND).withMax(Duration.ofSeconds(10));
        assertThat(IntStream.rangeClosed(1, 6).mapToObj(n -> delay(backoff, n, 0)))
                .extracting(Duration::toSeconds)
                .containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    }

    @Test
    void linearGrowsByItsBase() {
        assertThat(delay(Backoff.linear(SECOND), 3, 0)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void fixedAndImmediateDoNotGrow() {
        assertThat(delay(Backoff.fixed(SECOND), 7, 0)).isEqualTo(SECOND);
        assertThat(delay(Backoff.immediate(), 7, 0)).isZero();
    }

    @Test
    void proportionalJitterIsTheDelayGiveOrTakeItsShare() {
        Backoff backoff = Backoff.exponential(SECOND).withJitter(Jitter.proportional(0.5));
        assertThat(delay(backoff, 1, 0)).isEqualTo(Duration.ofMillis(500));
        assertThat(delay(backoff, 1, 0.5)).isEqualTo(SECOND);
    }

    @Test
    void jitterNeverPassesTheCap() {
        Backoff backoff = Backoff.fixed(SECOND).withMax(SECOND).withJitter(Jitter.proportional(0.5));
        assertThat(delay(backoff, 1, 0.99)).isEqualTo(SECOND);
    }

    @Test
    void theFloorHoldsAfterJitter() {
        Backoff backoff =
                Backoff.fixed(SECOND).withFloor(Duration.ofMillis(100)).withJitter(Jitter.full());
        assertThat(delay(backoff, 1, 0)).isEqualTo(Duration.ofMillis(100));
    }

    @Property
    void everyDelayLiesBetweenFloorAndCap(
            @ForAll("backoffs") Backoff backoff,
            @ForAll @IntRange(min = 1) int retry,
            @ForAll @LongRange(min = 0, max = 1L << 50) long previousNanos,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 0.999999999) double drawn) {
        Duration delay = backoff.delay(new BackoffRequest(retry, Duration.ofNanos(previousNanos), drawing(drawn)));
        assertThat(delay).isBetween(backoff.floor(), backoff.max());
    }

    @Property
    void beforeJitterNoDelayIsShorterThanTheOneBefore(
            @ForAll("backoffs") Backoff backoff, @ForAll @IntRange(min = 1, max = 1_000_000) int retry) {
        assertThat(backoff.plainDelay(retry + 1)).isGreaterThanOrEqualTo(backoff.plainDelay(retry));
    }

    @Property
    void equalJitterKeepsHalfOfTheDelayAndFullJitterNeverPassesIt(
            @ForAll @IntRange(min = 1, max = 100) int retry,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 0.999999999) double drawn) {
        Backoff plain = Backoff.exponential(SECOND);
        Duration delay = delay(plain, retry, 0);
        assertThat(delay(plain.withJitter(Jitter.equal()), retry, drawn)).isBetween(delay.dividedBy(2), delay);
        assertThat(delay(plain.withJitter(Jitter.full()), retry, drawn)).isBetween(Duration.ZERO, delay);
    }

    @Property
    void decorrelatedJitterStaysBetweenBaseAndThreeTimesThePrevious(
            @ForAll @LongRange(min = 1_000_000_000L, max = 20_000_000_000L) long previousNanos,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 0.999999999) double drawn) {
        Backoff backoff = Backoff.exponential(SECOND).withJitter(Jitter.decorrelated());
        Duration delay = backoff.delay(new BackoffRequest(2, Duration.ofNanos(previousNanos), drawing(drawn)));
        assertThat(delay).isBetween(SECOND, Duration.ofNanos(3 * previousNanos));
    }

    @Property
    void theTextFormReadsBackAsTheSameStrategy(@ForAll("backoffs") Backoff backoff) {
        assertThat(Backoff.parse(backoff.toString())).isEqualTo(backoff);
    }

    @Test
    void theTextFormOfTheStandardPolicyIsTheDocumentedOne() {
        assertThat(RetryPolicy.standard().backoff()).hasToString("exponential(1s, x2, max 60s, jitter 0.5)");
        assertThat(Backoff.parse("exponential(1s, x2, max 60s, jitter 0.5)"))
                .isEqualTo(RetryPolicy.standard().backoff());
    }

    @Test
    void wrongTextIsRefusedByNameValueAndExpectation() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.parse("exponential(1s, x0.5)"))
                .withMessage("factor: 0.5 (expected: 1 to 1000000)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.parse("quadratic(1s)"))
                .withMessage("backoff: \"quadratic\" (expected: immediate, fixed, linear or exponential)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.parse("fixed(1 s)"))
                .withMessageStartingWith("fixed: \"1 s\" is no duration");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.parse("fixed(1s, jitter 1.5)"))
                .withMessage("jitter: 1.5 (expected: 0 to 1)");
    }

    @Provide
    Arbitrary<Backoff> backoffs() {
        Arbitrary<Jitter> jitters = Arbitraries.oneOf(
                Arbitraries.of(Jitter.none(), Jitter.full(), Jitter.equal(), Jitter.decorrelated()),
                Arbitraries.doubles().between(0, 1).map(Jitter::proportional),
                Arbitraries.longs().between(0, 10_000).map(Duration::ofMillis).map(Jitter::additive));
        Arbitrary<Long> base = Arbitraries.longs().between(1, 1L << 45);
        Arbitrary<Double> factor = Arbitraries.doubles().between(1, 1000);
        Arbitrary<Long> room = Arbitraries.longs().between(0, 1L << 50);
        Arbitrary<Backoff.Shape> shape = Arbitraries.of(Backoff.Shape.values());
        return Combinators.combine(shape, base, factor, room, jitters).as(BackoffTest::backoff);
    }

    private static Backoff backoff(Backoff.Shape shape, long base, double factor, long room, Jitter jitter) {
        Duration first = Duration.ofNanos(base);
        Duration max = first.plusNanos(room);
        Duration floor = first.dividedBy(2);
        return switch (shape) {
            case IMMEDIATE -> Backoff.immediate();
            case FIXED -> Backoff.fixed(first).withMax(max).withFloor(floor).withJitter(jitter);
            case LINEAR -> Backoff.linear(first).withMax(max).withFloor(floor).withJitter(jitter);
            case EXPONENTIAL ->
                Backoff.exponential(first)
                        .withMax(max)
                        .withFloor(floor)
                        .withFactor(factor)
                        .withJitter(jitter);
        };
    }

    private static Duration delay(Backoff backoff, int retry, double drawn) {
        return backoff.delay(new BackoffRequest(retry, Duration.ZERO, drawing(drawn)));
    }

    private static RandomGenerator drawing(double value) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                throw new AssertionError("only doubles are drawn");
            }

            @Override
            public double nextDouble() {
                return value;
            }
        };
    }
}
