package dev.holdfast.core.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class AllotmentTest {
    /** More grants in a window than keep their own time, in bursts between silences: no window has more than the limit. */
    @Property(tries = 60)
    void whateverBurstsAndSilencesComeNoWindowHasMoreThanTheLimit(
            @ForAll @Size(min = 20, max = 120) List<@IntRange(max = 99_999) Integer> steps) {
        ManualTime clock = new ManualTime();
        RateLimiter limiter = RateLimiter.of("t", LimitPolicy.perMinute(4_000, 400_000), clock);
        List<long[]> grants = new ArrayList<>();
        for (int step : steps) {
            int burst = step % 300;
            for (int i = 0; i < burst; i++) {
                long tokens = (step + 31L * i) % 170;
                if (limiter.tryAcquire(tokens) instanceof Granted(Reservation reservation)) {
                    grants.add(new long[] {clock.nanoTime(), end(reservation, tokens, i)});
                }
                clock.advance(Duration.ofNanos(step % 3 == 0 ? 100 : 40_000));
            }
            clock.advance(Duration.ofMillis(step % 7 == 0 ? step % 20_000 : step % 40));
        }
        int first = 0;
        long requests = 0;
        long tokens = 0;
        for (long[] last : grants) {
            requests++;
            tokens += last[1];
            while (last[0] - grants.get(first)[0] >= 60_000_000_000L) {
                requests--;
                tokens -= grants.get(first)[1];
                first++;
            }
            assertThat(requests).isLessThanOrEqualTo(4_000);
            assertThat(tokens).isLessThanOrEqualTo(400_000);
        }
        clock.advance(Duration.ofMillis(60_015)); // grants that were joined count up to a 4,096th of a window longer
        assertThat(limiter.status().requests()).isZero();
        assertThat(limiter.status().tokens()).isZero();
        assertThat(limiter.status().inFlight()).isZero();
        for (int i = 0; i < 4_000; i++) {
            assertThat(limiter.tryAcquire(100)).isInstanceOf(Granted.class);
        }
    }

    /** What a grant still counts for after it has ended. */
    private static long end(Reservation reservation, long tokens, int how) {
        if (how % 3 == 0) {
            reservation.settle(tokens / 2);
            return tokens / 2;
        }
        reservation.settle();
        return tokens;
    }
}
