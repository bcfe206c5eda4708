package dev.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.spi.Timekeeper.Signal;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SystemTimekeeperTest {
    private final Timekeeper time = Timekeeper.system();

    @Test
    void aSignalWakesWhoWaitsAndStaysSet() throws InterruptedException {
        Signal signal = time.newSignal();
        var woken = new AtomicBoolean();
        Task waiter = time.start("holdfast-test", () -> {
            try {
                signal.await();
                woken.set(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        signal.set();
        signal.set();
        waiter.join();
        assertThat(woken).isTrue();
        assertThat(signal.isSet()).isTrue();
        assertThat(signal.await(time.nanoTime() - 1)).isTrue();
    }

    @Test
    void anUnsetSignalGivesUpAtItsDeadline() throws InterruptedException {
        assertThat(time.newSignal().await(time.nanoTime() + 1)).isFalse();
    }

    @Test
    void startedThreadsAreVirtualDaemonsOfTheGivenName() throws InterruptedException {
        var seen = new AtomicBoolean();
        time.start("holdfast-named", () -> {
                    Thread self = Thread.currentThread();
                    seen.set(self.isVirtual()
                            && self.isDaemon()
                            && self.getName().equals("holdfast-named"));
                })
                .join();
        assertThat(seen).isTrue();
    }

    @Test
    void aSleepThatIsNotPositiveStillSeesAnInterrupt() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> time.sleep(Duration.ZERO)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void anInterruptedTaskWakesFromItsSleep() throws InterruptedException {
        var interrupted = new AtomicBoolean();
        Task task = time.start("holdfast-sleeper", () -> {
            try {
                time.sleep(Duration.ofHours(1));
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        task.interrupt();
        task.join();
        assertThat(interrupted).isTrue();
    }

    @Test
    void oneSignalWakesAllThatWaitWithAndWithoutADeadline() throws InterruptedException {
        Signal signal = time.newSignal();
        var woken = new AtomicInteger();
        List<Task> waiters = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            boolean timed = i % 2 == 0;
            waiters.add(waiter(signal, timed ? Duration.ofHours(1) : Duration.ZERO, woken));
        }
        Thread.sleep(20);
        assertThat(woken).hasValue(0);
        signal.set();
        for (Task waiter : waiters) {
            waiter.join();
        }
        assertThat(woken).hasValue(100);
    }

    @Test
    void whoGivesUpOrIsInterruptedLeavesTheOthersWaiting() throws InterruptedException {
        Signal signal = time.newSignal();
        var woken = new AtomicInteger();
        List<Task> staying = new ArrayList<>();
        List<Task> leaving = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            staying.add(waiter(signal, Duration.ZERO, woken));
            leaving.add(waiter(signal, Duration.ofMillis(1 + i), new AtomicInteger()));
            Task interrupted = waiter(signal, Duration.ofHours(1), new AtomicInteger());
            interrupted.interrupt();
            leaving.add(interrupted);
        }
        for (Task task : leaving) {
            task.join();
        }
        assertThat(woken).hasValue(0);
        signal.set();
        for (Task task : staying) {
            task.join();
        }
        assertThat(woken).hasValue(60);
    }

    @Test
    void anInterruptIsSeenBeforeTheSignalAndItsFlagIsCleared() {
        Signal signal = time.newSignal();
        signal.set();
        Thread.currentThread().interrupt();
        assertThatThrownBy(signal::await).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> signal.await(time.nanoTime() - 1)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** Sets race with waits: a wake-up that is lost would hang. */
    @Test
    void noWakeUpIsLostHoweverSettingAndWaitingMeet() throws InterruptedException {
        var woken = new AtomicInteger();
        for (int i = 0; i < 5_000; i++) {
            Signal signal = time.newSignal();
            Task one = waiter(signal, Duration.ZERO, woken);
            Task other = waiter(signal, Duration.ofHours(1), woken);
            if (i % 3 == 0) {
                Thread.yield();
            }
            signal.set();
            one.join();
            other.join();
        }
        assertThat(woken).hasValue(10_000);
    }

    /** Zero is to wait without a deadline. */
    private Task waiter(Signal signal, Duration patience, AtomicInteger woken) {
        return time.start("holdfast-waiter", () -> {
            try {
                if (patience.isZero()) {
                    signal.await();
                    woken.incrementAndGet();
                } else if (signal.await(time.nanoTime() + patience.toNanos())) {
                    woken.incrementAndGet();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
