package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.CircuitBreaker.Transition;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("concurrency")
@Timeout(300)
class CircuitBreakerStressTest {
    private static final BreakerPolicy POLICY = BreakerPolicy.defaults()
            .withFailureThreshold(3)
            .withOpenTime(Duration.ofMillis(1))
            .withProbes(2, 2);

    private final ManualTime time = new ManualTime();

    @Test
    void tellsEveryTransitionOnceAndInOrder() throws InterruptedException {
        List<Transition> heard = new ArrayList<>();
        var inside = new AtomicInteger();
        var breaker = CircuitBreaker.of("t", POLICY, time, new Random(), transition -> {
            assertThat(inside.incrementAndGet()).as("one at a time").isEqualTo(1);
            heard.add(transition);
            inside.decrementAndGet();
        });
        Threads.together(2_000, () -> {
            var random = ThreadLocalRandom.current();
            for (int i = 0; i < 30; i++) {
                if (breaker.acquire() instanceof Permit permit) {
                    end(permit, random.nextInt(3));
                }
                time.advance(Duration.ofNanos(random.nextInt(2_000)));
            }
        });
        assertThat(heard).hasSizeGreaterThan(10).hasSize((int) breaker.status().transitions());
        BreakerState state = BreakerState.CLOSED;
        for (Transition transition : heard) {
            assertThat(transition.from()).isEqualTo(state);
            state = transition.to();
        }
    }

    @Test
    void everyPermitComesBackWhateverHappensToIt() throws InterruptedException {
        var breaker = CircuitBreaker.of("t", POLICY, time);
        var probes = new AtomicLong();
        Threads.together(2_000, () -> {
            var random = ThreadLocalRandom.current();
            for (int i = 0; i < 30; i++) {
                if (breaker.acquire() instanceof Permit permit) {
                    probes.addAndGet(permit.isProbe() ? 1 : 0);
                    Thread rival = Thread.ofVirtual().start(() -> end(permit, 1));
                    end(permit, random.nextInt(3));
                    end(permit, random.nextInt(3));
                    Threads.join(rival);
                }
                time.advance(Duration.ofNanos(random.nextInt(2_000)));
            }
        });
        assertThat(probes.get()).isPositive();
        assertThat(breaker.status().probesOutstanding()).isZero();
        time.advance(Duration.ofMillis(1));
        for (int i = 0; breaker.state() != BreakerState.CLOSED; i++) {
            assertThat(i).isLessThan(2);
            ((Permit) breaker.acquire()).succeeded();
        }
    }

    @Test
    void aReportThatRacesAResetNeverOpensTheNewGeneration() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            var breaker = CircuitBreaker.of("t", POLICY.withFailureThreshold(1), time);
            var permit = (Permit) breaker.acquire();
            var resets = new AtomicInteger();
            Threads.together(4, () -> {
                if (resets.incrementAndGet() == 1) {
                    breaker.reset();
                } else {
                    permit.failed();
                }
            });
            assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        }
    }

    private static void end(Permit permit, int outcome) {
        switch (outcome) {
            case 0 -> permit.succeeded();
            case 1 -> permit.failed();
            default -> permit.ignored();
        }
    }
}
