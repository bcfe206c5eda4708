package dev.holdfast.core;

import static dev.holdfast.core.Reservations.refused;
import static dev.holdfast.core.Reservations.reserve;
import static dev.holdfast.core.Reservations.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.RateLimiter.Cause;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Limits apart for input and output, pacing, and the part of each of several processes. */
class RateLimiterPolicyTest {
    private final ManualTime time = new ManualTime();

    @Test
    void inputAndOutputHaveLimitsOfTheirOwn() {
        RateLimiter limiter = limiter(
                LimitPolicy.defaults().withInputTpm(100).withOutputTpm(50).withTpm(120));
        Reservation first = reserve(limiter, 60, 40);
        assertThat(tryAcquire(limiter, 10, 11)).as("output").isInstanceOf(Refused.class);
        assertThat(tryAcquire(limiter, 21, 0)).as("both together").isInstanceOf(Refused.class);
        first.settle(60, 10);
        reserve(limiter, 10, 40);
        assertThat(tryAcquire(limiter, 1, 0)).as("all is used").isInstanceOf(Refused.class);
        assertThat(tryAcquire(limiter, 101, 0)).isEqualTo(new Refused(Cause.REQUEST_TOO_LARGE, Optional.empty()));
        assertThat(tryAcquire(limiter, 0, 51)).isEqualTo(new Refused(Cause.REQUEST_TOO_LARGE, Optional.empty()));
    }

    @Test
    void hugeGuessesNeitherOverflowNorLockOut() {
        RateLimiter unlimited = limiter(LimitPolicy.defaults().withRpm(1_000));
        for (int i = 0; i < 500; i++) {
            reserve(unlimited, Long.MAX_VALUE, Long.MAX_VALUE).settle(Long.MAX_VALUE, Integer.MAX_VALUE);
        }
        reserve(unlimited, 0, 0).settle(Long.MIN_VALUE);
        RateLimiter limited = limiter(LimitPolicy.defaults().withTpm(1_000_000_000_000L));
        assertThat(tryAcquire(limited, Long.MAX_VALUE, 0))
                .isEqualTo(new Refused(Cause.REQUEST_TOO_LARGE, Optional.empty()));
        reserve(limited, 5, 5).settle(Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(tryAcquire(limited, 1, 0)).isInstanceOf(Refused.class);
        time.advance(Duration.ofMinutes(1));
        reserve(limited, 1, 0);
    }

    @Test
    void pacingSpreadsGrantsOverTheMinute() {
        RateLimiter limiter = limiter(LimitPolicy.perMinute(60, 6_000).withPacing(true));
        reserve(limiter, 0, 0);
        assertThat(tryAcquire(limiter, 0, 0)).isEqualTo(refused(Duration.ofSeconds(1)));
        time.advance(Duration.ofSeconds(1));
        reserve(limiter, 500, 0);
        assertThat(tryAcquire(limiter, 0, 0)).as("by its tokens").isEqualTo(refused(Duration.ofSeconds(5)));
        time.advance(Duration.ofSeconds(5));
        reserve(limiter, 0, 0);
    }

    @Test
    void eachOfSeveralProcessesKeepsToItsPart() {
        RateLimiter limiter =
                limiter(LimitPolicy.perMinute(10, 100).withConcurrency(6).withInstances(3));
        reserve(limiter, 33, 0);
        assertThat(tryAcquire(limiter, 1, 0)).as("tokens").isInstanceOf(Refused.class);
        reserve(limiter, 0, 0);
        assertThat(tryAcquire(limiter, 0, 0)).as("places").isInstanceOf(Refused.class);
        assertThat(tryAcquire(limiter, 34, 0)).isEqualTo(new Refused(Cause.REQUEST_TOO_LARGE, Optional.empty()));
    }

    @Property(tries = 200)
    void severalProcessesTogetherNeverPassTheLimit(
            @ForAll @IntRange(min = 1, max = 7) int instances,
            @ForAll @IntRange(min = 7, max = 200) int rpm,
            @ForAll @Size(max = 200) List<@IntRange(max = 9_999) Integer> steps) {
        LimitPolicy policy =
                LimitPolicy.perMinute(rpm, 100L * rpm).withConcurrency(rpm).withInstances(instances);
        List<RateLimiter> processes = new ArrayList<>();
        for (int i = 0; i < instances; i++) {
            processes.add(limiter(policy));
        }
        List<long[]> grants = new ArrayList<>();
        for (int step : steps) {
            long tokens = step % 200;
            if (tryAcquire(processes.get(step % instances), tokens, 0) instanceof Granted(Reservation reservation)) {
                reservation.settle(tokens);
                grants.add(new long[] {time.nanoTime(), tokens});
            }
            time.advance(Duration.ofMillis(step % 977));
        }
        for (long[] last : grants) {
            List<long[]> minute = grants.stream()
                    .filter(each -> each[0] <= last[0] && each[0] > last[0] - 60_000_000_000L)
                    .toList();
            assertThat(minute).hasSizeLessThanOrEqualTo(rpm);
            assertThat(minute.stream().mapToLong(each -> each[1]).sum()).isLessThanOrEqualTo(100L * rpm);
        }
    }

    @Test
    void refusesABadPolicyByNameValueAndExpectation() {
        LimitPolicy policy = LimitPolicy.defaults();
        assertThatThrownBy(() -> policy.withRpm(0)).hasMessage("rpm: 0 (expected: 1 to 1000000000000)");
        assertThatThrownBy(() -> policy.withInputTpm(-1)).hasMessage("inputTpm: -1 (expected: 1 to 1000000000000)");
        assertThatThrownBy(() -> policy.withOutputTpm(Long.MAX_VALUE))
                .hasMessage("outputTpm: 9223372036854775807 (expected: 1 to 1000000000000)");
        assertThatThrownBy(() -> policy.withInstances(0)).hasMessage("instances: 0 (expected: 1 to 1000000)");
        assertThatThrownBy(() -> policy.withRpm(5).withInstances(6))
                .hasMessage("rpm: 5 (expected: 6 to 1000000000000)");
        assertThatThrownBy(() -> policy.withConcurrency(1).withInstances(2))
                .hasMessage("concurrency: 1 (expected: >= 2)");
        assertThatThrownBy(() -> policy.withMargin(Duration.ofMinutes(2)))
                .hasMessage("margin: PT2M (expected: 0 to PT1M)");
        assertThatThrownBy(() -> policy.withMaxWait(Duration.ofNanos(-1)))
                .hasMessage("maxWait: PT-0.000000001S (expected: 0 to PT8760H)");
    }

    private RateLimiter limiter(LimitPolicy policy) {
        return RateLimiter.of("t", policy, time);
    }
}
