package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.BreakerState;
import dev.holdfast.core.CircuitBreaker.Counts;
import dev.holdfast.core.CircuitBreaker.FailureReport;
import dev.holdfast.core.CircuitBreaker.Open;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.CircuitBreaker.Transition;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CircuitBreakerWindowTest {
    private static final Duration SLOW = Duration.ofSeconds(2);

    private final ManualTime time = new ManualTime();
    private final List<Transition> heard = Collections.synchronizedList(new ArrayList<>());

    @Test
    void saysWhichShareOpenedIt() {
        CircuitBreaker failing = breaker(BreakerWindow.ofCalls(10).withMinimumCalls(4));
        succeed(failing, 2);
        fail(failing, 2);
        CircuitBreaker slow = breaker(BreakerWindow.ofCalls(4).withSlowCalls(1, SLOW));
        for (int i = 0; i < 4; i++) {
            take(slow, SLOW.plusNanos(1)).succeeded();
        }
        assertThat(heard)
                .extracting(Transition::reason)
                .containsExactly("2 of 4 calls failed", "4 of 4 calls were slow");
        assertThat(failing.state()).isEqualTo(BreakerState.OPEN);
        assertThat(slow.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void aCallAsLongAsTheBoundIsNotSlow() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2).withSlowCalls(0.5, SLOW));
        take(breaker, SLOW).succeeded();
        take(breaker, SLOW).succeeded();
        assertThat(breaker.status().window()).isEqualTo(new Counts(2, 0, 0));
        take(breaker, SLOW.plusNanos(1)).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void aLateFailureIsBothSlowAndFailed() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(10).withSlowCalls(1, SLOW));
        take(breaker, Duration.ofSeconds(3)).failed();
        take(breaker, Duration.ofSeconds(1)).failed();
        take(breaker, Duration.ofSeconds(3)).succeeded();
        Counts counts = breaker.status().window();
        assertThat(counts).isEqualTo(new Counts(3, 2, 2));
        assertThat(counts.failureRate()).isEqualTo(2 / 3.0);
        assertThat(counts.slowCallRate()).isEqualTo(2 / 3.0);
    }

    @Test
    void callTimesTheWorkToo() throws Exception {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2).withSlowCalls(1, SLOW));
        for (int i = 0; i < 2; i++) {
            breaker.call(() -> {
                time.advance(Duration.ofSeconds(3));
                return "late";
            });
        }
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void anAnswerThatBeganInTimeIsNotSlowHoweverLongItIs() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(4).withSlowCalls(1, SLOW));
        Permit streamed = (Permit) breaker.acquire();
        time.advance(SLOW);
        streamed.answerBegan();
        time.advance(SLOW.multipliedBy(10));
        streamed.answerBegan();
        streamed.succeeded();
        assertThat(breaker.status().window()).isEqualTo(new Counts(1, 0, 0));

        Permit late = (Permit) breaker.acquire();
        time.advance(SLOW.plusNanos(1));
        late.answerBegan();
        late.succeeded();
        assertThat(breaker.status().window()).isEqualTo(new Counts(2, 0, 1));

        Permit cut = (Permit) breaker.acquire();
        cut.answerBegan();
        time.advance(SLOW.multipliedBy(2));
        cut.failed();
        assertThat(breaker.status().window()).isEqualTo(new Counts(3, 1, 1));
    }

    @Test
    void aProbeWhoseAnswerBeganInTimeIsNotSlow() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2).withSlowCalls(1, SLOW));
        fail(breaker, 2);
        time.advance(Duration.ofMinutes(10));
        Permit probe = (Permit) breaker.acquire();
        assertThat(probe.isProbe()).isTrue();
        probe.answerBegan();
        time.advance(SLOW.multipliedBy(10));
        probe.succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(breaker.status().probesOutstanding()).isZero();
    }

    @Test
    void aSlowProbeOpensItAgain() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2).withSlowCalls(1, SLOW));
        fail(breaker, 2);
        time.advance(Duration.ofSeconds(30));
        take(breaker, SLOW.plusNanos(1)).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(heard.getLast().reason()).isEqualTo("a probe was slow");
        time.advance(Duration.ofSeconds(30));
        take(breaker, SLOW).succeeded();
        take(breaker, SLOW).succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.status().window()).as("a fresh window").isEqualTo(new Counts(0, 0, 0));
    }

    @Test
    void theFailuresOfOneCallAreOneInTheWindow() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(10).withMinimumCalls(2));
        permit(breaker).failed();
        for (int i = 0; i < 5; i++) {
            permit(breaker).failed(new FailureReport(true, Optional.empty()));
        }
        assertThat(breaker.status().window()).isEqualTo(new Counts(1, 1, 0));
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void theSuggestedDelayOfTheFailureThatOpensItStretchesTheOpenTime() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2));
        permit(breaker).failed(new FailureReport(false, Optional.of(Duration.ofMinutes(4))));
        permit(breaker).failed(new FailureReport(false, Optional.of(Duration.ofMinutes(2))));
        assertThat(breaker.acquire()).isEqualTo(new Open(Duration.ofMinutes(2).toNanos()));
    }

    @Test
    void ignoredCallsAreNotInTheWindow() throws Exception {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2));
        permit(breaker).ignored();
        assertThat(breaker.status().window()).isEqualTo(new Counts(0, 0, 0));
        breaker.disable();
        fail(breaker, 10);
        assertThat(breaker.status().window()).isEqualTo(new Counts(0, 0, 0));
        assertThat(breaker.state()).isEqualTo(BreakerState.DISABLED);
    }

    @Test
    void metricsOnlyCountsInItsWindowAndNeverRejects() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(10));
        breaker.observe();
        fail(breaker, 25);
        succeed(breaker, 5);
        assertThat(breaker.status().window()).isEqualTo(new Counts(10, 5, 0));
        assertThat(breaker.state()).isEqualTo(BreakerState.METRICS_ONLY);
        assertThat(heard).hasSize(1);
    }

    @Test
    void rejectedCallsAreNotInTheWindow() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2));
        breaker.forceOpen();
        assertThat(breaker.acquire()).isInstanceOf(Open.class);
        breaker.reset();
        assertThat(breaker.status().window()).isEqualTo(new Counts(0, 0, 0));
    }

    @Test
    void aReportOfAnEarlierGenerationIsNotInTheWindow() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2));
        Permit late = permit(breaker);
        breaker.reset();
        late.failed();
        assertThat(breaker.status().window()).isEqualTo(new Counts(0, 0, 0));
    }

    @Test
    void whatIsOlderThanATimeWindowDoesNotOpenIt() {
        CircuitBreaker breaker =
                breaker(BreakerWindow.ofTime(Duration.ofSeconds(60)).withMinimumCalls(5));
        fail(breaker, 4);
        time.advance(Duration.ofSeconds(61));
        fail(breaker, 4);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        time.advance(Duration.ofSeconds(50));
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void aWindowOfCallsReadsNoClockWhileAllGoesWell() throws Exception {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(100));
        long before = time.readings();
        for (int i = 0; i < 200; i++) {
            succeed(breaker, 1);
            breaker.call(() -> "well");
            if (i % 4 == 0) {
                fail(breaker, 1);
            }
            permit(breaker).ignored();
        }
        assertThat(breaker.status().window().calls()).isEqualTo(100);
        assertThat(time.readings()).isEqualTo(before);
    }

    /** The rates must decide as exact fractions do, whatever the doubles between them. */
    @Property
    void opensExactlyWhenTheRateIsReached(
            @ForAll @IntRange(min = 1, max = 30) int size,
            @ForAll @IntRange(min = 1, max = 30) int minimum,
            @ForAll @IntRange(min = 1, max = 100) int percent,
            @ForAll @Size(max = 100) List<Boolean> failures) {
        int least = Math.min(size, minimum);
        CircuitBreaker breaker =
                breaker(BreakerWindow.ofCalls(size).withMinimumCalls(least).withFailureRate(percent / 100.0));
        List<Boolean> sofar = new ArrayList<>();
        for (boolean failed : failures) {
            if (failed) {
                permit(breaker).failed();
            } else {
                permit(breaker).succeeded();
            }
            sofar.add(failed);
            List<Boolean> last = sofar.subList(Math.max(0, sofar.size() - size), sofar.size());
            long bad = last.stream().filter(each -> each).count();
            if (last.size() >= least && bad * 100 >= (long) percent * last.size()) {
                assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
                return;
            }
            assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        }
    }

    @Test
    @Tag("concurrency")
    @Timeout(300)
    void opensOnceUnderManyThreads() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            heard.clear();
            CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(100).withMinimumCalls(100));
            Threads.together(100, () -> {
                if (breaker.acquire() instanceof Permit permit) {
                    if (Thread.currentThread().threadId() % 2 == 0) {
                        permit.failed();
                    } else {
                        permit.failed(new FailureReport(false, Optional.of(Duration.ofSeconds(1))));
                    }
                }
            });
            assertThat(heard).extracting(Transition::to).containsExactly(BreakerState.OPEN);
        }
    }

    @Test
    void anOrderEndsByItself() throws IOException {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2));
        breaker.forceOpen(Duration.ofMinutes(1));
        time.advance(Duration.ofSeconds(20));
        assertThat(breaker.acquire()).isEqualTo(new Open(Duration.ofSeconds(40).toNanos()));
        time.advance(Duration.ofSeconds(40));
        assertThat(breaker.rejection()).isEmpty();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        breaker.disable(Duration.ofMinutes(1));
        Permit old = permit(breaker);
        fail(breaker, 5);
        time.advance(Duration.ofMinutes(1));
        old.failed();
        fail(breaker, 2);
        assertThat(heard)
                .extracting(Transition::to)
                .containsExactly(
                        BreakerState.FORCED_OPEN,
                        BreakerState.CLOSED,
                        BreakerState.DISABLED,
                        BreakerState.CLOSED,
                        BreakerState.OPEN);
        assertThat(heard.get(1).reason()).isEqualTo("what was ordered has lapsed");
    }

    @Test
    void aNewerOrderReplacesTheTermOfAnOlderOne() {
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(2));
        breaker.forceOpen(Duration.ofMinutes(1));
        breaker.forceOpen();
        time.advance(Duration.ofDays(1));
        assertThat(breaker.acquire()).isEqualTo(new Open(-1));
        breaker.forceOpen(Duration.ofMinutes(1));
        time.advance(Duration.ofMinutes(1));
        assertThat(breaker.acquire()).isInstanceOf(Permit.class);
        assertThat(heard).hasSize(2);
    }

    @Test
    void refusesWindowsThatCouldNeverOpenIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BreakerWindow.ofCalls(5).withMinimumCalls(6))
                .withMessage("minimumCalls: 6 (expected: at most the window's 5, else it never opens)");
        assertThatIllegalArgumentException().isThrownBy(() -> BreakerWindow.ofCalls(0));
        assertThatIllegalArgumentException().isThrownBy(() -> BreakerWindow.ofCalls(100_001));
        assertThatIllegalArgumentException().isThrownBy(() -> BreakerWindow.ofTime(Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BreakerWindow.ofCalls(5).withFailureRate(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BreakerWindow.ofCalls(5).withFailureRate(1.01));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BreakerWindow.ofCalls(5).withFailureRate(Double.NaN));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BreakerWindow.ofCalls(5).withSlowCalls(0, SLOW));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BreakerWindow.ofCalls(5).withSlowCalls(1, Duration.ofSeconds(Long.MAX_VALUE)));
        CircuitBreaker breaker = breaker(BreakerWindow.ofCalls(5));
        assertThatIllegalArgumentException().isThrownBy(() -> breaker.forceOpen(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> breaker.disable(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    private CircuitBreaker breaker(BreakerWindow window) {
        return CircuitBreaker.of("t", BreakerPolicy.defaults().withWindow(window), time, new Random(1), heard::add);
    }

    private Permit take(CircuitBreaker breaker, Duration length) {
        Permit permit = permit(breaker);
        time.advance(length);
        return permit;
    }

    private static Permit permit(CircuitBreaker breaker) {
        CircuitBreaker.Admission admission = breaker.acquire();
        assertThat(admission).isInstanceOf(Permit.class);
        return (Permit) admission;
    }

    private static void fail(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            permit(breaker).failed();
        }
    }

    private static void succeed(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            permit(breaker).succeeded();
        }
    }
}
