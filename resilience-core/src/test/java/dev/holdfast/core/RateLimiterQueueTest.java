package dev.holdfast.core;

import static dev.holdfast.core.Reservations.refused;
import static dev.holdfast.core.Reservations.reserve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Priority;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.RateLimitSnapshot.Dimension;
import dev.holdfast.core.RateLimiter.Cause;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.NoThreads;
import dev.holdfast.core.internal.limit.LimitCell.Place;
import dev.holdfast.core.internal.limit.LimitState;
import dev.holdfast.core.internal.limit.Limits;
import dev.holdfast.core.internal.limit.Need;
import dev.holdfast.core.internal.limit.Waiter;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What a refusal says of those who wait already, and what becomes of a place in the queue. */
class RateLimiterQueueTest {
    private static final Duration LONG = Duration.ofHours(2);

    private final ManualTime time = new ManualTime();

    /** Whoever waits, whatever was granted: a newcomer of either class that goes into the queue has its turn exactly then. */
    @Property(tries = 500)
    void aRefusalSaysExactlyWhenTheTurnComesOfWhoQueuesUp(
            @ForAll @Size(max = 60) List<@IntRange(max = 9_999) Integer> steps,
            @ForAll @IntRange(min = 1, max = 6) int rpm,
            @ForAll @IntRange(min = 1, max = 300) int tpm) {
        var clock = new ManualTime();
        var limiter = RateLimiter.of("t", LimitPolicy.perMinute(rpm, tpm), clock);
        for (int step : steps) {
            Priority priority = step / 4 % 3 == 0 ? Priority.BATCH : Priority.INTERACTIVE;
            long tokens = step / 12 % (tpm + 1);
            switch (step % 4) {
                case 0 -> clock.advance(Duration.ofMillis(step));
                case 1 -> limiter.tryAcquire(new TokenEstimate(tokens, 0), priority);
                default -> queueUp(limiter, clock, tokens, priority);
            }
        }
        for (Priority priority : Priority.values()) {
            var request = new TokenEstimate(Math.min(tpm, 7), 0);
            if (limiter.tryAcquire(request, priority) instanceof Refused refused) {
                assertThat(refused.cause()).isEqualTo(Cause.RATE);
                Place place = queueUp(limiter, clock, request.input(), priority);
                long turnNanos = clock.nanoTime() + refused.availableInNanos();
                advanceTo(turnNanos - 1, limiter, clock);
                assertThat(place.waiter().isServed()).isFalse();
                advanceTo(turnNanos, limiter, clock);
                assertThat(place.waiter().isServed()).isTrue();
            }
        }
    }

    /** Whoever queues up, goes before or after its turn, or settles, while time goes on or back. */
    @Property(tries = 500)
    void whoeverGoesTakesNothingAndTheOthersKeepTheirOrder(
            @ForAll @Size(max = 150) List<@IntRange(max = 99_999) Integer> steps,
            @ForAll @IntRange(min = 1, max = 6) int rpm,
            @ForAll @IntRange(min = 1, max = 300) int tpm) {
        var crowd = new Crowd(rpm, tpm);
        for (int step : steps) {
            int argument = step / 6;
            switch (step % 6) {
                case 0 -> crowd.pass(Duration.ofMillis(argument % 40_000));
                case 1 -> crowd.pass(Duration.ofMillis(-argument % 2_000));
                case 2 -> crowd.goes(argument);
                default -> crowd.comes(argument % (tpm + 1), argument % 3 == 0 ? Priority.BATCH : Priority.INTERACTIVE);
            }
            crowd.check();
        }
        crowd.allGo();
    }

    /** Who waits at a limiter and who had a turn, with a plain list of what was granted when. */
    private static final class Crowd {
        private final ManualTime clock = new ManualTime();
        private final int rpm;
        private final int tpm;
        private final RateLimiter limiter;
        private final List<Place> present = new ArrayList<>();
        private final Map<Place, Long> served = new LinkedHashMap<>();
        private long latest;

        Crowd(int rpm, int tpm) {
            this.rpm = rpm;
            this.tpm = tpm;
            this.limiter = RateLimiter.of("t", LimitPolicy.perMinute(rpm, tpm), clock);
        }

        void pass(Duration length) {
            clock.advance(length);
            latest = Math.max(latest, clock.nanoTime());
        }

        void comes(long tokens, Priority priority) {
            present.add(queueUp(limiter, clock, tokens, priority));
        }

        void goes(int which) {
            if (!present.isEmpty()) {
                Place gone = present.remove(which % present.size());
                limiter.cell.abandon(gone);
                served.remove(gone);
            }
        }

