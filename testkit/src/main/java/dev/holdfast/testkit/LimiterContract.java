package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What any limiter of requests, tokens and attempts in flight must keep. Extend it, and adapt a limiter by a
 * {@link Subject}.
 */
public abstract class LimiterContract {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Settings UNLIMITED =
            new Settings(OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());

    private final ManualTimekeeper time = new ManualTimekeeper();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    /** For subclasses. */
    protected LimiterContract() {}

    /**
     * {@return a new limiter of which nothing is used}
     *
     * @param settings its limits
     * @param time its clock, and how its waiters must wait
     */
    protected abstract Subject create(Settings settings, Timekeeper time);

    /**
     * The limits; what is empty is not limited.
     *
     * @param requests requests within any minute
     * @param tokens tokens within any minute
     * @param concurrency attempts in flight
     */
    public record Settings(OptionalLong requests, OptionalLong tokens, OptionalInt concurrency) {
        Settings withRequests(long most) {
            return new Settings(OptionalLong.of(most), tokens, concurrency);
        }

        Settings withTokens(long most) {
            return new Settings(requests, OptionalLong.of(most), concurrency);
        }

        Settings withConcurrency(int most) {
            return new Settings(requests, tokens, OptionalInt.of(most));
        }
    }

    /** A limiter under test. */
    @FunctionalInterface
    public interface Subject {
        /**
         * {@return a grant, or when there might be one}
         *
         * @param tokens how many tokens are wanted with the request
         * @param maxWait how long the caller would wait
         * @throws InterruptedException if the thread is interrupted while it waits
         */
        Answer acquire(long tokens, Duration maxWait) throws InterruptedException;
    }

    /**
     * What a limiter says.
     *
     * @param grant the grant; empty if it refuses
     * @param availableIn with a refusal, how long until the same request would be granted; empty if nobody knows
     */
    public record Answer(Optional<Grant> grant, Optional<Duration> availableIn) {}

    /** What one attempt was granted. */
    public interface Grant {
        /**
         * It was sent.
         *
         * @param actualTokens what it used
         */
        void settle(long actualTokens);

        /** It was never sent. */
        void cancel();
    }

