package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.RateLimiter.Admission;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.Threads;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("concurrency")
@Timeout(300)
class RateLimiterStressTest {
    private static final Duration WINDOW = Duration.ofSeconds(1);

    @Test
    void servesEveryWaiterWindowByWindowAndNoneTooEarly() throws Exception {
        var time = new ManualTime();
        var limiter = new RateLimiter("t", LimitPolicy.perMinute(100, 1_000), WINDOW, time);
        var granted = new AtomicInteger();
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            waiters.add(Thread.ofVirtual().start(() -> {
                if (acquire(limiter, 5) instanceof Granted) {
                    granted.incrementAndGet();
                }
            }));
        }
        await(() -> limiter.status().waiting() == 1_900 && granted.get() == 100);
        for (int window = 1; window < 20; window++) {
            time.advance(WINDOW.minusNanos(1));
            assertThat(limiter.status().waiting()).isEqualTo(2_000 - 100 * window);
            time.advance(Duration.ofNanos(1));
            int expected = 100 * (window + 1);
            await(() -> granted.get() == expected);
            assertThat(limiter.status().waiting()).isEqualTo(2_000 - expected);
        }
        waiters.forEach(Threads::join);
        assertThat(granted.get()).isEqualTo(2_000);
    }

    @Test
    void waitersThatGoTakeNothingWithThem() throws Exception {
        var time = new ManualTime();
        var limiter = new RateLimiter("t", LimitPolicy.perMinute(10_000, 10_000).withConcurrency(50), WINDOW, time);
        var granted = new AtomicInteger();
        var interrupted = new AtomicInteger();
        var tokens = new AtomicLong();
        List<Reservation> running = Collections.synchronizedList(new ArrayList<>());
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            int wanted = i % 5;
            waiters.add(Thread.ofVirtual().start(() -> {
                try {
                    if (limiter.acquire(wanted, Duration.ofDays(1)) instanceof Granted(Reservation reservation)) {
                        tokens.addAndGet(reservation.tokens());
                        granted.incrementAndGet();
                        running.add(reservation);
                    }
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                }
            }));
        }
        await(() -> running.size() == 50);
        var random = ThreadLocalRandom.current();
        while (granted.get() + interrupted.get() < 2_000) {
            waiters.get(random.nextInt(2_000)).interrupt();
            if (!running.isEmpty()) {
                running.removeFirst().settle();
            }
            assertThat(limiter.status().inFlight()).isLessThanOrEqualTo(50);
        }
        waiters.forEach(Threads::join);
        assertThat(interrupted.get()).isPositive();
        assertThat(limiter.status().tokens()).isEqualTo(tokens.get());
        assertThat(limiter.status().requests()).isEqualTo(granted.get());
        running.forEach(Reservation::settle);
        assertThat(limiter.status().inFlight()).isZero();
        assertThat(limiter.status().waiting()).isZero();
    }

    @Test
    void keepsItsCountsOnTheMachinesOwnTime() throws Exception {
        var limiter = new RateLimiter(
                "t", LimitPolicy.perMinute(500, 5_000).withConcurrency(20), Duration.ofMillis(20), Timekeeper.system());
        var inFlight = new AtomicInteger();
        var most = new AtomicInteger();
        var granted = new AtomicInteger();
        Threads.together(3_000, () -> {
            int outcome = ThreadLocalRandom.current().nextInt(4);
            if (acquire(limiter, 10) instanceof Granted(Reservation reservation)) {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                granted.incrementAndGet();
                inFlight.decrementAndGet();
                switch (outcome) {
                    case 0 -> reservation.cancel();
                    case 1 -> reservation.settle(12);
                    case 2 -> reservation.settle(1);
                    default -> reservation.settle();
                }
            }
        });
        assertThat(granted.get()).isEqualTo(3_000);
        assertThat(most.get()).isLessThanOrEqualTo(20);
        await(() -> limiter.status().requests() + limiter.status().tokens() == 0);
        assertThat(limiter.status()).isEqualTo(new RateLimiter.Status("t", 0, 0, 0, 0, Duration.ZERO));
    }

    private static Admission acquire(RateLimiter limiter, long tokens) {
        try {
            return limiter.acquire(tokens, Duration.ofDays(1));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 120_000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(1);
        }
        assertThat(condition.getAsBoolean()).as("within two minutes").isTrue();
    }
}
