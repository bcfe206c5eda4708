package dev.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.spi.Timekeeper.Signal;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
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
}
