package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What any circuit breaker must keep. Extend it, and adapt a breaker by a {@link Subject}:
 *
 * <pre>{@code
 * class MyBreakerContractTest extends BreakerContract {
 *     protected Subject create(Settings settings, Timekeeper time, Consumer<BreakerState> listener) {
 *         return new MyAdapter(new MyBreaker(settings.failureThreshold(), ...));
 *     }
 * }
 * }</pre>
 *
 * <p>A breaker that cannot be set up so aborts the test by an assumption. One that reads the machine's clock overrides
 * {@link #pass}, {@link #openTime} and {@link #precision}, and the contract waits in real time.
 */
public abstract class BreakerContract {
    private final ManualTimekeeper time = new ManualTimekeeper();
    private final List<BreakerState> heard = Collections.synchronizedList(new ArrayList<>());

    /** For subclasses. */
    protected BreakerContract() {}

    /**
     * {@return a new breaker, closed}
     *
     * @param settings how it must behave
     * @param clock its clock
     * @param listener must be told each state the breaker goes to, and may throw
     */
    protected abstract Subject create(Settings settings, Timekeeper clock, Consumer<BreakerState> listener);

    /**
     * Lets time pass.
     *
     * @param length how much
     */
    protected void pass(Duration length) {
        time.advance(length);
    }

    /** {@return the open time the contract works with; a breaker that runs in real time makes it short} */
    protected Duration openTime() {
        return Duration.ofSeconds(10);
    }

    /** {@return how exactly the breaker keeps its open time} */
    protected Duration precision() {
        return Duration.ofNanos(1);
    }

    /**
     * How a breaker must behave.
     *
     * @param failureThreshold after how many failures in a row it opens; not looked at where there is a window
     * @param window whose failure rate opens it; empty for failures in a row
     * @param openTime how long it stays open
     * @param maxProbes how many probes may be outstanding while half-open
     * @param successThreshold how many probes must succeed before it closes
     * @param probeTimeout after what time the slot of a silent probe is given to another
     */
    public record Settings(
            int failureThreshold,
            Optional<Window> window,
            Duration openTime,
            int maxProbes,
            int successThreshold,
            Duration probeTimeout) {
        Settings withProbes(int outstanding, int successes) {
            return new Settings(failureThreshold, window, openTime, outstanding, successes, probeTimeout);
        }

        Settings withWindow(Window other) {
            return new Settings(
                    failureThreshold, Optional.of(other), openTime, maxProbes, successThreshold, probeTimeout);
        }
    }

    /**
     * A window over the last calls.
     *
     * @param calls how many
     * @param minimumCalls how many it must hold before it can open the breaker
     * @param failureRate the share of failures that opens it, above 0, at most 1
     */
    public record Window(int calls, int minimumCalls, double failureRate) {}

    /** A breaker under test. */
    public interface Subject {
        /** {@return leave for an attempt; empty if the breaker rejects} */
        Optional<Permit> acquire();

        /**
         * Runs work under the breaker.
         *
         * @param <T> what it gives back
         * @param work the work
         * @return what it gave back
         * @throws Exception what it threw, or the breaker's own if it rejects
         */
        <T> T call(Callable<T> work) throws Exception;

        /** {@return its state} */
        BreakerState state();
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
        Subject breaker = created(plain());
        fail(breaker, 2);
        permit(breaker).succeeded();
        fail(breaker, 2);
        assertThat(breaker.acquire()).isPresent();
        fail(breaker, 1);
        assertThat(breaker.acquire()).isEmpty();
        assertThat(heard).containsExactly(BreakerState.OPEN);
    }

    @Test
    void isNotOverBeforeItsOpenTimeAndThenAdmitsTheCallThatFindsOut() {
        Subject breaker = opened(plain());
        pass(openTime().minus(precision()));
        assertThat(breaker.acquire()).isEmpty();
        pass(precision());
        assertThat(breaker.acquire()).isPresent();
    }

    @Test
    void closesWhenEnoughProbesSucceed() {
        Subject breaker = halfOpen(plain());
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(heard).containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED);
    }

    @Test
    void opensAgainWhenAProbeFails() {
        Subject breaker = halfOpen(plain());
        permit(breaker).succeeded();
        permit(breaker).failed();
        assertThat(breaker.acquire()).isEmpty();
        pass(openTime());
        assertThat(breaker.acquire()).isPresent();
    }

    @Test
    void hasNoMoreProbesOutstandingThanItMay() {
        Subject breaker = halfOpen(plain().withProbes(2, 2));
        permit(breaker);
        permit(breaker);
        assertThat(breaker.acquire()).isEmpty();
    }

    @Test
    void aProbeThatEndedMakesRoomForAnother() {
        Subject breaker = halfOpen(plain().withProbes(2, 5));
        Permit first = permit(breaker);
        permit(breaker);
        first.succeeded();
        permit(breaker);
        assertThat(breaker.acquire()).isEmpty();
    }

    @Test
    void aSecondReportDoesNothing() {
        Subject breaker = halfOpen(plain().withProbes(1, 3));
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
    void aSecondReportOfAFailureCountsNothing() {
        Subject breaker = created(plain());
        Permit permit = permit(breaker);
        permit.failed();
        permit.failed();
        permit.failed();
        assertThat(breaker.acquire()).isPresent();
    }

    @Test
    void aLateSuccessDoesNotCloseIt() {
        Subject breaker = created(plain());
        List<Permit> late = List.of(permit(breaker), permit(breaker), permit(breaker));
        fail(breaker, 3);
        pass(openTime());
        permit(breaker);
        late.forEach(Permit::succeeded);
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void aLateFailureNeitherProlongsTheOpenTimeNorTellsOfItAgain() {
        Subject breaker = created(plain());
        Permit late = permit(breaker);
        fail(breaker, 3);
        pass(openTime().dividedBy(2));
        late.failed();
        pass(openTime().dividedBy(2));
        assertThat(breaker.acquire()).isPresent();
        assertThat(heard).containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN);
    }

    @Test
    void aLateFailureDoesNotEndTheProbing() {
        Subject breaker = created(plain());
        Permit late = permit(breaker);
        fail(breaker, 3);
        pass(openTime());
        permit(breaker);
        late.failed();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void aLateEndOfAnyKindFreesNoSlotOfAProbe() {
        Subject breaker = created(plain());
        Permit late = permit(breaker);
        fail(breaker, 3);
        pass(openTime());
        permit(breaker);
        permit(breaker);
        late.ignored();
        assertThat(breaker.acquire()).isEmpty();
    }

    @Test
    void takesBackAnIgnoredProbe() {
        Subject breaker = halfOpen(plain().withProbes(1, 1));
        for (int i = 0; i < 10; i++) {
            permit(breaker).ignored();
            assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        }
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void losesNoSlotWhenTheWorkThrowsAnError() {
        Subject breaker = halfOpen(plain().withProbes(1, 1));
        for (int i = 0; i < 3; i++) {
            try {
                breaker.call(() -> {
                    throw new AssertionError("a mistake in the program");
                });
            } catch (AssertionError | Exception e) {
                assertThat(e).hasMessage("a mistake in the program");
            }
            pass(openTime());
        }
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void doesNotRejectForeverBecauseOfASilentProbe() {
        Subject breaker = halfOpen(plain().withProbes(1, 1));
        permit(breaker);
        assertThat(breaker.acquire()).isEmpty();
        pass(probeTimeout());
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void ignoredAttemptsNeitherCountNorInterruptARowOfFailures() {
        Subject breaker = created(plain());
        fail(breaker, 2);
        permit(breaker).ignored();
        fail(breaker, 1);
        assertThat(breaker.acquire()).isEmpty();
    }

    @Test
    void aListenerThatThrowsChangesNothing() {
        Subject breaker = create(plain(), time, state -> {
            heard.add(state);
            throw new IllegalStateException("a listener");
        });
        fail(breaker, 3);
        assertThat(breaker.acquire()).isEmpty();
        pass(openTime());
        permit(breaker).succeeded();
        permit(breaker).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(heard).containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED);
    }

    @Test
    void fewerCallsThanTheMinimumNeverOpenIt() {
        Subject breaker = created(plain().withWindow(new Window(10, 10, 0.1)));
        fail(breaker, 9);
        assertThat(breaker.acquire()).isPresent();
        fail(breaker, 1);
        assertThat(breaker.acquire()).isEmpty();
    }

    @Test
    void aRateThatIsJustReachedOpensItAndOneBelowDoesNot() {
        Subject breaker = created(plain().withWindow(new Window(10, 10, 0.5)));
        fail(breaker, 4);
        succeed(breaker, 6);
        assertThat(breaker.acquire()).as("4 of 10").isPresent();
        succeed(breaker, 10);
        fail(breaker, 4);
        assertThat(breaker.acquire()).as("4 of the last 10").isPresent();
        fail(breaker, 1);
        assertThat(breaker.acquire()).as("5 of the last 10").isEmpty();
    }

    @Test
    void aSuccessThatCompletesTheMinimumMayOpenIt() {
        Subject breaker = created(plain().withWindow(new Window(4, 4, 0.5)));
        succeed(breaker, 1);
        fail(breaker, 2);
        assertThat(breaker.acquire()).isPresent();
        succeed(breaker, 1);
        assertThat(breaker.acquire()).isEmpty();
        assertThat(heard).containsExactly(BreakerState.OPEN);
    }

    @Test
    void whatHasLeftTheWindowCountsNoMore() {
        Subject breaker = created(plain().withWindow(new Window(4, 4, 0.75)));
        for (int i = 0; i < 20; i++) {
            fail(breaker, 2);
            succeed(breaker, 2);
        }
        assertThat(breaker.acquire()).isPresent();
        fail(breaker, 3);
        assertThat(breaker.acquire()).isEmpty();
    }

    @Test
    void whatWasCountedBeforeItOpenedIsForgottenWhenItCloses() {
        Subject breaker = created(plain().withWindow(new Window(4, 4, 0.5)));
        fail(breaker, 4);
        pass(openTime());
        succeed(breaker, 2);
        succeed(breaker, 2);
        fail(breaker, 1);
        assertThat(breaker.acquire()).isPresent();
    }

    @Test
    @Tag("concurrency")
    void losesNoFailureOfManyThreads() throws InterruptedException {
        int threads = 64;
        int each = 50;
        Subject breaker = created(new Settings(threads * each, Optional.empty(), openTime(), 2, 2, probeTimeout()));
        together(threads, () -> fail(breaker, each - 1));
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        together(threads, () -> fail(breaker, 1));
        assertThat(breaker.acquire()).isEmpty();
        assertThat(heard).containsExactly(BreakerState.OPEN);
    }

    @Test
    @Tag("concurrency")
    void losesNoSampleOfManyThreads() throws InterruptedException {
        int threads = 50;
        int each = 20;
        Subject breaker = created(plain().withWindow(new Window(threads * each, threads * each, 0.5)));
        together(threads, () -> {
            succeed(breaker, each / 2);
            fail(breaker, each / 2 - 1);
        });
        assertThat(breaker.acquire()).isPresent();
        fail(breaker, threads - 1);
        assertThat(breaker.acquire()).as("one report is missing").isPresent();
        fail(breaker, 1);
        assertThat(breaker.acquire()).isEmpty();
        assertThat(heard).containsExactly(BreakerState.OPEN);
    }

    @Test
    @Tag("concurrency")
    void keepsToItsProbesUnderContention() throws InterruptedException {
        Subject breaker = halfOpen(plain().withProbes(3, Integer.MAX_VALUE));
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

    private Settings plain() {
        return new Settings(3, Optional.empty(), openTime(), 2, 2, probeTimeout());
    }

    private Duration probeTimeout() {
        return openTime().multipliedBy(6);
    }

    private Subject created(Settings settings) {
        return create(settings, time, heard::add);
    }

    private Subject opened(Settings settings) {
        Subject breaker = created(settings);
        fail(breaker, settings.failureThreshold());
        return breaker;
    }

    private Subject halfOpen(Settings settings) {
        Subject breaker = opened(settings);
        pass(settings.openTime());
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

    private static void succeed(Subject breaker, int times) {
        for (int i = 0; i < times; i++) {
            permit(breaker).succeeded();
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
