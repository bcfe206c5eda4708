package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.AdaptiveLimiter.Full;
import dev.holdfast.core.AdaptiveLimiter.Permit;
import dev.holdfast.core.AdaptivePolicy.Algorithm;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.limit.AdaptiveState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class AdaptiveLimiterTest {
    private final ManualTime time = new ManualTime();

    @Property(tries = 500)
    void staysWithinItsBoundsNeverGrowsUnusedAndNeverRisesByADrop(
            @ForAll Algorithm algorithm,
            @ForAll @IntRange(min = 1, max = 50) int min,
            @ForAll @IntRange(max = 100) int more,
            @ForAll @Size(max = 300) List<@IntRange(max = 99_999) Integer> steps) {
        AdaptivePolicy base = algorithm == Algorithm.AIMD ? AdaptivePolicy.aimd() : AdaptivePolicy.gradient();
        AdaptiveState state = AdaptiveState.initial(base.withLimits(min + more / 2, min, min + more));
        long now = Long.MAX_VALUE - 1_000_000;
        for (int step : steps) {
            now += step * 1_000L;
            long inFlight = step % 173;
            boolean dropped = step % 5 == 0;
            AdaptiveState next = state.after(inFlight, now - step % 7 * 100_000L, now, dropped);
            assertThat(next.exact()).isBetween((double) min, (double) min + more);
            if (dropped || 2 * inFlight < state.limit()) {
                assertThat(next.exact()).isLessThanOrEqualTo(state.exact());
            }
            state = next;
        }
    }

    @Test
    void growsByOneForEachLimitsWorthOfGoodEndsInFullUse() {
        AdaptiveLimiter limiter = aimd(10, 1, 100);
        for (int round = 0; round < 12; round++) {
            List<Permit> running = full(limiter);
            time.advance(Duration.ofMillis(100));
            running.forEach(Permit::succeeded);
        }
        assertThat(limiter.limit()).isBetween(13, 22);
        assertThat(limiter.inFlight()).isZero();
    }

    @Test
    void aRejectionIsThrownWithoutAStackTrace() {
        AdaptiveLimiter limiter = aimd(1, 1, 1);
        full(limiter);
        assertThatThrownBy(() -> limiter.call(Duration.ZERO, () -> "work"))
                .isInstanceOf(AdaptiveLimiter.FullException.class)
                .hasMessageContaining("is full at 1")
                .satisfies(rejected ->
                        assertThat(rejected.getStackTrace()).as("costs little").isEmpty());
    }

    @Test
    void doesNotGrowWhileTheApplicationAsksForLittle() {
        AdaptiveLimiter limiter = aimd(10, 1, 100);
        for (int i = 0; i < 1_000; i++) {
            permit(limiter).succeeded();
        }
        assertThat(limiter.limit()).isEqualTo(10);
    }

    @Test
    void goesDownOnceForAllThatWasUnderWayWhenItWasDropped() {
        AdaptiveLimiter limiter = aimd(50, 1, 100);
        List<Permit> running = full(limiter);
        time.advance(Duration.ofSeconds(1));
        running.forEach(Permit::dropped);
        assertThat(limiter.limit()).isEqualTo(45);
        time.advance(Duration.ofSeconds(1));
        permit(limiter).dropped();
        assertThat(limiter.limit()).isEqualTo(40);
        assertThat(limiter.inFlight()).isZero();
    }

    @Test
    void byLatencyItFindsWhatTheOtherSideCanServeAtOnce() {
        AdaptiveLimiter limiter =
                AdaptiveLimiter.of("t", AdaptivePolicy.gradient().withLimits(20, 1, 200), time);
        for (int round = 0; round < 200; round++) {
            List<Permit> running = full(limiter);
            long overload = Math.max(1, running.size() / 30); // 30 at once are served in 100 ms, more wait in its queue
            time.advance(Duration.ofMillis(100 * overload * overload));
            running.forEach(Permit::succeeded);
        }
        assertThat(limiter.limit()).isBetween(15, 75);
    }

    @Test
    void aSlowAnswerIsADropWhereThatIsSaid() {
        AdaptiveLimiter limiter = AdaptiveLimiter.of(
                "t", AdaptivePolicy.aimd().withLimits(10, 1, 100).withSlow(Duration.ofSeconds(1)), time);
        Permit permit = permit(limiter);
        time.advance(Duration.ofSeconds(2));
        permit.succeeded();
        assertThat(limiter.limit()).isEqualTo(9);
    }

    @Test
    void whatIsIgnoredChangesNothingAndEndsOnce() throws Exception {
        AdaptiveLimiter limiter = aimd(1, 1, 100);
        Permit permit = permit(limiter);
        assertThat(limiter.tryAcquire()).isInstanceOf(Full.class);
        permit.ignored();
        permit.dropped();
        permit.succeeded();
        assertThat(limiter.inFlight()).isZero();
        assertThat(limiter.limit()).isEqualTo(1);
        assertThat(limiter.<String>call(Duration.ZERO, () -> {
                    assertThatThrownBy(() -> limiter.call(Duration.ZERO, () -> "never"))
                            .hasMessage("adaptive limiter t is full at 1");
                    return "done";
                }))
                .isEqualTo("done");
        assertThat(limiter.inFlight()).isZero();
    }

    @Test
    void refusesABadPolicy() {
        AdaptivePolicy policy = AdaptivePolicy.aimd();
        assertThatThrownBy(() -> policy.withLimits(5, 0, 10)).hasMessage("min: 0 (expected: 1 to 100000)");
        assertThatThrownBy(() -> policy.withLimits(5, 7, 6)).hasMessage("max: 6 (expected: 7 to 100000)");
        assertThatThrownBy(() -> policy.withLimits(11, 1, 10)).hasMessage("initial: 11 (expected: 1 to 10)");
        assertThatThrownBy(() -> policy.withDecrease(1)).hasMessage("decrease: 1.0 (expected: 0.1 to 0.99)");
        assertThatThrownBy(() -> policy.withDecrease(Double.NaN)).hasMessage("decrease: NaN (expected: 0.1 to 0.99)");
        assertThatThrownBy(() -> policy.withTolerance(0.5)).hasMessage("tolerance: 0.5 (expected: 1.0 to 10.0)");
        assertThatThrownBy(() -> policy.withSlow(Duration.ZERO))
                .hasMessage("slow: PT0S (expected: > 0, at most PT24H)");
    }

    @Test
    void aRateLimiterCanFindOutItsConcurrency() {
        AdaptivePolicy policy = AdaptivePolicy.aimd().withLimits(2, 1, 10);
        var limiter = RateLimiter.of("t", LimitPolicy.defaults().withRpm(1_000).withAdaptiveConcurrency(policy), time);
        for (int round = 0; round < 8; round++) {
            List<RateLimiter.Reservation> running = new ArrayList<>();
            while (limiter.tryAcquire(0) instanceof RateLimiter.Granted granted) {
                running.add(granted.reservation());
            }
            time.advance(Duration.ofMillis(10));
            running.forEach(each -> {
                each.answered();
                each.answered();
                each.settle();
            });
        }
        int most = 0;
        RateLimiter.Reservation last = null;
        while (limiter.tryAcquire(0) instanceof RateLimiter.Granted granted) {
            most++;
            last = granted.reservation();
        }
        assertThat(most).isBetween(5, 9);
        time.advance(Duration.ofMillis(10));
        last.overloaded();
        last.settle();
        assertThat(limiter.tryAcquire(0)).isInstanceOf(RateLimiter.Refused.class);
    }

    @Test
    void whatBeganBeforeTheConcurrencyWasToBeFoundOutIsNoSample() {
        time.advance(Duration.ofHours(1));
        LimitPolicy policy = LimitPolicy.defaults().withRpm(1_000);
        var limiter = RateLimiter.of("t", policy, time);
        var before = ((RateLimiter.Granted) limiter.tryAcquire(0)).reservation();
        limiter.change(policy.withAdaptiveConcurrency(
                AdaptivePolicy.aimd().withLimits(4, 1, 10).withSlow(Duration.ofSeconds(5))));
        before.answered();
        before.settle();
        int most = 0;
        while (limiter.tryAcquire(0) instanceof RateLimiter.Granted) {
            most++;
        }
        assertThat(most).as("an hour ago it was not timed").isEqualTo(4);
    }

    private AdaptiveLimiter aimd(int initial, int min, int max) {
        return AdaptiveLimiter.of("t", AdaptivePolicy.aimd().withLimits(initial, min, max), time);
    }

    private static List<Permit> full(AdaptiveLimiter limiter) {
        List<Permit> all = new ArrayList<>();
        while (limiter.tryAcquire() instanceof Permit permit) {
            all.add(permit);
        }
        return all;
    }

    private static Permit permit(AdaptiveLimiter limiter) {
        return (Permit) limiter.tryAcquire();
    }
}
