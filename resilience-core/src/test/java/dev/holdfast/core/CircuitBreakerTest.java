package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.BreakerState;
import dev.holdfast.CallRejectedException;
import dev.holdfast.FailureKind;
import dev.holdfast.core.CircuitBreaker.Admission;
import dev.holdfast.core.CircuitBreaker.FailureReport;
import dev.holdfast.core.CircuitBreaker.Open;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.CircuitBreaker.Transition;
import dev.holdfast.core.internal.ForwardedTime;
import dev.holdfast.core.internal.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
    private final ManualTime time = new ManualTime();
    private final List<Transition> heard = new ArrayList<>();

    @Test
    void opensAfterFiveFailuresInARow() {
        CircuitBreaker breaker = breaker(BreakerPolicy.defaults());
        fail(breaker, 4);
        succeed(breaker);
        fail(breaker, 4);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(breaker.acquire()).isEqualTo(new Open(Duration.ofSeconds(30).toNanos()));
        assertThat(heard)
                .containsExactly(new Transition("t", BreakerState.CLOSED, BreakerState.OPEN, "5 failures in a row"));
    }

    @Test
    void admitsTheCallThatFindsTheOpenTimeOver() {
        CircuitBreaker breaker = opened(BreakerPolicy.defaults());
        time.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(breaker.acquire()).isEqualTo(new Open(Duration.ofNanos(1).toNanos()));
        time.advance(Duration.ofNanos(1));
        assertThat(breaker.rejection()).isEmpty();
        Permit probe = permit(breaker);
        assertThat(probe.isProbe()).isTrue();
        assertThat(breaker.status().probesOutstanding()).isEqualTo(1);
    }

    @Test
    void closesWhenEnoughProbesSucceed() {
        CircuitBreaker breaker = opened(BreakerPolicy.defaults());
        time.advance(Duration.ofSeconds(30));
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(heard)
                .extracting(Transition::reason)
                .containsExactly("5 failures in a row", "the open time has passed", "2 probes succeeded");
    }

    @Test
    void holdsNoMoreProbesThanItMay() {
        CircuitBreaker breaker = opened(BreakerPolicy.defaults().withProbes(2, 5));
        time.advance(Duration.ofSeconds(30));
        Permit first = permit(breaker);
        permit(breaker);
        assertThat(breaker.acquire()).isInstanceOf(Open.class);
        assertThat(breaker.rejection()).isPresent();
        first.succeeded();
        first.succeeded();
        first.ignored();
        permit(breaker);
        assertThat(breaker.acquire()).isInstanceOf(Open.class);
        assertThat(breaker.status().rejected()).isEqualTo(2);
    }

    @Test
    void takesBackAnIgnoredProbeAndStaysHalfOpen() {
        CircuitBreaker breaker = opened(BreakerPolicy.defaults().withProbes(1, 1));
        time.advance(Duration.ofSeconds(30));
        permit(breaker).ignored();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void givesTheSlotOfASilentProbeToAnother() {
        CircuitBreaker breaker =
                opened(BreakerPolicy.defaults().withProbes(1, 2).withProbeTimeout(Duration.ofSeconds(60)));
        time.advance(Duration.ofSeconds(30));
        Permit silent = permit(breaker);
        time.advance(Duration.ofSeconds(59));
        assertThat(breaker.acquire()).isEqualTo(new Open(Duration.ofSeconds(1).toNanos()));
        time.advance(Duration.ofSeconds(1));
        Permit second = permit(breaker);
        silent.ignored();
        assertThat(breaker.acquire()).as("the slot is the second probe's").isInstanceOf(Open.class);
        second.succeeded();
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void countsTheAttemptsOfOneCallAsOneFailureButReopensForAny() {
        CircuitBreaker breaker = breaker(BreakerPolicy.defaults().withFailureThreshold(2));
        fail(breaker, 1);
        for (int i = 0; i < 10; i++) {
            permit(breaker).failed(new FailureReport(true, Optional.empty()));
        }
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        fail(breaker, 1);
        time.advance(Duration.ofSeconds(30));
        permit(breaker).failed(new FailureReport(true, Optional.empty()));
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void ignoresReportsFromAnotherGeneration() {
        CircuitBreaker breaker = breaker(BreakerPolicy.defaults());
        Permit lateSuccess = permit(breaker);
        Permit lateFailure = permit(breaker);
        fail(breaker, 5);
        time.advance(Duration.ofSeconds(10));
        lateFailure.failed(new FailureReport(false, Optional.of(Duration.ofMinutes(4))));
        assertThat(breaker.acquire()).isEqualTo(new Open(Duration.ofSeconds(20).toNanos()));
        time.advance(Duration.ofSeconds(20));
        permit(breaker);
        lateSuccess.succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(heard).hasSize(2);
    }

    @Test
    void staysOpenAsLongAsTheServerSuggestsUpToTheCeiling() {
        assertThat(openFor(Duration.ofSeconds(45))).isEqualTo(Duration.ofSeconds(45));
        assertThat(openFor(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(30));
        assertThat(openFor(Duration.ofDays(3))).isEqualTo(Duration.ofMinutes(5));
        assertThat(openFor(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Duration.ofMinutes(5));
    }

    private Duration openFor(Duration suggested) {
        CircuitBreaker breaker = breaker(BreakerPolicy.defaults().withFailureThreshold(1));
        permit(breaker).failed(new FailureReport(false, Optional.of(suggested)));
        return ((Open) breaker.acquire()).availableIn().orElseThrow();
    }

    @Test
    void opensLongerEachTimeUntilItHasClosed() {
        CircuitBreaker breaker = opened(BreakerPolicy.defaults()
                .withOpenTime(Duration.ofSeconds(1))
                .withGrowth(2, Duration.ofSeconds(5))
                .withProbes(1, 1));
        for (int seconds : new int[] {1, 2, 4, 5, 5}) {
            assertThat(breaker.acquire())
                    .isEqualTo(new Open(Duration.ofSeconds(seconds).toNanos()));
            time.advance(Duration.ofSeconds(seconds));
            fail(breaker, 1);
        }
        time.advance(Duration.ofSeconds(5));
        succeed(breaker);
        fail(breaker, 5);
        assertThat(breaker.acquire()).isEqualTo(new Open(Duration.ofSeconds(1).toNanos()));
    }

    @Test
    void obeysWhatIsOrderedByHand() {
        CircuitBreaker breaker = breaker(BreakerPolicy.defaults());
        breaker.forceOpen();
        breaker.forceOpen();
        time.advance(Duration.ofDays(1));
        assertThat(breaker.acquire()).isEqualTo(new Open(-1));
        breaker.disable();
        fail(breaker, 100);
        assertThat(breaker.state()).isEqualTo(BreakerState.DISABLED);
        breaker.observe();
        fail(breaker, 100);
        assertThat(breaker.status().failuresInARow()).isEqualTo(100);
        assertThat(breaker.acquire()).isInstanceOf(Permit.class);
        breaker.reset();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.status().failuresInARow()).isZero();
        assertThat(heard)
                .extracting(Transition::to)
                .containsExactly(
                        BreakerState.FORCED_OPEN,
                        BreakerState.DISABLED,
                        BreakerState.METRICS_ONLY,
                        BreakerState.CLOSED);
    }

    @Test
    void resetForgetsFailuresAndLeavesPermitsFromBeforeWithoutASay() {
        CircuitBreaker breaker = breaker(BreakerPolicy.defaults().withFailureThreshold(2));
        Permit before = permit(breaker);
        fail(breaker, 1);
        breaker.reset();
        before.failed();
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(heard).isEmpty();
    }

    @Test
    void startsAndResetsAsThePolicySays() {
        CircuitBreaker off = breaker(BreakerPolicy.off());
        fail(off, 100);
        assertThat(off.state()).isEqualTo(BreakerState.DISABLED);
        off.forceOpen();
        off.reset();
        assertThat(off.state()).isEqualTo(BreakerState.DISABLED);
    }

    @Test
    void readsNoClockWhileClosedAndWell() throws Exception {
        CircuitBreaker breaker = breaker(BreakerPolicy.defaults());
        long before = time.readings();
        for (int i = 0; i < 10; i++) {
            succeed(breaker);
            breaker.call(() -> "well");
            permit(breaker).ignored();
            breaker.rejection();
        }
        assertThat(time.readings()).isEqualTo(before);
    }

    @Test
    void readsNoClockAndDrawsNoNumberForFailuresThatDoNotOpenIt() {
        var drawn = new AtomicInteger();
        var counting = new Random(1) {
            @Override
            public long nextLong() {
                drawn.incrementAndGet();
                return super.nextLong();
            }
        };
        CircuitBreaker breaker = CircuitBreaker.of("t", BreakerPolicy.defaults(), time, counting, heard::add);
        long before = time.readings();
        drawn.set(0);
        for (int i = 0; i < 10; i++) {
            fail(breaker, 4);
            succeed(breaker);
        }
        assertThat(time.readings()).isEqualTo(before);
        assertThat(drawn.get()).isZero();
        fail(breaker, 5);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(drawn.get()).isOne();
    }

    @Test
    void aRejectionReadsTheClockOnce() {
        CircuitBreaker breaker = opened(BreakerPolicy.defaults());
        long before = time.readings();
        assertThat(breaker.acquire()).isInstanceOf(Open.class);
        assertThat(time.readings()).isEqualTo(before + 1);
    }

    @Test
    void callCountsExceptionsAndSpeaksOfTheOpenCircuit() {
        CircuitBreaker breaker = breaker(BreakerPolicy.defaults().withFailureThreshold(1));
        assertThatThrownBy(() -> breaker.call(() -> {
                    throw new IOException("broken");
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> breaker.call(() -> "never"))
                .isInstanceOfSatisfying(CallRejectedException.class, rejected -> {
                    assertThat(rejected.kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
                    assertThat(rejected.retryAfter()).contains(Duration.ofSeconds(30));
                    assertThat(rejected).hasMessage("circuit t: open for 30000 ms");
                    assertThat(rejected.getStackTrace())
                            .as("a rejection costs little")
                            .isEmpty();
                });
    }

    @Test
    void callReleasesTheProbeOfWhateverWasThrown() {
        CircuitBreaker breaker = opened(BreakerPolicy.defaults().withProbes(1, 1));
        time.advance(Duration.ofSeconds(30));
        assertThatThrownBy(() -> breaker.call(() -> {
                    throw new AssertionError("a bug");
                }))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> breaker.call(() -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
        assertThatThrownBy(() -> breaker.call(() -> {
                    throw new CancellationException();
                }))
                .isInstanceOf(CancellationException.class);
        assertThat(breaker.status().probesOutstanding()).isZero();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void aThrowingListenerChangesNothing() {
        var breaker = CircuitBreaker.of("t", BreakerPolicy.defaults(), time, new Random(1), transition -> {
            heard.add(transition);
            throw new IllegalStateException("listener");
        });
        fail(breaker, 5);
        time.advance(Duration.ofSeconds(30));
        succeed(breaker);
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(heard).hasSize(3);
    }

    @Test
    void aListenerThatActsHearsOfItAfterwards() {
        var self = new CircuitBreaker[1];
        self[0] = CircuitBreaker.of("t", BreakerPolicy.defaults(), time, new Random(1), transition -> {
            if (transition.to() == BreakerState.OPEN) {
                self[0].reset();
            }
            heard.add(transition);
        });
        fail(self[0], 5);
        assertThat(heard).extracting(Transition::to).containsExactly(BreakerState.OPEN, BreakerState.CLOSED);
    }

    @Test
    void worksAcrossTheWrapOfNanoTime() {
        var late = new ManualTime(Long.MAX_VALUE - Duration.ofSeconds(10).toNanos());
        var breaker = CircuitBreaker.of("t", BreakerPolicy.defaults().withProbes(1, 1), late);
        fail(breaker, 5);
        late.advance(Duration.ofSeconds(29));
        assertThat(breaker.acquire()).isEqualTo(new Open(Duration.ofSeconds(1).toNanos()));
        late.advance(Duration.ofSeconds(1));
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    /** Whoever sets the clock neither opens nor closes a breaker. */
    @Test
    void neverAsksForTheTimeOfDay() {
        var withoutTimeOfDay = new ForwardedTime(time) {
            @Override
            public Instant now() {
                throw new AssertionError("a breaker asked for the time of day");
            }
        };
        var breaker = CircuitBreaker.of("t", BreakerPolicy.defaults().withProbes(1, 1), withoutTimeOfDay);
        fail(breaker, 5);
        assertThat(breaker.acquire()).isEqualTo(new Open(Duration.ofSeconds(30).toNanos()));
        time.advance(Duration.ofSeconds(30));
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        time.advance(Duration.ofSeconds(30));
        succeed(breaker);
        breaker.disable(Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    private CircuitBreaker breaker(BreakerPolicy policy) {
        return CircuitBreaker.of("t", policy, time, new Random(1), heard::add);
    }

    private CircuitBreaker opened(BreakerPolicy policy) {
        CircuitBreaker breaker = breaker(policy);
        fail(breaker, policy.failureThreshold());
        return breaker;
    }

    private static Permit permit(CircuitBreaker breaker) {
        Admission admission = breaker.acquire();
        assertThat(admission).isInstanceOf(Permit.class);
        return (Permit) admission;
    }

    private static void fail(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            permit(breaker).failed();
        }
    }

    private static void succeed(CircuitBreaker breaker) {
        permit(breaker).succeeded();
    }
}
