package dev.holdfast.core;

import static dev.holdfast.core.Reservations.refused;
import static dev.holdfast.core.Reservations.reserve;
import static dev.holdfast.core.Reservations.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.RateLimitSnapshot.Dimension;
import dev.holdfast.core.LimitPolicy.Learning;
import dev.holdfast.core.RateLimiter.Admission;
import dev.holdfast.core.RateLimiter.Cause;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What the headers of the provider change. */
class LimitLearningTest {
    private static final LimitPolicy MEASURED =
            LimitPolicy.defaults().withRpm(400).withLearning(Learning.MEASURED);

    private final ManualTime time = new ManualTime();

    @Test
    void whatRemainsAtTheProviderIsNotOverdrawn() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(100));
        Reservation first = reserve(limiter, 0, 0);
        reserve(limiter, 0, 0);
        first.heard(requests(100, 21, Duration.ofSeconds(30)));
        for (int i = 0; i < 20; i++) {
            Admission admission = tryAcquire(limiter, 0, 0);
            if (admission instanceof Refused refused) {
                time.advance(refused.availableIn().orElseThrow());
                reserve(limiter, 0, 0);
            }
        }
        assertThat(time.nanoTime()).isLessThan(Duration.ofSeconds(30).toNanos());
        Refused refused = (Refused) tryAcquire(limiter, 0, 0);
        time.advance(refused.availableIn().orElseThrow());
        assertThat(time.nanoTime()).isEqualTo(Duration.ofSeconds(30).toNanos());
        reserve(limiter, 0, 0);
    }

    @Test
    void littleThatRemainsIsSpreadOverTheTimeToReset() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(100));
        reserve(limiter, 0, 0).heard(requests(100, 9, Duration.ofSeconds(30)));
        List<Long> seconds = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            time.advance(((Refused) tryAcquire(limiter, 0, 0)).availableIn().orElseThrow());
            reserve(limiter, 0, 0);
            seconds.add(Math.round(time.nanoTime() / 1e9));
        }
        assertThat(seconds).containsExactly(3L, 6L, 9L, 12L, 15L, 18L, 21L, 24L, 27L);
    }

    @Test
    void answersThatComeBackOftenDoNotPutTheNextGrantOff() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(100));
        Reservation last = reserve(limiter, 0, 0);
        for (int second = 0; second < 30; second++) {
            last.heard(requests(100, 1, Duration.ofSeconds(30 - second)));
            if (tryAcquire(limiter, 0, 0) instanceof Granted) {
                assertThat(second).isEqualTo(15);
                return;
            }
            time.advance(Duration.ofSeconds(1));
        }
        throw new AssertionError("nothing was granted");
    }

    @Test
    void aLowerLimitIsTakenOverAndAHigherOneIsNot() {
        RateLimiter limiter = limiter(LimitPolicy.perMinute(10, 1_000));
        reserve(limiter, 0, 0)
                .heard(snapshot(Map.of(
                        "requests", new Dimension(OptionalLong.of(3), OptionalLong.empty(), Optional.empty()),
                        "tokens", new Dimension(OptionalLong.of(50_000), OptionalLong.empty(), Optional.empty()))));
        reserve(limiter, 0, 0);
        reserve(limiter, 0, 0);
        assertThat(tryAcquire(limiter, 0, 0)).isEqualTo(refused(Duration.ofMinutes(1)));
        assertThat(tryAcquire(limiter, 1_001, 0)).isEqualTo(new Refused(Cause.REQUEST_TOO_LARGE, Optional.empty()));
    }

    @Test
    void aLimitThatTheProviderSaysPutsALargerRequestOffButNeverRefusesItForGood() {
        RateLimiter limiter = limiter(LimitPolicy.perMinute(10, 1_000));
        reserve(limiter, 30, 0).heard(tokens(100, 70, Duration.ofSeconds(30)));
        assertThat(tryAcquire(limiter, 500, 0)).as("goes alone").isEqualTo(refused(Duration.ofMinutes(1)));
        time.advance(Duration.ofMinutes(1));
        reserve(limiter, 500, 0);
        assertThat(tryAcquire(limiter, 1, 0)).isEqualTo(refused(Duration.ofMinutes(1)));
        assertThat(tryAcquire(limiter, 1_001, 0)).isEqualTo(new Refused(Cause.REQUEST_TOO_LARGE, Optional.empty()));
    }

    @Test
    void aResetThatIsFurtherOffThanADayIsNotBelieved() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(10));
        reserve(limiter, 0, 0).heard(requests(10, 0, Duration.ofDays(3_000)));
        assertThat(tryAcquire(limiter, 0, 0)).isEqualTo(refused(Duration.ofDays(1)));
        time.advance(Duration.ofDays(1));
        reserve(limiter, 0, 0);
    }

    @Test
    void nothingLeftForADayIsHeededButADaysLimitIsNotAMinutes() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(10));
        Reservation first = reserve(limiter, 0, 0);
        first.heard(snapshot(Map.of(
                "requests-day",
                new Dimension(OptionalLong.of(5), OptionalLong.of(3), Optional.of(Duration.ofHours(5))))));
        reserve(limiter, 0, 0)
                .heard(snapshot(Map.of(
                        "requests-day",
                        new Dimension(OptionalLong.of(5), OptionalLong.of(0), Optional.of(Duration.ofHours(5))))));
        assertThat(tryAcquire(limiter, 0, 0)).isEqualTo(refused(Duration.ofHours(5)));
    }

    @Test
    void ofTwoWindowsTheLowerLimitHoldsBesideWhatIsLeftOfTheNarrowerOne() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(10));
        reserve(limiter, 0, 0)
                .heard(snapshot(Map.of(
                        "requests",
                        new Dimension(OptionalLong.of(3), OptionalLong.empty(), Optional.empty()),
                        "requests-day",
                        new Dimension(
                                OptionalLong.of(5_000), OptionalLong.of(900), Optional.of(Duration.ofHours(5))))));
        reserve(limiter, 0, 0);
        reserve(limiter, 0, 0);
        assertThat(tryAcquire(limiter, 0, 0)).isEqualTo(refused(Duration.ofMinutes(1)));
    }

    @Test
    void whereNoResetIsSaidWhatRemainsIsHeededForASecond() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(100));
        reserve(limiter, 0, 0)
                .heard(snapshot(
                        Map.of("requests", new Dimension(OptionalLong.empty(), OptionalLong.of(1), Optional.empty()))));
        reserve(limiter, 0, 0);
        assertThat(tryAcquire(limiter, 0, 0)).isEqualTo(refused(Duration.ofSeconds(1)));
        time.advance(Duration.ofSeconds(1));
        reserve(limiter, 0, 0);
    }

    @Test
    void anAnswerToAnEarlierRequestDoesNotUndoWhatALaterOneSaid() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(100));
        Reservation early = reserve(limiter, 0, 0);
        Reservation late = reserve(limiter, 0, 0);
        late.heard(requests(100, 0, Duration.ofSeconds(20)));
        early.heard(requests(100, 99, Duration.ofSeconds(20)));
        assertThat(tryAcquire(limiter, 0, 0)).isEqualTo(refused(Duration.ofSeconds(20)));
    }

    @Test
    void aWindowThatFillsUpLittleByLittleIsUsedAsItFills() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(100));
        reserve(limiter, 0, 0).heard(requests(100, 20, Duration.ofSeconds(48)));
        Duration wait = tryAcquire(limiter, 0, 0) instanceof Refused refused
                ? refused.availableIn().orElseThrow()
                : Duration.ZERO;
        assertThat(wait).isZero();
        time.advance(Duration.ofSeconds(1));
        reserve(limiter, 0, 0).heard(requests(100, 0, Duration.ofSeconds(60)));
        assertThat(tryAcquire(limiter, 0, 0)).isEqualTo(refused(Duration.ofMillis(600)));
        time.advance(Duration.ofMillis(600));
        reserve(limiter, 0, 0);
        assertThat(tryAcquire(limiter, 0, 0)).isEqualTo(refused(Duration.ofMillis(600)));
    }

    @Test
    void theArticlesRuleGoesToFourFifthsOfWhatWasMeasured() {
        RateLimiter limiter = limiter(LimitPolicy.presets().get("rate-limits"));
        List<Reservation> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(reserve(limiter, 0, 0));
            time.advance(Duration.ofMillis(200));
        }
        all.getLast().heard(requests(500, 49, Duration.ofSeconds(60)));
        assertThat(tryAcquire(limiter, 0, 0))
                .as("200 in the last minute, 160 allowed")
                .isInstanceOf(Refused.class);
        time.advance(Duration.ofSeconds(28)); // 41 have passed
        Reservation next = reserve(limiter, 0, 0);
        assertThat(limiter.status().requests()).isEqualTo(160);
        next.heard(requests(500, 50, Duration.ofSeconds(60)));
        for (int i = 0; i < 50; i++) {
            reserve(limiter, 0, 0);
        }
    }

    /** 0.8 of what was measured under a limit of 0.8 would soon be nothing. */
    @Test
    void theArticlesRuleIsNotAppliedToWhatItBroughtAboutItself() {
        RateLimiter limiter = limiter(MEASURED);
        List<Reservation> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(reserve(limiter, 0, 0));
        }
        all.getLast().heard(requests(400, 49, Duration.ofSeconds(100)));
        time.advance(Duration.ofSeconds(60));
        int granted = 0;
        while (tryAcquire(limiter, 0, 0) instanceof Granted(Reservation next)) {
            granted++;
            time.advance(Duration.ofMillis(200));
            next.heard(requests(400, 49, Duration.ofSeconds(40).minusMillis(200L * granted)));
        }
        assertThat(granted).isEqualTo(160);
    }

    @Test
    void whatWasMeasuredHoldsUntilTheResetAndIsThenMeasuredAnew() {
        RateLimiter limiter = limiter(MEASURED);
        for (int i = 0; i < 9; i++) {
            reserve(limiter, 0, 0);
        }
        reserve(limiter, 0, 0).heard(requests(400, 45, Duration.ofSeconds(30)));
        assertThat(tryAcquire(limiter, 0, 0)).as("ten of eight").isInstanceOf(Refused.class);
        time.advance(Duration.ofSeconds(30));
        for (int i = 0; i < 9; i++) {
            reserve(limiter, 0, 0);
        }
        reserve(limiter, 0, 0).heard(requests(400, 45, Duration.ofSeconds(60)));
        assertThat(tryAcquire(limiter, 0, 0)).as("twenty of sixteen").isInstanceOf(Refused.class);
        time.advance(Duration.ofSeconds(30));
        for (int i = 0; i < 6; i++) {
            reserve(limiter, 0, 0);
        }
        assertThat(tryAcquire(limiter, 0, 0)).as("sixteen of sixteen").isInstanceOf(Refused.class);
    }

    @Test
    void theArticlesRuleLeavesAtLeastOneAndNeedsTheNumberOfRequests() {
        RateLimiter limiter = limiter(LimitPolicy.presets().get("rate-limits"));
        Reservation first = reserve(limiter, 0, 0);
        first.heard(tokens(1_000_000, 3, Duration.ofSeconds(1)));
        assertThat(tryAcquire(limiter, 0, 0)).as("tokens are not requests").isInstanceOf(Granted.class);
        time.advance(Duration.ofMinutes(1));
        reserve(limiter, 0, 0).heard(requests(500, 49, Duration.ofMinutes(5)));
        assertThat(tryAcquire(limiter, 0, 0)).isInstanceOf(Refused.class);
        time.advance(Duration.ofMinutes(1));
        assertThat(tryAcquire(limiter, 0, 0)).isInstanceOf(Granted.class);
        assertThat(tryAcquire(limiter, 0, 0)).isInstanceOf(Refused.class);
    }

    @Test
    void whoOnlyFollowsIsNotHeldToWhatWasMeasured() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(400));
        reserve(limiter, 0, 0).heard(requests(400, 49, Duration.ofSeconds(30)));
        for (int i = 0; i < 9; i++) {
            reserve(limiter, 0, 0);
        }
    }

    @Test
    void ofWhatHeadersSayEachOfSeveralProcessesHeedsItsPart() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(100).withInstances(4));
        Reservation first = reserve(limiter, 0, 0);
        first.heard(requests(100, 40, Duration.ofSeconds(30)));
        int granted = 0;
        while (tryAcquire(limiter, 0, 0) instanceof Granted) {
            granted++;
        }
        assertThat(granted).as("a quarter of 40, the last of which is put off").isEqualTo(9);
    }

    @Test
    void learningCanBeSwitchedOff() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(10).withLearning(Learning.OFF));
        reserve(limiter, 0, 0).heard(requests(1, 0, Duration.ofHours(1)));
        reserve(limiter, 0, 0);
    }

    /** Whatever headers say, limits hold, waiting exactly as long as is said succeeds, and nothing waits for ever. */
    @Property(tries = 300)
    void noHeaderLiftsALimitOrClosesForEver(
            @ForAll @Size(max = 60) List<@IntRange(max = 999_999) Integer> steps,
            @ForAll boolean paced,
            @ForAll Learning learning) {
        RateLimiter limiter =
                limiter(LimitPolicy.perMinute(20, 1_000).withPacing(paced).withLearning(learning));
        List<Long> grants = new ArrayList<>();
        List<Reservation> all = new ArrayList<>();
        for (int step : steps) {
            int argument = step / 4;
            if (step % 4 == 0 && !all.isEmpty()) {
                all.get(argument % all.size())
                        .heard(
                                argument % 3 == 0
                                        ? tokens(
                                                argument % 1_500,
                                                argument % 1_100,
                                                Duration.ofMillis(argument % 70_000))
                                        : requests(argument % 50, argument % 31, Duration.ofMillis(argument % 70_000)));
            } else if (step % 4 == 1) {
                time.advance(Duration.ofMillis(argument % 20_000));
            } else {
                Admission admission = tryAcquire(limiter, argument % 900, 100);
                if (admission instanceof Refused refused && refused.cause() == Cause.RATE) {
                    assertThat(refused.availableIn().orElseThrow()).isBetween(Duration.ZERO, Duration.ofSeconds(150));
                    time.advance(refused.availableIn().orElseThrow());
                    admission = tryAcquire(limiter, argument % 900, 100);
                }
                assertThat(admission).isInstanceOf(Granted.class);
                all.add(((Granted) admission).reservation());
                grants.add(time.nanoTime());
            }
        }
        for (int i = 20; i < grants.size(); i++) {
            assertThat(grants.get(i) - grants.get(i - 20)).isGreaterThanOrEqualTo(60_000_000_000L);
        }
    }

    private RateLimiter limiter(LimitPolicy policy) {
        return RateLimiter.of("t", policy, time);
    }

    private static RateLimitSnapshot requests(long limit, long remaining, Duration reset) {
        return snapshot(Map.of(
                "requests", new Dimension(OptionalLong.of(limit), OptionalLong.of(remaining), Optional.of(reset))));
    }

    private static RateLimitSnapshot tokens(long limit, long remaining, Duration reset) {
        return snapshot(Map.of(
                "tokens", new Dimension(OptionalLong.of(limit), OptionalLong.of(remaining), Optional.of(reset))));
    }

    private static RateLimitSnapshot snapshot(Map<String, Dimension> dimensions) {
        return new RateLimitSnapshot(Instant.EPOCH, dimensions);
    }
}