        void check() {
            RateLimiter.Status status = limiter.status();
            for (Place place : present) {
                if (place.waiter().isServed()) {
                    served.putIfAbsent(place, latest);
                }
            }
            assertThat(status.waiting()).isEqualTo(present.size() - served.size());
            assertThat(status.inFlight()).isEqualTo(served.size());
            List<Place> live = served.entrySet().stream()
                    .filter(each ->
                            latest - each.getValue() < Duration.ofMinutes(1).toNanos())
                    .map(Map.Entry::getKey)
                    .toList();
            long tokens = live.stream()
                    .mapToLong(place -> place.waiter().need().total())
                    .sum();
            assertThat(status.requests()).isEqualTo(live.size()).isLessThanOrEqualTo(rpm);
            assertThat(status.tokens()).isEqualTo(tokens).isLessThanOrEqualTo(tpm);
            for (Priority priority : Priority.values()) {
                List<Boolean> turns = present.stream()
                        .filter(place -> place.waiter().priority() == priority)
                        .map(place -> !place.waiter().isServed())
                        .toList();
                assertThat(turns).as("first come, first served").isSorted();
            }
        }

        void allGo() {
            while (!present.isEmpty()) {
                goes(0);
                check();
            }
            assertThat(limiter.status()).isEqualTo(new RateLimiter.Status("t", 0, 0, 0, 0, Duration.ZERO));
        }
    }

