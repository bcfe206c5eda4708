package dev.holdfast.core;

import static dev.holdfast.core.Reservations.refused;
import static dev.holdfast.core.Reservations.reserve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.RateLimiter.Cause;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private final ManualTime time = new ManualTime();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @Test
    void grantsUpToItsLimitAndSaysWhenTheNextIsFree() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(3));
        for (int i = 0; i < 3; i++) {
            reserve(limiter, 0);
            time.advance(Duration.ofSeconds(10));
        }
        assertThat(limiter.tryAcquire(0)).isEqualTo(refused(Duration.ofSeconds(30)));
        time.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(limiter.tryAcquire(0)).isEqualTo(refused(Duration.ofNanos(1)));
        time.advance(Duration.ofNanos(1));
        reserve(limiter, 0);
        assertThat(limiter.tryAcquire(0)).isEqualTo(refused(Duration.ofSeconds(10)));
    }

    @Test
    void takesRequestsAndTokensTogetherOrNotAtAll() {
        RateLimiter limiter = limiter(LimitPolicy.perMinute(10, 100));
        reserve(limiter, 90);
        for (int i = 0; i < 20; i++) {
            assertThat(limiter.tryAcquire(11)).isInstanceOf(Refused.class);
        }
        assertThat(limiter.status().requests()).isEqualTo(1);
        assertThat(limiter.status().tokens()).isEqualTo(90);
        reserve(limiter, 10);
    }

    @Test
    void refusesAtOnceWhatCanNeverBeGranted() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.perMinute(10, 100));
        assertThat(limiter.acquire(101, Duration.ofDays(1)))
                .isEqualTo(new Refused(Cause.REQUEST_TOO_LARGE, Optional.empty()));
        assertThatThrownBy(() -> limiter.tryAcquire(-1)).hasMessage("tokens: -1 (expected: >= 0)");
    }

    @Test
    void refusesAtOnceWhenTheWaitWouldBeTooLong() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(1));
        reserve(limiter, 0);
        assertThat(limiter.acquire(0, Duration.ofSeconds(59))).isEqualTo(refused(Duration.ofSeconds(60)));
        assertThat(limiter.acquire(0, Duration.ofDays(1), Duration.ofSeconds(59).toNanos()))
                .isEqualTo(refused(Duration.ofSeconds(60)));
    }

    @Test
    void aRefusalReadsTheClockOnceAndChangesNothing() {
        RateLimiter limiter = limiter(LimitPolicy.perMinute(10, 100));
        reserve(limiter, 90);
        time.advance(Duration.ofSeconds(1));
        long before = time.readings();
        assertThat(limiter.tryAcquire(11)).isEqualTo(refused(Duration.ofSeconds(59)));
        assertThat(time.readings()).isEqualTo(before + 1);
        reserve(limiter, 10);
        assertThat(limiter.status().tokens()).isEqualTo(100);
    }

    @Test
    void namesThePlacesAsTheCauseOnceAClosedTimeHasPassed() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withConcurrency(1));
        reserve(limiter, 0);
        limiter.closeFor(Duration.ofSeconds(5));
        assertThat(limiter.tryAcquire(0)).isEqualTo(refused(Duration.ofSeconds(5)));
        time.advance(Duration.ofSeconds(5));
        assertThat(limiter.tryAcquire(0)).isEqualTo(new Refused(Cause.CONCURRENCY, Optional.empty()));
    }

    @Test
    void reckonsWithThoseWhoWaitAlready() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(2));
        reserve(limiter, 0);
        time.advance(Duration.ofSeconds(20));
        reserve(limiter, 0);
        acquireInBackground(limiter, "a", 0, Duration.ofSeconds(60));
        acquireInBackground(limiter, "b", 0, Duration.ofSeconds(60));
        assertThat(limiter.tryAcquire(0))
                .as("behind two, one window later")
                .isEqualTo(refused(Duration.ofSeconds(100)));
        assertThat(limiter.acquire(0, Duration.ofSeconds(99))).isEqualTo(refused(Duration.ofSeconds(100)));
    }

    @Test
    void servesFirstComeFirstServedSoThatSmallDoesNotStarveLarge() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withTpm(100));
        reserve(limiter, 60);
        Task large = acquireInBackground(limiter, "large", 100, Duration.ofMinutes(10));
        Task small = acquireInBackground(limiter, "small", 1, Duration.ofMinutes(10));
        assertThat(limiter.tryAcquire(1)).isInstanceOf(Refused.class);
        time.advance(Duration.ofSeconds(60));
        large.join();
        assertThat(log).containsExactly("large granted");
        time.advance(Duration.ofSeconds(60));
        small.join();
        assertThat(log).containsExactly("large granted", "small granted");
    }

    @Test
    void settlesWithWhatWasUsed() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withTpm(1_000));
        Reservation low = reserve(limiter, 400);
        Reservation high = reserve(limiter, 400);
        time.advance(Duration.ofSeconds(30));
        low.settle(100);
        low.settle(0);
        low.cancel();
        assertThat(limiter.status().tokens()).isEqualTo(500);
        high.settle(600);
        assertThat(limiter.status().tokens()).isEqualTo(700);
        time.advance(Duration.ofSeconds(30));
        assertThat(limiter.status().tokens())
                .as("the surplus counts from when it was known")
                .isEqualTo(200);
        time.advance(Duration.ofSeconds(30));
        assertThat(limiter.status().tokens()).isZero();
    }

    @Test
    void givesBackWhatWasNeverSent() {
        RateLimiter limiter = limiter(LimitPolicy.perMinute(1, 100).withConcurrency(1));
        reserve(limiter, 100).cancel();
        reserve(limiter, 100).cancel();
        assertThat(limiter.status()).isEqualTo(new RateLimiter.Status("t", 0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    void aRefundServesWhoWaits() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withTpm(100));
        Reservation first = reserve(limiter, 100);
        Task waiter = acquireInBackground(limiter, "a", 50, Duration.ofMinutes(2));
        first.settle(50);
        waiter.join();
        assertThat(log).containsExactly("a granted");
    }

    @Test
    void aWaiterThatGoesConsumesNothingAndLetsTheNextOn() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withTpm(100));
        reserve(limiter, 50);
        Task large = acquireInBackground(limiter, "large", 100, Duration.ofMinutes(2));
        Task small = acquireInBackground(limiter, "small", 50, Duration.ofMinutes(2));
        large.interrupt();
        large.join();
        small.join();
        assertThat(log).containsExactlyInAnyOrder("large interrupted, flag cleared", "small granted");
        assertThat(limiter.status().tokens()).isEqualTo(100);
        assertThat(limiter.status().waiting()).isZero();
    }

    @Test
    void aWaiterGivesUpWhenItsTimeIsOverAndLetsTheNextOn() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withConcurrency(1));
        Reservation running = reserve(limiter, 0);
        Task hasty = acquireInBackground(limiter, "hasty", 0, Duration.ofSeconds(5));
        Task patient = acquireInBackground(limiter, "patient", 0, Duration.ofMinutes(5));
        time.advance(Duration.ofSeconds(5));
        hasty.join();
        assertThat(log).containsExactly("hasty refused CONCURRENCY");
        running.settle();
        patient.join();
        assertThat(log).last().isEqualTo("patient granted");
    }

    @Test
    void closesForAsLongAsTheProviderSaysAndSendsAwayWhoCannotWait() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(1));
        reserve(limiter, 0);
        Task waiter = acquireInBackground(limiter, "a", 0, Duration.ofSeconds(60));
        limiter.closeFor(Duration.ofSeconds(90));
        limiter.closeFor(Duration.ofSeconds(1));
        waiter.join();
        assertThat(log).containsExactly("a refused RATE");
        assertThat(limiter.tryAcquire(0)).isEqualTo(refused(Duration.ofSeconds(90)));
        time.advance(Duration.ofSeconds(90));
        reserve(limiter, 0);
    }

    @Test
    void boundsTheAttemptsInFlight() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withConcurrency(2));
        Reservation one = reserve(limiter, 7);
        reserve(limiter, 7);
        assertThat(limiter.acquire(7, Duration.ZERO)).isEqualTo(new Refused(Cause.CONCURRENCY, Optional.empty()));
        Task a = acquireInBackground(limiter, "a", 7, Duration.ofSeconds(5));
        one.settle(3);
        one.settle(3);
        a.join();
        assertThat(limiter.status().inFlight()).isEqualTo(2);
    }

    @Test
    void aLowerLimitKeepsNewcomersOutAndTakesNothingBack() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withConcurrency(3).withTpm(100));
        List<Reservation> running = List.of(reserve(limiter, 0), reserve(limiter, 0), reserve(limiter, 0));
        Task waiter = acquireInBackground(limiter, "a", 80, Duration.ofMinutes(1));
        limiter.change(LimitPolicy.defaults().withConcurrency(1).withTpm(50));
        waiter.join();
        assertThat(log).containsExactly("a refused REQUEST_TOO_LARGE");
        running.get(0).settle();
        running.get(1).settle();
        assertThat(limiter.tryAcquire(0)).isInstanceOf(Refused.class);
        running.get(2).settle();
        reserve(limiter, 0);
    }

    @Test
    void aClockThatGoesBackFreesNothing() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(1));
        reserve(limiter, 0);
        time.advance(Duration.ofSeconds(-100));
        assertThat(limiter.tryAcquire(0)).isEqualTo(refused(Duration.ofSeconds(160)));
        time.advance(Duration.ofSeconds(159));
        assertThat(limiter.tryAcquire(0)).isInstanceOf(Refused.class);
        time.advance(Duration.ofSeconds(1));
        reserve(limiter, 0);
    }

    @Test
    void worksAcrossTheWrapOfNanoTime() {
        var late = new ManualTime(Long.MAX_VALUE - Duration.ofSeconds(5).toNanos());
        var limiter = RateLimiter.of("t", LimitPolicy.defaults().withRpm(1), late);
        reserve(limiter, 0);
        late.advance(Duration.ofSeconds(59));
        assertThat(limiter.tryAcquire(0)).isEqualTo(refused(Duration.ofSeconds(1)));
        late.advance(Duration.ofSeconds(1));
        reserve(limiter, 0);
    }

    @Test
    void remembersManyGrantsInBoundedSpaceAndStillHoldsItsLimit() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(1_000_000));
        for (int i = 0; i < 100_000; i++) {
            reserve(limiter, 1);
            time.advance(Duration.ofNanos(300_000));
        }
        assertThat(limiter.status().requests()).isEqualTo(100_000);
        assertThat(limiter.cell.look().logged()).isLessThan(1_024 + 2 * 4_096);
        time.advance(Duration.ofSeconds(30));
        assertThat(limiter.status().requests())
                .as("the first, which kept its own time")
                .isEqualTo(99_999);
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.status().requests())
                .as("none too early, and none much too late")
                .isBetween(96_666L, 96_720L);
    }

    @Test
    void callsUnderAReservationThatItSettles() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withRpm(1).withMaxWait(Duration.ZERO));
        assertThat(limiter.<String>call(7, () -> "done")).isEqualTo("done");
        assertThat(limiter.status().inFlight()).isZero();
        assertThatThrownBy(() -> limiter.call(7, () -> "never"))
                .isInstanceOf(RateLimiter.RefusedException.class)
                .hasMessage("limiter t refuses: RATE, free in PT1M")
                .satisfies(refused ->
                        assertThat(refused.getStackTrace()).as("costs little").isEmpty());
    }

    @Test
    void aCallIsInFlightAsLongAsItsBodyAndSettlesHoweverThatEnds() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.perMinute(100, 1_000).withMaxWait(Duration.ZERO));
        for (int i = 1; i <= 3; i++) { // the first opens what the others take from
            assertThat(limiter.<Long>call(7, () -> limiter.status().inFlight())).isEqualTo(1);
            assertThat(limiter.<Long>call(7, limiter.status()::requests)).isEqualTo(2L * i - 1);
            assertThat(limiter.status().inFlight()).isZero();
        }
        assertThatThrownBy(() -> limiter.call(7, () -> {
                    limiter.change(LimitPolicy.perMinute(100, 49).withMaxWait(Duration.ZERO));
                    throw new TimeoutException();
                }))
                .isInstanceOf(TimeoutException.class);
        assertThat(limiter.status().inFlight()).isZero();
        assertThat(limiter.status().tokens()).isEqualTo(49);
        assertThatThrownBy(() -> limiter.call(7, () -> "never")).isInstanceOf(RateLimiter.RefusedException.class);
    }

    private RateLimiter limiter(LimitPolicy policy) {
        return RateLimiter.of("t", policy, time);
    }

    private Task acquireInBackground(RateLimiter limiter, String name, long tokens, Duration maxWait) throws Exception {
        long before = limiter.status().waiting();
        Task task = time.start("holdfast-" + name, () -> {
            try {
                switch (limiter.acquire(tokens, maxWait)) {
                    case Granted granted -> log.add(name + " granted");
                    case Refused refused -> log.add(name + " refused " + refused.cause());
                }
            } catch (InterruptedException e) {
                log.add(name + " interrupted" + (Thread.currentThread().isInterrupted() ? "" : ", flag cleared"));
            }
        });
        time.awaitWaiting((int) before + 1);
        return task;
    }
}
