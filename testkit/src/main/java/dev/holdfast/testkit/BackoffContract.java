package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.BackoffStrategy;
import dev.holdfast.spi.BackoffStrategy.BackoffRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What any {@link BackoffStrategy} must keep. Extend it, and say which strategy and what its longest delay is. */
public abstract class BackoffContract {
    private static final int[] RETRIES = {1, 2, 3, 4, 10, 31, 32, 33, 63, 64, 65, 1_000, 1_025, Integer.MAX_VALUE};
    private static final List<Duration> PREVIOUS = List.of(
            Duration.ZERO, Duration.ofMillis(1), Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofDays(10_000));

    /** For subclasses. */
    protected BackoffContract() {}

    /** {@return the strategy under test} */
    protected abstract BackoffStrategy strategy();

    /** {@return the longest delay it may ever give} */
    protected abstract Duration cap();

    /** {@return the shortest delay it may ever give; zero by default} */
    protected Duration floor() {
        return Duration.ZERO;
    }

    @Test
    void staysBetweenItsFloorAndItsCapWhateverTheGeneratorSays() {
        for (RandomGenerator random : List.of(extreme(0), extreme(-1), extreme(Long.MAX_VALUE), new Random(1))) {
            for (int retry : RETRIES) {
                for (Duration previous : PREVIOUS) {
                    assertThat(strategy().delay(new BackoffRequest(retry, previous, random)))
                            .as("retry %s after %s", retry, previous)
                            .isBetween(floor(), cap());
                }
            }
        }
    }

    @Test
    void takesItsRandomnessFromTheRequestOnly() {
        assertThat(delays(new Random(7))).isEqualTo(delays(new Random(7)));
    }

    @Test
    void remembersNothingBetweenCalls() {
        List<Duration> first = delays(new Random(7));
        strategy().delay(new BackoffRequest(1_000, Duration.ofDays(1), new Random(8)));
        assertThat(delays(new Random(7))).isEqualTo(first);
    }

    private List<Duration> delays(RandomGenerator random) {
        BackoffStrategy strategy = strategy();
        List<Duration> delays = new ArrayList<>();
        Duration previous = Duration.ZERO;
        for (int retry = 1; retry <= 20; retry++) {
            previous = strategy.delay(new BackoffRequest(retry, previous, random));
            delays.add(previous);
        }
        return delays;
    }

    /** Every other number is the extreme one: a generator of one number would keep a bounded draw waiting for ever. */
    private static RandomGenerator extreme(long bits) {
        var random = new Random(1);
        var draws = new AtomicInteger();
        return () -> draws.getAndIncrement() % 2 == 0 ? bits : random.nextLong();
    }
}