    @Test
    void aRefusalReckonsWithTheBatchCallWhoseTurnItIs() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withTpm(100));
        limiter.tryAcquire(60);
        queueUp(limiter, time, 90, Priority.BATCH);
        for (int i = 0; i < 4; i++) {
            assertThat(limiter.tryAcquire(5)).isInstanceOf(Granted.class);
        }
        time.advance(Duration.ofSeconds(10));
        assertThat(limiter.tryAcquire(20))
                .as("after the batch call, which has its turn in 50 s")
                .isEqualTo(new Refused(Cause.RATE, Optional.of(Duration.ofSeconds(110))));
    }

    /** There is no limit in flight that could be its cause. */
    @Test
    void aRefusalBehindOneWhoWaitsForTheProviderSaysWhen() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withTpm(1_000));
        Reservation first = ((Granted) limiter.tryAcquire(10)).reservation();
        first.heard(snapshot(OptionalLong.of(500), Optional.of(Duration.ofSeconds(40))));
        queueUp(limiter, time, 600, Priority.INTERACTIVE);
        assertThat(limiter.tryAcquire(1)).isEqualTo(new Refused(Cause.RATE, Optional.of(Duration.ofSeconds(40))));
    }

    /** Between its going and its leaving the queue a waiter may be served: what it gives back serves the next, who is going too. */
    @Test
    void anyNumberOfWaitersMayBeGoingAtOnce() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withConcurrency(1));
        Reservation running = ((Granted) limiter.tryAcquire(0)).reservation();
        List<Place> going = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            going.add(queueUp(limiter, time, 1, Priority.INTERACTIVE));
        }
        Place staying = queueUp(limiter, time, 1, Priority.INTERACTIVE);
        going.forEach(place -> assertThat(place.waiter().leave()).isTrue());
        running.settle();
        assertThat(staying.waiter().isServed()).isTrue();
        assertThat(limiter.status().inFlight()).isEqualTo(1);
        assertThat(limiter.status().waiting()).isZero();
    }

    @Test
    void aThreadThatDoesNotStartLeavesNobodyInTheQueue() {
        var broken = new NoThreads(time);
        RateLimiter limiter = RateLimiter.of("t", LimitPolicy.defaults().withConcurrency(1), broken);
        Reservation running = ((Granted) limiter.tryAcquire(0)).reservation();
        assertThatThrownBy(() -> limiter.acquireAsync(0, LONG)).isInstanceOf(RejectedExecutionException.class);
        assertThat(limiter.status().waiting()).isZero();
        running.settle();
        assertThat(limiter.tryAcquire(0)).isInstanceOf(Granted.class);
    }

    @Test
    void aResetInThePastIsTakenForFullHoweverLongAgo() {
        for (Duration ago : List.of(Duration.ofNanos(-1), Duration.ofHours(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            RateLimiter limiter = limiter(LimitPolicy.defaults().withTpm(1_000));
            Reservation first = ((Granted) limiter.tryAcquire(10)).reservation();
            first.heard(snapshot(OptionalLong.of(0), Optional.of(ago)));
            assertThat(limiter.tryAcquire(10)).as("%s", ago).isInstanceOf(Granted.class);
        }
    }

    @Test
    void aNegativePatienceIsNoneHoweverLarge() throws Exception {
        Duration least = Duration.ofSeconds(Long.MIN_VALUE);
        RateLimiter limiter = limiter(LimitPolicy.defaults().withConcurrency(1));
        limiter.closeFor(least);
        assertThat(limiter.acquire(0, least)).isInstanceOf(Granted.class);
        assertThat(limiter.acquire(0, least)).isInstanceOf(Refused.class);
        Bulkhead bulkhead = Bulkhead.of("t", BulkheadPolicy.of(1), time);
        assertThat(bulkhead.acquire(Priority.BATCH, least)).isInstanceOf(Bulkhead.Permit.class);
        assertThat(bulkhead.acquire(Priority.BATCH, least)).isInstanceOf(Bulkhead.Full.class);
    }

    @Test
    void aFutureIsNotDoneWhileItIsQueuedAndLeavesTheQueueWhenItIsCancelled() {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withConcurrency(1));
        Reservation running = reserve(limiter, 0, 0);
        var first = limiter.acquireAsync(0, Duration.ofHours(1));
        var second = limiter.acquireAsync(0, Duration.ofHours(1));
        assertThat(limiter.status().waiting()).isEqualTo(2);
        assertThat(first).isNotDone();
        first.cancel(true);
        running.settle();
        assertThat(second.join()).isInstanceOf(Granted.class);
        assertThat(limiter.acquireAsync(0, Duration.ZERO).join()).isInstanceOf(Refused.class);
        assertThat(limiter.status().inFlight()).isEqualTo(1);
    }

    @Test
    void aFutureThatEndsOtherwiseLeavesTheQueueToo() throws Exception {
        RateLimiter limiter = limiter(LimitPolicy.defaults().withConcurrency(1));
        Reservation running = reserve(limiter, 0, 0);
        var first = limiter.acquireAsync(0, Duration.ofHours(1));
        time.awaitWaiting(1);
        first.completeExceptionally(new TimeoutException());
        while (limiter.status().waiting() > 0) {
            Thread.onSpinWait();
        }
        var second = limiter.acquireAsync(0, Duration.ofHours(1));
        running.settle();
        assertThat(second.join()).isInstanceOf(Granted.class);
        assertThat(limiter.status().waiting()).isZero();
        assertThat(limiter.status().inFlight()).isEqualTo(1);
    }

    private RateLimiter limiter(LimitPolicy policy) {
        return RateLimiter.of("t", policy, time);
    }

    /** Stops wherever the first who waits would wake up, as its thread would do. */
    private static void advanceTo(long nanos, RateLimiter limiter, ManualTime clock) {
        Limits limits = Limits.of(limiter.policy(), Duration.ofMinutes(1));
        while (clock.nanoTime() < nanos) {
            LimitState state = limiter.cell.look();
            Waiter first = state.first();
            long next = first == null ? nanos : Math.min(nanos, state.turnNanos(limits, first));
            clock.advance(Duration.ofNanos(next - clock.nanoTime()));
        }
        limiter.cell.look();
    }

    private static Place queueUp(RateLimiter limiter, ManualTime clock, long tokens, Priority priority) {
        return limiter.cell.enter(new Need(tokens, 0), priority, clock.nanoTime() + LONG.toNanos());
    }

    private static RateLimitSnapshot snapshot(OptionalLong left, Optional<Duration> reset) {
        return new RateLimitSnapshot(Instant.EPOCH, Map.of("tokens", new Dimension(OptionalLong.empty(), left, reset)));
    }

    /** A listener that takes its time takes it from the caller's own. */
    @Test
    void theTimeOfWhoIsToldOfAWaitCountsToIt() throws Exception {
        var limiter = RateLimiter.of("t", LimitPolicy.defaults().withConcurrency(1), time);
        limiter.tryAcquire(1);
        long deadline = time.nanoTime() + Duration.ofSeconds(10).toNanos();
        var told = new CompletableFuture<Refused>();
        var admission = new CompletableFuture<RateLimiter.Admission>();
        Thread.ofVirtual().start(() -> {
            try {
                admission.complete(limiter.acquire(
                        new TokenEstimate(1, 0), Priority.INTERACTIVE, Duration.ofSeconds(10), deadline, refused -> {
                            time.advance(Duration.ofSeconds(10));
                            told.complete(refused);
                        }));
            } catch (InterruptedException | RuntimeException e) {
                admission.completeExceptionally(e);
            }
        });
        assertThat(told.get(1, TimeUnit.MINUTES).cause()).isEqualTo(Cause.CONCURRENCY);
        assertThat(admission.get(1, TimeUnit.MINUTES)).isInstanceOf(Refused.class);
        assertThat(limiter.status().waiting()).isZero();
    }
}
