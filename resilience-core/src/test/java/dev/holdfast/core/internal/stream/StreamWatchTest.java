package dev.holdfast.core.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.stream.StreamTimers.Due;
import dev.holdfast.core.internal.stream.StreamTimers.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A watch whose thread gets no processor. */
class StreamWatchTest {
    private static final StreamTimeouts TIMEOUTS =
            StreamTimeouts.defaults().withMeaningfulIdle(Duration.ofSeconds(60)).withTotal(Duration.ofSeconds(600));

    private final ManualTime time = new ManualTime();
    private final AtomicInteger aborted = new AtomicInteger();
    private final StreamWatch watch = StreamWatch.start(
            time, thread -> {}, TIMEOUTS, Duration.ofSeconds(30), time.nanoTime(), aborted::incrementAndGet);

    private void readWithoutAWait(Duration decoding) {
        watch.waiting();
        watch.arrived();
        time.advance(decoding);
    }

    @Test
    void aFloodOfBytesThatMeanNothingEndsByTheTimerOfMeaningfulEvents() {
        readWithoutAWait(Duration.ZERO);
        watch.meaningful();
        for (int second = 0; second < 60; second++) {
            readWithoutAWait(Duration.ofSeconds(1));
            assertThat(aborted).hasValue(0);
        }
        time.advance(Duration.ofNanos(1));
        watch.waiting();
        assertThat(aborted).hasValueGreaterThan(0);
        assertThat(watch.expiry()).isNotNull();
        assertThat(watch.expiry().words()).contains("no meaningful event, though the connection is alive");
        assertThat(watch.expiry().late()).isFalse();
    }

    @Test
    void aFloodBeforeTheFirstEventEndsByItsTimer() {
        for (int second = 0; second < 30; second++) {
            readWithoutAWait(Duration.ofSeconds(1));
        }
        assertThat(aborted).hasValue(0);
        time.advance(Duration.ofNanos(1));
        watch.waiting();
        assertThat(aborted).hasValueGreaterThan(0);
    }

    @Test
    void aFloodOfEventsEndsByTheTotal() {
        for (int second = 0; second <= 600; second++) {
            assertThat(aborted).hasValue(0);
            readWithoutAWait(Duration.ofSeconds(1));
            watch.meaningful();
        }
        watch.waiting();
        assertThat(aborted).hasValueGreaterThan(0);
        assertThat(watch.expiry().words()).contains("no end for 600000 ms");
    }

    @Test
    void whatTheConsumerTakesToThinkCountsForNothing() {
        for (int event = 0; event < 1_000; event++) {
            readWithoutAWait(Duration.ZERO);
            watch.meaningful();
            watch.unread();
            time.advance(Duration.ofSeconds(100));
        }
        watch.waiting();
        assertThat(aborted).hasValue(0);
    }

    @Test
    void whoReadsLateBecauseTheMachineStoodStillIsToldSo() {
        readWithoutAWait(Duration.ofSeconds(32));
        watch.waiting();
        assertThat(watch.expiry().late()).isTrue();
    }

    /** A reader that was held up before it made sense of an event has lost that time once, and is not stuck after it. */
    @Test
    void theTimeBeforeAMeaningfulEventCountsOnceAndNotAfterIt() {
        Duration second = Duration.ofSeconds(1);
        var timers = new StreamTimers(TIMEOUTS.withIdle(TIMEOUTS.total()), TIMEOUTS.total(), 0);
        timers.waiting(0);
        timers.arrived(0);
        long now = second.multipliedBy(20).toNanos();
        timers.meaningful(now);
        assertThat(timers.waiting(now))
                .isEqualTo(new Due(
                        Timer.MEANINGFUL_IDLE,
                        second.multipliedBy(80).toNanos(),
                        second.multipliedBy(60).toNanos()));
        for (int minute = 0; minute < 9; minute++) {
            now += second.multipliedBy(50).toNanos();
            timers.arrived(now);
            timers.meaningful(now);
        }
        now = second.multipliedBy(550).toNanos();
        timers.arrived(now);
        timers.meaningful(now);
        assertThat(timers.waiting(now))
                .isEqualTo(new Due(
                        Timer.TOTAL,
                        second.multipliedBy(600).toNanos(),
                        second.multipliedBy(600).toNanos()));
    }
}
