package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Timekeeper} keeps. Extend it, and give it yours; time must pass by itself while all wait, as it does on a
 * machine and in a simulation.
 */
public abstract class TimekeeperContract {
    private static final Duration MOMENT = Duration.ofMillis(20);

    /** Creates the contract. */
    protected TimekeeperContract() {}

    /** {@return the timekeeper to judge; asked once for each test} */
    protected abstract Timekeeper timekeeper();

    /**
     * Runs a test where the timekeeper wants its callers to be; on the test's own thread unless overridden.
     *
     * @param timekeeper the timekeeper under test
     * @param test the test
     * @throws Exception what the test throws
     */
    protected void run(Timekeeper timekeeper, Body test) throws Exception {
        test.run();
    }

    /** A test. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs it.
         *
         * @throws Exception if it fails
         */
        void run() throws Exception;
    }

    @Test
    void bothClocksGoOnByAtLeastWhatWasSlept() throws Exception {
        Timekeeper time = timekeeper();
        run(time, () -> {
            long nanos = time.nanoTime();
            Instant now = time.now();
            time.sleep(MOMENT);
            assertThat(time.nanoTime() - nanos).isGreaterThanOrEqualTo(MOMENT.toNanos());
            assertThat(Duration.between(now, time.now())).isGreaterThan(MOMENT.dividedBy(2));
        });
    }

    @Test
    void aSleepThatIsNotPositiveReturnsAtOnceButSeesAnInterrupt() throws Exception {
        Timekeeper time = timekeeper();
        run(time, () -> {
            time.sleep(Duration.ZERO);
            time.sleep(Duration.ofSeconds(-1));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> time.sleep(Duration.ZERO)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
        });
    }

    @Test
    void aSignalIsSetOnceForAllWhoWaitNowOrLater() throws Exception {
        Timekeeper time = timekeeper();
        run(time, () -> {
            Signal signal = time.newSignal();
            var woken = new AtomicInteger();
            Task one = time.start("holdfast-contract-1", () -> awaitThen(signal, woken::incrementAndGet));
            Task other = time.start("holdfast-contract-2", () -> awaitThen(signal, woken::incrementAndGet));
            time.sleep(MOMENT);
            assertThat(woken).hasValue(0);
            signal.set();
            signal.set();
            one.join();
            other.join();
            signal.await();
            assertThat(woken).hasValue(2);
            assertThat(signal.isSet()).isTrue();
        });
    }

    @Test
    void anAwaitGivesUpAtItsDeadlineAndNotBefore() throws Exception {
        Timekeeper time = timekeeper();
        run(time, () -> {
            Signal signal = time.newSignal();
            long deadline = time.nanoTime() + MOMENT.toNanos();
            assertThat(signal.await(deadline)).isFalse();
            assertThat(time.nanoTime() - deadline).isGreaterThanOrEqualTo(0);
            signal.set();
            assertThat(signal.await(deadline)).isTrue();
        });
    }

    @Test
    void anInterruptWakesWhoSleepsAndWhoAwaits() throws Exception {
        Timekeeper time = timekeeper();
        run(time, () -> {
            assertThat(interrupted(time, () -> time.sleep(Duration.ofHours(1)))).isTrue();
            assertThat(interrupted(time, () -> time.newSignal().await())).isTrue();
            assertThat(interrupted(
                            time,
                            () -> time.newSignal()
                                    .await(time.nanoTime() + Duration.ofHours(1).toNanos())))
                    .isTrue();
        });
    }

    @Test
    void aTaskRunsOnAVirtualDaemonOfItsNameAndJoinWaitsForItsEnd() throws Exception {
        Timekeeper time = timekeeper();
        run(time, () -> {
            var seen = new AtomicReference<String>("");
            Task task = time.start("holdfast-contract", () -> {
                Thread self = Thread.currentThread();
                seen.set(self.getName() + " " + self.isVirtual() + " " + self.isDaemon());
            });
            task.join();
            task.interrupt();
            assertThat(seen.get()).isEqualTo("holdfast-contract true true");
        });
    }

    private static boolean interrupted(Timekeeper time, Body wait) throws InterruptedException {
        var interrupted = new AtomicBoolean();
        Task task = time.start("holdfast-contract", () -> {
            try {
                wait.run();
            } catch (InterruptedException e) {
                interrupted.set(!Thread.currentThread().isInterrupted());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        time.sleep(MOMENT);
        task.interrupt();
        task.join();
        return interrupted.get();
    }

    private static void awaitThen(Signal signal, Runnable next) {
        try {
            signal.await();
            next.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
