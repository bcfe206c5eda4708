package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.spi.Timekeeper.Signal;
import dev.holdfast.spi.Timekeeper.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class VirtualTimeTest {
    private final VirtualTime time = new VirtualTime();
    private final List<String> log = new ArrayList<>();

    @Test
    void hoursPassWhileEveryoneSleeps() throws Exception {
        time.run(() -> time.sleep(Duration.ofHours(3)));

        assertThat(time.elapsed()).isEqualTo(Duration.ofHours(3));
        assertThat(time.nanoTime()).isEqualTo(Duration.ofHours(3).toNanos());
        assertThat(time.now()).isEqualTo(Instant.parse("2026-01-01T03:00:00Z"));
    }

    @Test
    void tasksTakeTurnsInTheOrderOfTheirTimers() throws Exception {
        time.run(() -> {
            for (int i = 1; i <= 3; i++) {
                int step = i;
                time.start("holdfast-" + i, () -> twice(step));
            }
        });

        assertThat(log).containsExactly("1@1", "2@2", "1@2", "3@3", "2@4", "3@6");
    }

    private void twice(int step) {
        for (int i = 0; i < 2; i++) {
            sleepSeconds(step);
            note(Integer.toString(step));
        }
    }

    @Test
    void whoeverIsWokenRunsBeforeTheNextTimerOfThatInstantAndTheLastComesLast() throws Exception {
        Signal freed = time.newSignal();
        time.run(() -> {
            time.start("holdfast-arrival", () -> {
                quietly(() -> time.sleepLast(Duration.ofSeconds(5)));
                note("arrival");
            });
            time.start("holdfast-holder", () -> {
                sleepSeconds(5);
                note("holder");
                freed.set();
            });
            time.start("holdfast-waiter", () -> {
                quietly(freed::await);
                note("waiter");
            });
            time.start("holdfast-other", () -> {
                sleepSeconds(5);
                note("other");
            });
        });

        assertThat(log).containsExactly("holder@5", "waiter@5", "other@5", "arrival@5");
    }

    @Test
    void sleepingForNoTimeReturnsAtOnceButLooksForAnInterrupt() throws Exception {
        time.run(() -> {
            time.start("holdfast-other", () -> note("other"));
            time.sleep(Duration.ZERO);
            time.sleep(Duration.ofSeconds(-1));
            note("main");
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> time.sleep(Duration.ZERO)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });

        assertThat(log).containsExactly("main@0", "other@0");
    }

    @Test
    void anAwaitEndsWithTheSignalOrWithItsDeadline() throws Exception {
        Signal signal = time.newSignal();
        time.run(() -> {
            time.start("holdfast-setter", () -> {
                sleepSeconds(2);
                signal.set();
                signal.set();
            });
            assertThat(signal.await(time.nanoTime() + 1_000_000_000L)).isFalse();
            assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(1));
            assertThat(signal.await(time.nanoTime() + 9_000_000_000L)).isTrue();
            assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(2));
            assertThat(signal.await(time.nanoTime() - 1)).isTrue();
            signal.await();
        });

        assertThat(signal.isSet()).isTrue();
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void deadlinesHoldWhereNanoTimeWrapsAround() throws Exception {
        var wrapping = new VirtualTime(Instant.EPOCH, Long.MAX_VALUE - 5);
        wrapping.run(() -> {
            long deadline = wrapping.nanoTime() + 10;
            assertThat(deadline).isNegative();
            assertThat(wrapping.newSignal().await(deadline)).isFalse();
            assertThat(wrapping.elapsed()).isEqualTo(Duration.ofNanos(10));
        });
    }

    @Test
    void aTaskIsInterruptedWhileItSleepsOrAwaitsOrJoins() throws Exception {
        time.run(() -> {
            List<Task> tasks = List.of(
                    time.start("holdfast-a", () -> interruptible("sleep", () -> time.sleep(Duration.ofDays(1)))),
                    time.start(
                            "holdfast-b",
                            () -> interruptible("await", () -> time.newSignal().await())));
            Task joining = time.start(
                    "holdfast-c", () -> interruptible("join", () -> tasks.get(1).join()));
            time.sleep(Duration.ofSeconds(1));
            joining.interrupt();
            tasks.forEach(Task::interrupt);
            time.sleep(Duration.ofSeconds(1));
        });

        assertThat(log).containsExactly("join interrupted@1", "sleep interrupted@1", "await interrupted@1");
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void interruptingTheThreadItselfIsHeardBeforeTimeGoesOn() throws Exception {
        var threads = new ArrayList<Thread>();
        time.run(() -> {
            for (int i = 0; i < 100; i++) {
                String name = "sleeper " + i;
                time.start("holdfast-sleeper", () -> {
                    threads.add(Thread.currentThread());
                    interruptible(name, () -> time.sleep(Duration.ofSeconds(10)));
                });
            }
            time.sleep(Duration.ofSeconds(1));
            threads.forEach(Thread::interrupt);
            note("main");
            time.sleep(Duration.ofHours(1));
        });

        assertThat(log).hasSize(101).startsWith("main@1", "sleeper 0 interrupted@1", "sleeper 1 interrupted@1");
        assertThat(log).allSatisfy(line -> assertThat(line).endsWith("@1"));
    }

    @Test
    void anInterruptThatComesAfterTheWakeIsKeptForTheNextWait() throws Exception {
        Signal signal = time.newSignal();
        time.run(() -> {
            Task waiter = time.start("holdfast-waiter", () -> {
                quietly(signal::await);
                note("woken, flag " + Thread.currentThread().isInterrupted());
                interruptible("next wait", () -> time.sleep(Duration.ofSeconds(1)));
                interruptible("the one after", () -> time.sleep(Duration.ofSeconds(1)));
            });
            time.sleep(Duration.ofSeconds(1));
            signal.set();
            waiter.interrupt();
        });

        assertThat(log).containsExactly("woken, flag true@1", "next wait interrupted@1", "the one after ended@2");
    }

    @Test
    void aTaskInterruptedBeforeItRunsFindsItsFlagSet() throws Exception {
        time.run(() -> {
            Task task = time.start(
                    "holdfast-early", () -> interruptible("first wait", () -> time.sleep(Duration.ofSeconds(1))));
            task.interrupt();
            task.join();
            task.interrupt();
        });

        assertThat(log).containsExactly("first wait interrupted@0");
    }

    @Test
    void aDeadlockIsReportedWithTheNamesOfThoseWhoWait() {
        assertThatThrownBy(() -> time.run(() -> {
                    time.start("holdfast-stuck", () -> quietly(time.newSignal()::await));
                    time.sleep(Duration.ofSeconds(1));
                    try {
                        time.newSignal().await();
                    } finally {
                        note("unwound");
                    }
                }))
                .isInstanceOf(VirtualTimeException.class)
                .hasMessageContaining("waiting for ever")
                .hasMessageContaining("main (waits for a signal)")
                .hasMessageContaining("holdfast-stuck");
        assertThat(log).containsExactly("unwound@1");
    }

    @Test
    void aTaskThatNeverEndsIsReportedThirtyDaysAfterTheMainTask() {
        assertThatThrownBy(() -> time.run(() -> time.start("holdfast-probe", () -> {
                    while (true) {
                        sleepSeconds(3600);
                    }
                })))
                .isInstanceOf(VirtualTimeException.class)
                .hasMessageContaining("still running 30 days after")
                .hasMessageContaining("holdfast-probe (sleeps)");
    }

    @Test
    void whatTheMainTaskThrowsComesOutAndTheOthersAreAbandoned() {
        assertThatThrownBy(() -> time.run(() -> {
                    time.start("holdfast-other", () -> {
                        try {
                            time.newSignal().await();
                        } catch (Exception e) {
                            note("no failure of its work");
                        } finally {
                            note("unwound");
                        }
                    });
                    time.sleep(Duration.ofSeconds(1));
                    throw new IOException("broken");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("broken");
        assertThat(log).containsExactly("unwound@1");
    }

    @Test
    void whatAnotherTaskThrowsComesOutAtTheEnd() {
        assertThatThrownBy(() -> time.run(() -> {
                    time.start("holdfast-bad", () -> {
                        throw new IllegalStateException("first");
                    });
                    time.start("holdfast-worse", () -> {
                        throw new AssertionError("second");
                    });
                    time.sleep(Duration.ofSeconds(1));
                    note("main went on");
                }))
                .isInstanceOf(VirtualTimeException.class)
                .hasRootCauseMessage("first")
                .satisfies(e -> assertThat(e.getCause().getSuppressed()).hasSize(1));
        assertThat(log).containsExactly("main went on@1");
    }

    @Test
    void aThreadOutsideCannotWait() {
        assertThatThrownBy(() -> time.sleep(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is no task of this virtual time");
    }

    @Test
    void tasksStartedBeforehandRunWithTheFirstRunAndTimeGoesOnInTheSecond() throws Exception {
        time.start("holdfast-early", () -> {
            sleepSeconds(1);
            note("early");
        });
        int answer = time.call(() -> {
            note("main");
            return 42;
        });
        time.run(() -> time.sleep(Duration.ofSeconds(2)));

        assertThat(answer).isEqualTo(42);
        assertThat(log).containsExactly("main@0", "early@1");
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void interruptingTheThreadThatRunsItInterruptsTheMainTask() throws Exception {
        var inside = new CountDownLatch(1);
        var outcome = new ArrayList<String>();
        Thread runner = Thread.ofPlatform().start(() -> {
            time.run(() -> {
                inside.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                interruptible("main", () -> time.sleep(Duration.ofSeconds(1)));
            });
            outcome.add("flag " + Thread.currentThread().isInterrupted());
        });
        assertThat(inside.await(200, TimeUnit.SECONDS)).isTrue();
        runner.interrupt();
        runner.join();

        assertThat(log).containsExactly("main interrupted@0");
        assertThat(outcome).containsExactly("flag true");
    }

    @Test
    @Tag("concurrency")
    void onlyOneRunsAtATimeWhateverThreadsOutsideDo() throws Exception {
        var running = new AtomicInteger();
        var together = new AtomicInteger();
        var rounds = new AtomicInteger();
        var interrupts = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        var tormentor = Thread.ofPlatform().unstarted(() -> {
            for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                threads.get(i % threads.size()).interrupt();
            }
        });
        time.run(() -> {
            var tasks = new ArrayList<Task>();
            for (int i = 0; i < 8; i++) {
                tasks.add(time.start("holdfast-" + i, () -> {
                    threads.add(Thread.currentThread());
                    for (int round = 0; round < 5_000; round++) {
                        together.addAndGet(running.getAndIncrement());
                        rounds.incrementAndGet();
                        running.decrementAndGet();
                        try {
                            time.sleep(Duration.ofMillis(1));
                        } catch (InterruptedException e) {
                            interrupts.incrementAndGet();
                        }
                    }
                }));
            }
            time.sleep(Duration.ofMillis(1));
            tormentor.start();
            for (Task task : tasks) {
                task.join();
            }
        });
        tormentor.interrupt();
        tormentor.join();

        assertThat(rounds).hasValue(8 * 5_000);
        assertThat(interrupts).hasPositiveValue();
        assertThat(together).hasValue(0);
    }

    @Test
    void aHundredThousandTasksWithHoursOfWaiting() throws Exception {
        var woken = new AtomicInteger();
        time.run(() -> {
            for (int i = 0; i < 100_000; i++) {
                long seconds = 1 + (i * 7919L) % 86_400;
                time.start("holdfast-call", () -> {
                    sleepSeconds(seconds);
                    woken.incrementAndGet();
                });
            }
        });

        assertThat(woken).hasValue(100_000);
    }

    private void sleepSeconds(long seconds) {
        quietly(() -> time.sleep(Duration.ofSeconds(seconds)));
    }

    private void note(String what) {
        log.add(what + "@" + time.elapsed().toSeconds());
    }

    private void interruptible(String name, Waiting wait) {
        try {
            wait.run();
            note(name + " ended");
        } catch (InterruptedException e) {
            note(name + " interrupted" + (Thread.currentThread().isInterrupted() ? " and flagged" : ""));
        }
    }

    private static void quietly(Waiting wait) {
        try {
            wait.run();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private interface Waiting {
        void run() throws InterruptedException;
    }
}
