package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On real time, as the transport is; what is asserted is that something happens, not how soon. */
class AlarmsTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    @Test
    void ringsWhenTheTimeIsOverAndNotBefore() throws Exception {
        try (var alarms = new Alarms()) {
            var rung = new CountDownLatch(1);
            long before = System.nanoTime();
            alarms.in(20_000_000, () -> end(rung));
            awaited(rung);
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);
        }
    }

    @Test
    void ringsAtOnceWhereNothingIsLeft() throws Exception {
        try (var alarms = new Alarms()) {
            var rung = new CountDownLatch(2);
            alarms.in(0, () -> end(rung));
            alarms.in(Long.MIN_VALUE, () -> end(rung));
            awaited(rung);
        }
    }

    @Test
    void ringsForWhatIsDueSoonerThanAllThatWaits() throws Exception {
        try (var alarms = new Alarms()) {
            var early = new AtomicBoolean();
            var rung = new CountDownLatch(1);
            alarms.in(Long.MAX_VALUE, () -> tell(early));
            alarms.in(HOUR, () -> tell(early));
            alarms.in(1_000_000, () -> end(rung));
            awaited(rung);
            assertThat(early).isFalse();
        }
    }

    @Test
    void doesNotRingForAWaitThatIsOver() throws Exception {
        try (var alarms = new Alarms()) {
            var late = new AtomicBoolean();
            var rung = new CountDownLatch(1);
            alarms.in(30_000_000, () -> tell(late)).close();
            alarms.in(60_000_000, () -> end(rung));
            awaited(rung);
            assertThat(late).isFalse();
        }
    }

    @Test
    void ringsAgainWhenItIsToldTo() throws Exception {
        try (var alarms = new Alarms()) {
            var times = new AtomicInteger();
            var rung = new CountDownLatch(1);
            alarms.in(1, () -> times.incrementAndGet() < 3 ? 1_000_000 : end(rung));
            awaited(rung);
            assertThat(times).hasValue(3);
        }
    }

    @Test
    void ringsForTheOthersThoughOneThrows() throws Exception {
        try (var alarms = new Alarms()) {
            var rung = new CountDownLatch(1);
            var again = new CountDownLatch(2);
            alarms.in(1, () -> {
                again.countDown();
                if (again.getCount() > 0) {
                    throw new StackOverflowError("on purpose");
                }
                return 0;
            });
            alarms.in(5_000_000, () -> end(rung));
            awaited(rung);
            awaited(again);
        }
    }

    /** A wait of a call that was under way when the transport was closed ends like any other. */
    @Test
    void ringsForThoseWhoStillWaitWhenItIsClosed() throws Exception {
        var alarms = new Alarms();
        var rung = new CountDownLatch(2);
        alarms.in(20_000_000, () -> end(rung));
        alarms.close();
        alarms.in(20_000_000, () -> end(rung));
        awaited(rung);
    }

    @Test
    void leavesNoThreadOnceItIsClosedAndNobodyWaits() throws Exception {
        var alarms = new Alarms();
        var thread = new Thread[1];
        var rung = new CountDownLatch(1);
        alarms.in(1, () -> {
            thread[0] = Thread.currentThread();
            return end(rung);
        });
        awaited(rung);
        Alarms.Alarm waiting = alarms.in(HOUR, () -> 0);
        alarms.close();
        assertThat(thread[0].join(Duration.ofMillis(50))).isFalse();
        waiting.close();
        assertThat(thread[0].join(Duration.ofSeconds(30))).isTrue();
    }

    /** The thread goes, sleeps and is woken while others come: nobody may be forgotten. */
    @Test
    @Tag("concurrency")
    void forgetsNobodyWhileManyComeAndGo() throws Exception {
        try (var alarms = new Alarms()) {
            int callers = 8;
            int each = 2_000;
            var rung = new CountDownLatch(callers * each);
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < callers; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    for (int n = 0; n < each; n++) {
                        long left = ThreadLocalRandom.current().nextLong(3_000_000);
                        alarms.in(left, () -> end(rung));
                        alarms.in(left, () -> 0).close();
                        LockSupport.parkNanos(n % 100 == 0 ? 2_000_000 : 1);
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            awaited(rung);
        }
    }

    private static long end(CountDownLatch latch) {
        latch.countDown();
        return 0;
    }

    private static long tell(AtomicBoolean flag) {
        flag.set(true);
        return 0;
    }

    private static void awaited(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
