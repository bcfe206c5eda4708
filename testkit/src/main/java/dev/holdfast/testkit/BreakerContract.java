package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What any circuit breaker must keep. Extend it, and adapt a breaker by a {@link Subject}:
 *
 * <pre>{@code
 * class MyBreakerContractTest extends BreakerContract {
 *     protected Subject create(Settings settings, Timekeeper time) {
 *         return new MyAdapter(new MyBreaker(settings.failureThreshold(), ...));
 *     }
 * }
 * }</pre>
 */
public abstract class BreakerContract {
    private static final Duration OPEN = Duration.ofSeconds(10);
    private static final Settings PLAIN = new Settings(3, OPEN, 2, 2, Duration.ofSeconds(60));

    private final ManualTimekeeper time = new ManualTimekeeper();

    /** For subclasses. */
    protected BreakerContract() {}

    /**
     * {@return a new breaker, closed}
     *
     * @param settings how it must behave
     * @param time its clock
     */
    protected abstract Subject create(Settings settings, Timekeeper time);

    /**
     * How a breaker must behave.
     *
     * @param failureThreshold after how many failures in a row it opens
     * @param openTime how long it stays open
     * @param maxProbes how many probes may be outstanding while half-open
     * @param successThreshold how many probes must succeed before it closes
     * @param probeTimeout after what time the slot of a silent probe is given to another
     */
    public record Settings(
            int failureThreshold, Duration openTime, int maxProbes, int successThreshold, Duration probeTimeout) {}

    /** A breaker under test. */
    public interface Subject {
        /** {@return leave for an attempt; empty if the breaker rejects} */
        Optional<Permit> acquire();

        /** {@return its state} */
        BreakerState state();

        /** {@return the states it went to, as its listeners heard of them} */
        List<BreakerState> heard();
    }

    /** Leave for one attempt. */
    public interface Permit {
        /** It went well. */
        void succeeded();

        /** It failed. */
        void failed();

        /** It says nothing about the target. */
        void ignored();
    }

    @Test
    void opensAfterFailuresInARowOnly() {
        Subject breaker = create(PLAIN, time);
        fail(breaker, 2);
        permit(breaker).succeeded();
        fail(breaker, 2);
        assertThat(breaker.acquire()).isPresent();
        fail(breaker, 1);
        assertThat(breaker.acquire()).isEmpty();
        assertThat(breaker.heard()).containsExactly(BreakerState.OPEN);
    }

    @Test
    void admitsTheCallThatFindsTheOpenTimeOver() {
        Subject breaker = opened(PLAIN);
        time.advance(OPEN.minusNanos(1));
        assertThat(breaker.acquire()).isEmpty();
        time.advance(Duration.ofNanos(1));
        assertThat(breaker.acquire()).isPresent();
    }

