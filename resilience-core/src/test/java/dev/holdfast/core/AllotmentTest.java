package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A limiter so busy that it grants from one word, and what must not be lost on the way there and back. */
class AllotmentTest {
    private static final int BUSY = 2_000;

    private final ManualTime time = new ManualTime();

    @Test
    void holdsBothLimitsToTheLastOneOfThem() {
        RateLimiter limiter = busy(LimitPolicy.perMinute(BUSY + 300, 1_000_000));
        for (int i = 0; i < 300; i++) {
            assertThat(limiter.tryAcquire(1)).isInstanceOf(Granted.class);
        }
        assertThat(limiter.tryAcquire(0)).isInstanceOf(Refused.class);
        assertThat(limiter.status().requests()).isEqualTo(BUSY + 300);
        assertThat(limiter.status().tokens()).isEqualTo(300);
        RateLimiter tokens = busy(LimitPolicy.perMinute(1_000_000, 1_000));
        assertThat(tokens.tryAcquire(999)).isInstanceOf(Granted.class);
        assertThat(tokens.tryAcquire(2)).isInstanceOf(Refused.class);
        assertThat(tokens.tryAcquire(1)).isInstanceOf(Granted.class);
    }

    @Test
    void settlesAndGivesBackWhetherItIsStillOpenOrNot() {
        RateLimiter limiter = busy(LimitPolicy.perMinute(1_000_000, 1_000_000));
        List<Reservation> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            all.add(((Granted) limiter.tryAcquire(100)).reservation());
        }
        all.get(0).settle(40);
        all.get(0).settle(0);
        all.get(1).cancel();
        all.get(1).cancel();
        all.get(2).settle(150);
        assertThat(limiter.status().tokens()).isEqualTo(60 * 100 - 60 - 100 + 50);
        assertThat(limiter.status().requests()).isEqualTo(BUSY + 59);
        assertThat(limiter.status().inFlight()).isEqualTo(57);
        all.get(3).settle(40);
        all.get(4).cancel();
        assertThat(limiter.status().tokens()).isEqualTo(60 * 100 - 60 - 100 + 50 - 60 - 100);
        all.forEach(Reservation::settle);
        assertThat(limiter.status().inFlight()).isZero();
        time.advance(Duration.ofMinutes(1).plusMillis(15));
        assertThat(limiter.status().tokens() + limiter.status().requests()).isZero();
    }

    @Test
    void whatIsTakenForGoodIsUsedUntilItsMinuteIsOverAndNeverInFlight() {
        for (int before : List.of(0, BUSY)) {
            RateLimiter limiter = after(before, LimitPolicy.perMinute(before + 300, 100 * 10 + 200 * 20 + 5));
            for (int i = 0; i < 300; i++) {
                assertThat(limiter.tryTake(i < 100 ? 10 : 20)).isEmpty();
            }
            assertThat(limiter.tryTake(0).orElseThrow().cause()).isEqualTo(RateLimiter.Cause.RATE);
            assertThat(limiter.status().requests()).isEqualTo(before + 300);
            assertThat(limiter.status().tokens()).isEqualTo(100 * 10 + 200 * 20);
            assertThat(limiter.status().inFlight()).isZero();
            time.advance(Duration.ofMinutes(1).plusMillis(15));
            assertThat(limiter.tryTake(5_000)).isEmpty();
            assertThat(limiter.tryTake(6).orElseThrow().availableIn()).contains(Duration.ofMinutes(1));
            assertThat(limiter.tryTake(5_006).orElseThrow().cause()).isEqualTo(RateLimiter.Cause.REQUEST_TOO_LARGE);
        }
    }

    @Test
    void closingAndChangingTakeEffectAtOnce() {
        RateLimiter limiter = busy(LimitPolicy.perMinute(1_000_000, 1_000_000));
        assertThat(limiter.tryAcquire(1)).isInstanceOf(Granted.class);
        limiter.closeFor(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire(1)).isInstanceOf(Refused.class);
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire(1)).isInstanceOf(Granted.class);
        limiter.change(LimitPolicy.perMinute(10, 10));
        assertThat(limiter.tryAcquire(1)).isInstanceOf(Refused.class);
    }

    @Test
    @Tag("concurrency")
    void losesNothingUnderWaysThatCross() {
        RateLimiter limiter = busy(LimitPolicy.perMinute(100_000_000, 1_000_000_000));
        var requests = new AtomicInteger(BUSY);
        var tokens = new AtomicLong();
        Threads.together(200, () -> {
            var random = ThreadLocalRandom.current();
            for (int i = 0; i < 500; i++) {
                Reservation reservation = ((Granted) limiter.tryAcquire(10)).reservation();
                switch (random.nextInt(6)) {
                    case 0 -> reservation.cancel();
                    case 3 -> {
                        assertThat(limiter.tryTake(7)).isEmpty();
                        reservation.settle(2);
                        requests.addAndGet(2);
                        tokens.addAndGet(9);
                    }
                    case 1 -> {
                        reservation.settle(15);
                        requests.incrementAndGet();
                        tokens.addAndGet(15);
                    }
                    case 2 -> {
                        limiter.status();
                        time.advance(Duration.ofNanos(100));
                        reservation.settle(3);
                        requests.incrementAndGet();
                        tokens.addAndGet(3);
                    }
                    default -> {
                        reservation.settle();
                        requests.incrementAndGet();
                        tokens.addAndGet(10);
                    }
                }
                reservation.settle(1_000);
                reservation.cancel();
            }
        });
        assertThat(limiter.status().requests()).isEqualTo(requests.get());
        assertThat(limiter.status().tokens()).isEqualTo(tokens.get());
        assertThat(limiter.status().inFlight()).isZero();
    }

    /** A limiter with so many grants in its window, each with a time of its own, that the next ones join. */
    private RateLimiter busy(LimitPolicy policy) {
        return after(BUSY, policy);
    }

    private RateLimiter after(int grants, LimitPolicy policy) {
        RateLimiter limiter = RateLimiter.of("t", policy, time);
        for (int i = 0; i < grants; i++) {
            ((Granted) limiter.tryAcquire(0)).reservation().settle();
        }
        return limiter;
    }
}