    @Test
    void grantsNoMoreThanTheLimitInAnyMinute() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withRequests(7).withTokens(1_000), time);
        var random = new Random(1);
        List<long[]> granted = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            long tokens = random.nextInt(400);
            if (limiter.acquire(tokens, Duration.ZERO).grant().isPresent()) {
                granted.add(new long[] {time.nanoTime(), tokens});
            }
            time.advance(Duration.ofMillis(random.nextInt(4_000)));
        }
        assertThat(granted).hasSizeGreaterThan(100);
        for (long[] first : granted) {
            long end = first[0] + MINUTE.toNanos();
            List<long[]> window = granted.stream()
                    .filter(each -> each[0] >= first[0] && each[0] < end)
                    .toList();
            assertThat(window).hasSizeLessThanOrEqualTo(7);
            assertThat(window.stream().mapToLong(each -> each[1]).sum()).isLessThanOrEqualTo(1_000);
        }
    }

    @Test
    void aRefusalSaysExactlyWhenTheRequestIsGranted() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withRequests(5).withTokens(100), time);
        var random = new Random(2);
        int refusals = 0;
        for (int i = 0; i < 500; i++) {
            long tokens = random.nextInt(101);
            Answer answer = limiter.acquire(tokens, Duration.ZERO);
            if (answer.grant().isEmpty()) {
                refusals++;
                Duration availableIn = answer.availableIn().orElseThrow();
                time.advance(availableIn.minusNanos(1));
                assertThat(limiter.acquire(tokens, Duration.ZERO).grant()).isEmpty();
                time.advance(Duration.ofNanos(1));
                assertThat(limiter.acquire(tokens, Duration.ZERO).grant()).isPresent();
            }
            time.advance(Duration.ofMillis(random.nextInt(9_000)));
        }
        assertThat(refusals).isPositive();
    }

    @Test
    void takesAllOrNothing() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withRequests(3).withTokens(100).withConcurrency(10), time);
        grant(limiter, 60);
        for (int i = 0; i < 50; i++) {
            assertThat(limiter.acquire(41, Duration.ZERO).grant()).isEmpty();
        }
        grant(limiter, 20);
        grant(limiter, 20);
        assertThat(limiter.acquire(0, Duration.ZERO).grant()).isEmpty();
    }

    @Test
    void refusesAtOnceWhatWouldTakeTooLongOrCanNeverBe() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withTokens(100), time);
        assertThat(limiter.acquire(101, Duration.ofDays(1)).grant()).isEmpty();
        grant(limiter, 100);
        Answer answer = limiter.acquire(1, MINUTE.minusNanos(1));
        assertThat(answer.grant()).isEmpty();
        assertThat(answer.availableIn()).contains(MINUTE);
    }

    @Test
    void settlesToWhatWasUsed() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withTokens(100), time);
        Grant grant = grant(limiter, 80);
        grant.settle(30);
        grant.settle(0);
        grant.cancel();
        grant(limiter, 70).settle(90);
        assertThat(limiter.acquire(1, Duration.ZERO).grant()).isEmpty();
    }

    @Test
    void cancellingGivesEverythingBack() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withRequests(1).withTokens(100).withConcurrency(1), time);
        for (int i = 0; i < 10; i++) {
            grant(limiter, 100).cancel();
        }
        grant(limiter, 100);
    }

    @Test
    void servesFirstComeFirstServed() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withTokens(100), time);
        grant(limiter, 60);
        Task large = inBackground(limiter, "large", 100, 0);
        Task small = inBackground(limiter, "small", 1, 1);
        assertThat(limiter.acquire(1, Duration.ZERO).grant()).as("overtaking").isEmpty();
        time.advance(MINUTE);
        large.join();
        time.advance(MINUTE);
        small.join();
        assertThat(log).containsExactly("large granted", "small granted");
    }

    @Test
    void anInterruptedWaiterConsumesNothingAndLetsTheNextOn() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withTokens(100), time);
        grant(limiter, 50);
        Task large = inBackground(limiter, "large", 100, 0);
        Task small = inBackground(limiter, "small", 50, 1);
        large.interrupt();
        large.join();
        small.join();
        assertThat(log).containsExactlyInAnyOrder("large interrupted", "small granted");
    }

    @Test
    void aClockThatGoesBackMintsNothing() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withRequests(1), time);
        grant(limiter, 0);
        time.advance(MINUTE.negated());
        assertThat(limiter.acquire(0, Duration.ZERO).grant()).isEmpty();
        time.advance(MINUTE.multipliedBy(2).minusNanos(1));
        assertThat(limiter.acquire(0, Duration.ZERO).grant()).isEmpty();
    }

    @Test
    @Tag("concurrency")
    void neverHasMoreInFlightThanItMayAndForgetsNobody() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withConcurrency(5), time);
        var inFlight = new AtomicInteger();
        var most = new AtomicInteger();
        var served = new AtomicInteger();
        BreakerContract.together(2_000, () -> {
            Grant grant = waitForGrant(limiter, 0);
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            LockSupport.parkNanos(1); // lets others in
            inFlight.decrementAndGet();
            served.incrementAndGet();
            grant.settle(0);
            grant.cancel();
        });
        assertThat(most.get()).isBetween(1, 5);
        assertThat(served.get()).isEqualTo(2_000);
        for (int i = 0; i < 5; i++) {
            grant(limiter, 0);
        }
        assertThat(limiter.acquire(0, Duration.ZERO).grant()).isEmpty();
    }

    @Test
    @Tag("concurrency")
    void reservesBeforeAnyoneElseLooks() throws InterruptedException {
        Subject limiter = create(UNLIMITED.withRequests(700).withTokens(1_000), time);
        var granted = new AtomicInteger();
        BreakerContract.together(1_000, () -> {
            if (answer(limiter, 2, Duration.ZERO).grant().isPresent()) {
                granted.incrementAndGet();
            }
        });
        assertThat(granted.get()).isEqualTo(500);
    }

    private static Grant waitForGrant(Subject limiter, long tokens) {
        return answer(limiter, tokens, Duration.ofDays(1)).grant().orElseThrow();
    }

    private static Answer answer(Subject limiter, long tokens, Duration maxWait) {
        try {
            return limiter.acquire(tokens, maxWait);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted (expected: left alone)", e);
        }
    }

    private static Grant grant(Subject limiter, long tokens) throws InterruptedException {
        return limiter.acquire(tokens, Duration.ZERO)
                .grant()
                .orElseThrow(() -> new AssertionError("refused (expected: a grant)"));
    }

    private Task inBackground(Subject limiter, String name, long tokens, int waiting) throws InterruptedException {
        Task task = time.start("holdfast-" + name, () -> {
            try {
                Answer answer = limiter.acquire(tokens, Duration.ofDays(1));
                log.add(name + (answer.grant().isPresent() ? " granted" : " refused"));
            } catch (InterruptedException e) {
                log.add(name + " interrupted");
            }
        });
        time.awaitWaiting(waiting + 1);
        return task;
    }
}
