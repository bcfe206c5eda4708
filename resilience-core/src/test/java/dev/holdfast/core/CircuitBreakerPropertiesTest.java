package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.core.CircuitBreaker.FailureReport;
import dev.holdfast.core.CircuitBreaker.Open;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.CircuitBreaker.Status;
import dev.holdfast.core.CircuitBreaker.Transition;
import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CircuitBreakerPropertiesTest {
    private static final Duration OPEN = Duration.ofSeconds(10);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(25);

    @Property(tries = 500)
    void keepsItsPromisesInAnyOrderOfEvents(
            @ForAll @Size(max = 300) List<@IntRange(max = 9_999) Integer> steps,
            @ForAll @IntRange(min = 1, max = 4) int threshold,
            @ForAll @IntRange(min = 1, max = 3) int probes,
            @ForAll @IntRange(min = 1, max = 3) int successes) {
        var world = new World(BreakerPolicy.defaults()
                .withFailureThreshold(threshold)
                .withOpenTime(OPEN)
                .withProbes(probes, successes)
                .withProbeTimeout(PROBE_TIMEOUT));
        steps.forEach(world::step);
        world.recovers();
    }

    /** A breaker, its time, and what must hold after each step. */
    private static final class World {
        private final ManualTime time = new ManualTime(-5_000_000_000L);
        private final List<Transition> heard = new ArrayList<>();
        private final List<Held> held = new ArrayList<>();
        private final BreakerPolicy policy;
        private final CircuitBreaker breaker;
        private long openedAt;

        World(BreakerPolicy policy) {
            this.policy = policy;
            this.breaker = CircuitBreaker.of("t", policy, time, new Random(3), this::hear);
        }

        /** A permit, when it was given, and how many transitions there had been. */
        private record Held(Permit permit, long atNanos, long generation) {}

        private void hear(Transition transition) {
            BreakerState before =
                    heard.isEmpty() ? BreakerState.CLOSED : heard.getLast().to();
            assertThat(transition.from()).as("in order, none left out").isEqualTo(before);
            if (transition.to() == BreakerState.HALF_OPEN) {
                assertThat(time.nanoTime() - openedAt).isGreaterThanOrEqualTo(OPEN.toNanos());
            }
            if (transition.to() == BreakerState.OPEN) {
                openedAt = time.nanoTime();
            }
            heard.add(transition);
        }

        void step(int step) {
            int argument = step / 10;
            switch (step % 10) {
                case 0, 1, 2 -> acquire();
                case 3, 4 -> report(argument, 0);
                case 5, 6 -> report(argument, 1);
                case 7 -> report(argument, 2);
                case 8 -> time.advance(Duration.ofMillis(argument * 15L));
                default -> byHand(argument);
            }
            check();
        }

        private void acquire() {
            Status before = breaker.status();
            boolean wouldReject = breaker.rejection().isPresent();
            switch (breaker.acquire()) {
                case Permit permit -> {
                    assertThat(wouldReject).isFalse();
                    assertThat(before.state()).isNotIn(BreakerState.OPEN, BreakerState.FORCED_OPEN);
                    assertThat(permit.isProbe()).isEqualTo(before.state() == BreakerState.HALF_OPEN);
                    held.add(new Held(permit, time.nanoTime(), breaker.status().transitions()));
                }
                case Open open -> {
                    assertThat(wouldReject).isTrue();
                    assertThat(breaker.status().rejected()).isEqualTo(before.rejected() + 1);
                    assertThat(open.availableIn().isEmpty()).isEqualTo(before.state() == BreakerState.FORCED_OPEN);
                }
            }
        }

        private void report(int argument, int outcome) {
            if (held.isEmpty()) {
                return;
            }
            Held each = held.get(argument % held.size());
            Status before = breaker.status();
            end(each.permit, outcome, argument % 2 == 0);
            if (each.generation != before.transitions()) {
                assertThat(breaker.status()).as("a late report").isEqualTo(before);
            } else if (outcome == 2) {
                assertThat(breaker.state()).as("a neutral report").isEqualTo(before.state());
            }
            Status after = breaker.status();
            end(each.permit, argument % 3, false);
            assertThat(breaker.status()).as("a second report").isEqualTo(after);
            held.remove(each);
        }

        private static void end(Permit permit, int outcome, boolean repeated) {
            switch (outcome) {
                case 0 -> permit.succeeded();
                case 1 -> permit.failed(new FailureReport(repeated, Optional.empty()));
                default -> permit.ignored();
            }
        }

        private void byHand(int argument) {
            switch (argument % 40) {
                case 0 -> breaker.reset();
                case 1 -> breaker.forceOpen();
                case 2 -> breaker.disable();
                case 3 -> breaker.observe();
                default -> time.advance(OPEN.dividedBy(3));
            }
        }

        private void check() {
            Status status = breaker.status();
            long outstanding = held.stream()
                    .filter(each -> each.permit.isProbe() && each.generation == status.transitions())
                    .filter(each -> time.nanoTime() - each.atNanos < PROBE_TIMEOUT.toNanos())
                    .count();
            assertThat(outstanding).isLessThanOrEqualTo(policy.maxProbes());
            assertThat(status.transitions()).isEqualTo(heard.size());
            if (status.state() == BreakerState.CLOSED) {
                assertThat(status.failuresInARow()).isLessThan(policy.failureThreshold());
            }
        }

        /** Whatever happened, and whatever was never reported: a healthy target is served again. */
        void recovers() {
            if (breaker.state() == BreakerState.FORCED_OPEN) {
                breaker.reset();
            }
            for (int i = 0; i < 10 && breaker.state() != BreakerState.CLOSED; i++) {
                time.advance(PROBE_TIMEOUT);
                assertThat(breaker.acquire()).isInstanceOfSatisfying(Permit.class, Permit::succeeded);
                if (breaker.state() == BreakerState.DISABLED || breaker.state() == BreakerState.METRICS_ONLY) {
                    return;
                }
            }
            assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        }
    }

    @Property
    void staysOpenWithinTheBoundsOfItsGrowthAndJitter(
            @ForAll @IntRange(min = 1, max = 40) int opening,
            @ForAll @IntRange(max = 10) int tenths,
            @ForAll long seed) {
        double jitter = tenths / 10.0;
        var time = new ManualTime();
        BreakerPolicy policy = BreakerPolicy.defaults()
                .withFailureThreshold(1)
                .withOpenTime(Duration.ofSeconds(1))
                .withGrowth(1.7, Duration.ofSeconds(100))
                .withJitter(jitter);
        var breaker = CircuitBreaker.of("t", policy, time, new Random(seed), transition -> {});
        double lasted = 0;
        for (int i = 0; i < opening; i++) {
            ((Permit) breaker.acquire()).failed();
            Duration open = breaker.rejection().flatMap(Open::availableIn).orElse(Duration.ZERO);
            lasted = open.toNanos() / 1e9;
            time.advance(open);
        }
        double expected = Math.min(100, Math.pow(1.7, opening - 1));
        assertThat(lasted).isBetween(expected * (1 - jitter) - 1e-6, Math.min(100, expected * (1 + jitter)) + 1e-6);
    }
}
