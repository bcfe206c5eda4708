package dev.holdfast.core.internal.health;

import static dev.holdfast.HealthStatus.DEGRADED;
import static dev.holdfast.HealthStatus.HEALTHY;
import static dev.holdfast.HealthStatus.UNHEALTHY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.FailureKind;
import dev.holdfast.HealthStatus;
import dev.holdfast.Target;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static final Target A = new Target("m", "a");
    private static final Target OTHER = new Target("n", "a");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime(Long.MAX_VALUE - 1_000);
    private final List<HealthChange> changes = new ArrayList<>();
    private final Health health = new Health(HealthPolicy.defaults(), time, changes::add);

    private void call(Target target, Sign sign) {
        health.heard(target, sign, SECOND, Source.CALL);
    }

    private void probe(Sign sign) {
        health.heard("a", sign, Duration.ofMillis(40), Source.PROBE);
    }

    private HealthStatus statusOf(Target target) {
        return health.of(target).status();
    }

    @Test
    void threeFailuresInARowMakeATargetUnhealthyAndTwoSuccessesHealIt() {
        call(A, Sign.BROKEN);
        call(A, Sign.BROKEN);
        assertThat(statusOf(A)).isEqualTo(HEALTHY);
        call(A, Sign.BROKEN);
        assertThat(statusOf(A)).isEqualTo(UNHEALTHY);
        call(A, Sign.GOOD);
        assertThat(statusOf(A)).isEqualTo(UNHEALTHY);
        call(A, Sign.GOOD);
        assertThat(statusOf(A)).isNotEqualTo(UNHEALTHY);
        assertThat(changes)
                .extracting(HealthChange::model, HealthChange::to)
                .startsWith(org.assertj.core.groups.Tuple.tuple(Optional.of("m"), UNHEALTHY));
    }

    @Test
    void aSuccessEndsTheRunOfFailures() {
        for (int i = 0; i < 10; i++) {
            call(A, Sign.BROKEN);
            call(A, Sign.BROKEN);
            call(A, Sign.GOOD);
            assertThat(statusOf(A)).isNotEqualTo(UNHEALTHY);
        }
    }

    @Test
    void aServerErrorOfOneModelIsNotHeldAgainstAnother() {
        IntStream.range(0, 5).forEach(i -> call(A, Sign.BROKEN));
        assertThat(statusOf(A)).isEqualTo(UNHEALTHY);
        assertThat(statusOf(OTHER)).isEqualTo(HEALTHY);
    }

    @Test
    void anEndpointThatCannotBeReachedIsUnhealthyForAllItsModels() {
        IntStream.range(0, 3).forEach(i -> call(A, Sign.UNREACHABLE));
        assertThat(statusOf(OTHER)).isEqualTo(UNHEALTHY);
        assertThat(health.ofEndpoint("a").status()).isEqualTo(UNHEALTHY);
    }

    @Test
    void oneFailedConnectionIsEnoughWhereThePolicySaysSo() {
        var strict = new Health(HealthPolicy.defaults().withUnreachableAtOnce(true), time, changes::add);
        strict.heard(A, Sign.UNREACHABLE, SECOND, Source.CALL);
        assertThat(strict.of(A).status()).isEqualTo(UNHEALTHY);
    }

    @Test
    void anyAnswerShowsThatTheEndpointLives() {
        IntStream.range(0, 3).forEach(i -> call(A, Sign.UNREACHABLE));
        call(OTHER, Sign.ALIVE);
        call(OTHER, Sign.LIMITED);
        assertThat(health.ofEndpoint("a").status()).isNotEqualTo(UNHEALTHY);
        assertThat(statusOf(A)).as("the model itself has not answered yet").isEqualTo(UNHEALTHY);
    }

    @Test
    void aRefusedKeyOrALimitDegradesUntilAGoodAnswerOrAMinuteHasPassed() {
        call(A, Sign.REFUSED);
        assertThat(statusOf(A)).isEqualTo(DEGRADED);
        assertThat(health.of(A).mark()).contains(Sign.REFUSED);
        assertThat(statusOf(OTHER)).isEqualTo(HEALTHY);
        call(A, Sign.GOOD);
        assertThat(statusOf(A)).isEqualTo(HEALTHY);
        call(A, Sign.LIMITED);
        assertThat(statusOf(A)).isEqualTo(DEGRADED);
        time.advance(Duration.ofSeconds(60));
        assertThat(statusOf(A)).isEqualTo(HEALTHY);
    }

    @Test
    void aLimitSpeaksAgainstATargetForAsLongAsTheServerSays() {
        health.begin(A, true).failed(FailureKind.RATE_LIMITED, Optional.of(Duration.ofSeconds(20)), false);
        time.advance(Duration.ofSeconds(20).minusNanos(1));
        assertThat(statusOf(A)).isEqualTo(DEGRADED);
        time.advance(Duration.ofNanos(1));
        assertThat(statusOf(A)).isEqualTo(HEALTHY);
    }

    @Test
    void theFirstSampleIsTheMeanAndLaterOnesCountThreeTenths() {
        health.heard(A, Sign.GOOD, Duration.ofMillis(100), Source.CALL);
        assertThat(health.of(A).latency()).contains(Duration.ofMillis(100));
        health.heard(A, Sign.GOOD, Duration.ofMillis(200), Source.CALL);
        assertThat(health.of(A).latency()).contains(Duration.ofMillis(130));
        health.heard(A, Sign.BROKEN, Duration.ofMillis(1), Source.CALL);
        assertThat(health.of(A).latency())
                .as("a quick refusal is not quick service")
                .contains(Duration.ofMillis(130));
    }

    @Test
    void aProbeThatTimedOutCountsAsFiveSecondsAndDegrades() {
        probe(Sign.GOOD);
        assertThat(statusOf(A)).isEqualTo(HEALTHY);
        probe(Sign.TIMED_OUT);
        assertThat(health.ofEndpoint("a").probeLatency()).contains(Duration.ofMillis(1528));
        assertThat(health.ofEndpoint("a").status()).isEqualTo(DEGRADED);
    }

    @Test
    void aGoodCallOutranksFailedProbes() {
        for (int i = 0; i < 20; i++) {
            call(A, Sign.GOOD);
            probe(Sign.TIMED_OUT);
            time.advance(Duration.ofMillis(500));
        }
        assertThat(health.ofEndpoint("a").status()).isNotEqualTo(UNHEALTHY);
        assertThat(health.isVouchedFor("a")).isTrue();
        call(A, Sign.BROKEN);
        assertThat(health.isVouchedFor("a")).isFalse();
        IntStream.range(0, 3).forEach(i -> probe(Sign.TIMED_OUT));
        assertThat(health.ofEndpoint("a").status()).isEqualTo(UNHEALTHY);
    }

    @Test
    void aProbeOfTheEndpointDoesNotHealAModelThatFails() {
        IntStream.range(0, 3).forEach(i -> call(A, Sign.BROKEN));
        IntStream.range(0, 5).forEach(i -> probe(Sign.GOOD));
        assertThat(statusOf(A)).isEqualTo(UNHEALTHY);
        assertThat(statusOf(OTHER)).isEqualTo(HEALTHY);
    }

    @Test
    void halfOfTheCallsFailingDegradesAndIsForgottenByHalves() {
        for (int i = 0; i < 5; i++) {
            call(A, Sign.GOOD);
            call(A, Sign.BROKEN);
        }
        assertThat(health.of(A).errorRate()).isCloseTo(0.5, within(1e-9));
        assertThat(statusOf(A)).isEqualTo(DEGRADED);
        time.advance(Duration.ofSeconds(60));
        assertThat(health.of(A).calls()).isCloseTo(2.5, within(1e-9));
        assertThat(statusOf(A)).as("too few to say").isEqualTo(HEALTHY);
    }

    @Test
    void oneCallAtATimeTriesAnUnhealthyTargetAndEachFailureMakesItRestLonger() {
        IntStream.range(0, 3).forEach(i -> call(A, Sign.BROKEN));
        assertThat(health.tryTrial(A)).isFalse();
        for (int rest : new int[] {30, 60, 120, 240, 300, 300}) {
            time.advance(Duration.ofSeconds(rest).minusNanos(1));
            assertThat(health.tryTrial(A)).isFalse();
            time.advance(Duration.ofNanos(1));
            assertThat(health.of(A).trialDue()).isTrue();
            assertThat(health.tryTrial(A)).isTrue();
            assertThat(health.tryTrial(A)).isFalse();
            call(A, Sign.BROKEN);
        }
    }

    @Test
    void afterAGoodTrialTheNextMayFollowAtOnce() {
        IntStream.range(0, 3).forEach(i -> call(A, Sign.BROKEN));
        time.advance(Duration.ofSeconds(30));
        assertThat(health.tryTrial(A)).isTrue();
        call(A, Sign.GOOD);
        assertThat(health.tryTrial(A)).isTrue();
        assertThat(health.tryTrial(A)).isFalse();
        call(A, Sign.GOOD);
        assertThat(statusOf(A)).isNotEqualTo(UNHEALTHY);
    }

    @Test
    void theShareGrowsFromATenthToOneWithinTheSlowStart() {
        assertThat(health.of(A).share()).isEqualTo(1);
        IntStream.range(0, 3).forEach(i -> call(A, Sign.BROKEN));
        call(A, Sign.GOOD);
        call(A, Sign.GOOD);
        assertThat(health.of(A).share()).isEqualTo(0.1);
        time.advance(Duration.ofSeconds(15));
        assertThat(health.of(A).share()).isCloseTo(0.5, within(1e-9));
        time.advance(Duration.ofSeconds(15));
        assertThat(health.of(A).share()).isEqualTo(1);
    }

    @Test
    void failuresThatOneCallRepeatsCountOnce() {
        for (int i = 0; i < 9; i++) {
            health.begin(A, true).failed(FailureKind.SERVER_ERROR, Optional.empty(), i > 0);
        }
        assertThat(statusOf(A)).isEqualTo(HEALTHY);
        assertThat(health.of(A).failuresInRow()).isEqualTo(1);
        assertThat(health.of(A).calls()).isEqualTo(1);
    }

    @Test
    void whatIsCancelledOrOursIsNoEvidence() {
        for (int i = 0; i < 9; i++) {
            health.begin(A, true).ignored();
            health.begin(A, true).failed(FailureKind.LOCAL, Optional.empty(), false);
        }
        assertThat(health.of(A).calls()).isZero();
        assertThat(health.of(A).inFlight()).isZero();
        assertThat(changes).isEmpty();
    }

    @Test
    void aFlightIsCountedUntilItsOneEnd() {
        Health.Flight flight = health.begin(A, true);
        Health.Flight second = health.begin(OTHER, true);
        assertThat(health.of(A).inFlight()).isEqualTo(1);
        assertThat(health.ofEndpoint("a").inFlight()).isEqualTo(2);
        time.advance(SECOND);
        flight.arrived();
        time.advance(SECOND);
        flight.succeeded();
        flight.failed(FailureKind.SERVER_ERROR, Optional.empty(), false);
        second.ignored();
        assertThat(health.of(A).inFlight()).isZero();
        assertThat(health.ofEndpoint("a").inFlight()).isZero();
        assertThat(health.of(A).latency()).as("a stream's beginning").contains(SECOND);
        assertThat(health.of(A).errorRate()).isZero();
    }

    @Test
    void everyKindOfFailureIsEvidenceOrSaidToBeNone() {
        for (FailureKind kind : FailureKind.values()) {
            assertThat(Sign.of(kind)).isNotEqualTo(Optional.of(Sign.GOOD));
        }
        assertThat(Sign.of(FailureKind.CONNECTION)).contains(Sign.UNREACHABLE);
        assertThat(Sign.of(FailureKind.CANCELLED)).isEmpty();
    }

    @Test
    void manyThreadsLoseNoEvidenceAndOneWinsTheTrial() throws Exception {
        IntStream.range(0, 3).forEach(i -> call(A, Sign.BROKEN));
        time.advance(Duration.ofSeconds(30));
        var won = new AtomicInteger();
        var gate = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 64; i++) {
                threads.submit(() -> {
                    gate.await();
                    if (health.tryTrial(A)) {
                        won.incrementAndGet();
                    }
                    for (int n = 0; n < 100; n++) {
                        health.begin(OTHER, true).succeeded();
                    }
                    return null;
                });
            }
            gate.countDown();
            threads.shutdown();
            assertThat(threads.awaitTermination(200, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(won).hasValue(1);
        assertThat(health.of(OTHER).calls()).isEqualTo(6400);
        assertThat(health.of(OTHER).inFlight()).isZero();
    }

    @Property
    void itIsUnhealthyExactlyFromTheThirdFailureInARowToTheSecondSuccess(
            @ForAll @Size(max = 60) List<Boolean> outcomes,
            @ForAll @IntRange(min = 1, max = 5) int failures,
            @ForAll @IntRange(min = 1, max = 5) int successes) {
        var judged = new Health(HealthPolicy.defaults().withThresholds(failures, successes), time, change -> {});
        boolean out = false;
        int run = 0;
        Boolean last = null;
        for (Boolean good : outcomes) {
            run = good.equals(last) ? run + 1 : 1;
            last = good;
            if (good && out && run >= successes) {
                out = false;
            } else if (!good && !out && run >= failures) {
                out = true;
            }
            judged.heard(A, good ? Sign.GOOD : Sign.BROKEN, SECOND, Source.CALL);
            assertThat(judged.of(A).status() == UNHEALTHY).isEqualTo(out);
        }
    }

    @Property
    void aMeanStaysBetweenTheLeastAndTheMostThatWasMeasured(
            @ForAll @Size(min = 1, max = 50) List<@IntRange(min = 0, max = 100_000) Integer> millis) {
        var judged = new Health(HealthPolicy.defaults(), time, change -> {});
        millis.forEach(each -> judged.heard(A, Sign.GOOD, Duration.ofMillis(each), Source.CALL));
        long mean = judged.of(A).latency().orElseThrow().toNanos();
        assertThat(mean)
                .isBetween(
                        millis.stream()
                                        .mapToLong(each -> each * 1_000_000L)
                                        .min()
                                        .orElseThrow()
                                - 1,
                        millis.stream()
                                        .mapToLong(each -> each * 1_000_000L)
                                        .max()
                                        .orElseThrow()
                                + 1);
    }
}