    @Test
    void closesWhenEnoughProbesSucceed() {
        Subject breaker = halfOpen(PLAIN);
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.heard()).containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED);
    }

    @Test
    void opensAgainWhenAProbeFails() {
        Subject breaker = halfOpen(PLAIN);
        permit(breaker).succeeded();
        permit(breaker).failed();
        assertThat(breaker.acquire()).isEmpty();
        time.advance(OPEN);
        assertThat(breaker.acquire()).isPresent();
    }

    @Test
    void hasNoMoreProbesOutstandingThanItMay() {
        Subject breaker = halfOpen(new Settings(3, OPEN, 2, 5, Duration.ofSeconds(60)));
        Permit first = permit(breaker);
        permit(breaker);
        assertThat(breaker.acquire()).isEmpty();
        first.succeeded();
        permit(breaker);
        assertThat(breaker.acquire()).isEmpty();
    }

    @Test
    void aSecondReportDoesNothing() {
        Subject breaker = halfOpen(new Settings(3, OPEN, 1, 3, Duration.ofSeconds(60)));
        Permit first = permit(breaker);
        first.succeeded();
        Permit second = permit(breaker);
        first.succeeded();
        first.failed();
        first.ignored();
        assertThat(breaker.acquire()).as("the slot is the second probe's").isEmpty();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        second.succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void aLateReportDoesNothing() {
        Subject breaker = create(PLAIN, time);
        Permit lateSuccess = permit(breaker);
        Permit lateFailure = permit(breaker);
        Permit lateIgnored = permit(breaker);
        fail(breaker, 3);
        time.advance(OPEN.dividedBy(2));
        lateFailure.failed();
        time.advance(OPEN.dividedBy(2));
        permit(breaker);
        permit(breaker);
        lateSuccess.succeeded();
        lateIgnored.ignored();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(breaker.acquire()).as("no slot was freed").isEmpty();
        assertThat(breaker.heard()).containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN);
    }

    @Test
    void takesBackAnIgnoredProbe() {
        Subject breaker = halfOpen(new Settings(3, OPEN, 1, 1, Duration.ofSeconds(60)));
        for (int i = 0; i < 10; i++) {
            permit(breaker).ignored();
            assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        }
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void doesNotRejectForeverBecauseOfASilentProbe() {
        Subject breaker = halfOpen(new Settings(3, OPEN, 1, 1, Duration.ofSeconds(60)));
        permit(breaker);
        assertThat(breaker.acquire()).isEmpty();
        time.advance(Duration.ofSeconds(60));
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void ignoredAttemptsNeitherCountNorInterruptARowOfFailures() {
        Subject breaker = create(PLAIN, time);
        fail(breaker, 2);
        permit(breaker).ignored();
        fail(breaker, 1);
        assertThat(breaker.acquire()).isEmpty();
    }

    @Test
    @Tag("concurrency")
    void losesNoFailureOfManyThreads() throws InterruptedException {
        int threads = 64;
        int each = 50;
        Subject breaker = create(new Settings(threads * each, OPEN, 1, 1, Duration.ofSeconds(60)), time);
        together(threads, () -> fail(breaker, each - 1));
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        together(threads, () -> fail(breaker, 1));
        assertThat(breaker.acquire()).isEmpty();
        assertThat(breaker.heard()).containsExactly(BreakerState.OPEN);
    }

    @Test
    @Tag("concurrency")
    void keepsToItsProbesUnderContention() throws InterruptedException {
        Subject breaker = halfOpen(new Settings(3, OPEN, 3, Integer.MAX_VALUE, Duration.ofDays(1)));
        var outstanding = new AtomicInteger();
        var most = new AtomicInteger();
        together(2_000, () -> {
            for (int i = 0; i < 20; i++) {
                breaker.acquire().ifPresent(permit -> {
                    most.accumulateAndGet(outstanding.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(1); // lets others in
                    outstanding.decrementAndGet();
                    permit.ignored();
                });
            }
        });
        assertThat(most.get()).isBetween(1, 3);
        for (int i = 0; i < 3; i++) {
            permit(breaker);
        }
        assertThat(breaker.acquire()).isEmpty();
    }

    private Subject opened(Settings settings) {
        Subject breaker = create(settings, time);
        fail(breaker, settings.failureThreshold());
        return breaker;
    }

    private Subject halfOpen(Settings settings) {
        Subject breaker = opened(settings);
        time.advance(settings.openTime());
        permit(breaker).ignored();
        return breaker;
    }

    private static Permit permit(Subject breaker) {
        return breaker.acquire().orElseThrow(() -> new AssertionError("rejected (expected: a permit)"));
    }

    private static void fail(Subject breaker, int times) {
        for (int i = 0; i < times; i++) {
            permit(breaker).failed();
        }
    }

    static void together(int threads, Runnable body) throws InterruptedException {
        var start = new CountDownLatch(1);
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(Thread.ofVirtual().start(() -> {
                try {
                    start.await();
                    body.run();
                } catch (Throwable e) {
                    thrown.add(e);
                }
            }));
        }
        start.countDown();
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(thrown).isEmpty();
    }
}
