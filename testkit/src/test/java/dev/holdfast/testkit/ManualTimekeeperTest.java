package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.Timekeeper.Signal;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ManualTimekeeperTest {
    @Test
    void timeStandsStillUntilItIsMoved() {
        var time = new ManualTimekeeper();
        assertThat(time.nanoTime()).isEqualTo(time.nanoTime());
        time.advance(Duration.ofSeconds(3));
        assertThat(time.nanoTime()).isEqualTo(3_000_000_000L);
        assertThat(time.now()).isEqualTo(Instant.parse("2026-01-01T00:00:03Z"));
    }

    @Test
    void whoSleepsWakesWhenItsTimeHasCome() throws InterruptedException {
        var time = new ManualTimekeeper();
        var woken = new AtomicBoolean();
        Task sleeper = time.start("holdfast-sleeper", () -> {
            try {
                time.sleep(Duration.ofSeconds(10));
                woken.set(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        time.awaitWaiting(1);
        time.advance(Duration.ofSeconds(9));
        assertThat(woken).isFalse();
        time.advance(Duration.ofSeconds(1));
        sleeper.join();
        assertThat(woken).isTrue();
    }

    @Test
    void aSignalThatNobodySetsGivesUpAtItsDeadline() throws InterruptedException {
        var time = new ManualTimekeeper();
        Signal signal = time.newSignal();
        assertThat(signal.await(time.nanoTime())).isFalse();
        signal.set();
        assertThat(signal.await(time.nanoTime())).isTrue();
    }

    @Test
    void readingsAreCountedForCodeThatPromisesNotToLook() {
        var time = new ManualTimekeeper();
        time.nanoTime();
        time.nanoTime();
        assertThat(time.readings()).isEqualTo(2);
    }

    @Property
    void bothClocksMoveTogetherFromAnyOriginAndInAnyDirection(
            @ForAll long origin,
            @ForAll @Size(max = 20) java.util.List<@LongRange(min = -1_000, max = 1_000) Long> steps) {
        Instant start = Instant.parse("2030-06-01T00:00:00Z");
        var time = new ManualTimekeeper(origin, start);
        long moved = 0;
        for (long step : steps) {
            time.advance(Duration.ofNanos(step));
            moved += step;
        }
        assertThat(time.nanoTime() - origin).isEqualTo(moved);
        assertThat(Duration.between(start, time.now())).isEqualTo(Duration.ofNanos(moved));
    }
}
