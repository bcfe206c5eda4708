package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Priority;
import dev.holdfast.core.Bulkhead.Admission;
import dev.holdfast.core.Bulkhead.Full;
import dev.holdfast.core.Bulkhead.Permit;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.Threads;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BulkheadTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualTime time = new ManualTime();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @Test
    void letsInAsManyAsItHasPlacesAndRefusesOneMoreAtOnce() throws Exception {
        Bulkhead bulkhead = bulkhead(2);
        Permit one = permit(bulkhead);
        permit(bulkhead);
        assertThat(bulkhead.tryAcquire()).isInstanceOf(Full.class);
        assertThat(bulkhead.acquire(Priority.INTERACTIVE, Duration.ZERO)).isInstanceOf(Full.class);
        one.release();
        one.release();
        permit(bulkhead);
        assertThat(bulkhead.tryAcquire())
                .as("a place released twice is one place")
                .isInstanceOf(Full.class);
        assertThat(bulkhead.status()).isEqualTo(new Bulkhead.Status("b", 2, 2, 0));
    }

    @Test
    void servesFirstComeFirstServedAndNoNewcomerOvertakes() throws Exception {
        Bulkhead bulkhead = bulkhead(1);
        Permit running = permit(bulkhead);
        Task a = inBackground(bulkhead, "a", Priority.INTERACTIVE);
        Task b = inBackground(bulkhead, "b", Priority.INTERACTIVE);
        running.release();
        a.join();
        b.join();
        assertThat(log).containsExactly("a", "b");
        assertThat(bulkhead.status()).isEqualTo(new Bulkhead.Status("b", 1, 0, 0));
    }

    @Test
    void interactiveCallsPassBatchCallsButOneTurnOfFiveIsTheirs() throws Exception {
        Bulkhead bulkhead = bulkhead(1);
        Permit running = permit(bulkhead);
        List<Task> tasks = new ArrayList<>();
        tasks.add(inBackground(bulkhead, "batch 1", Priority.BATCH));
        tasks.add(inBackground(bulkhead, "batch 2", Priority.BATCH));
        for (int i = 1; i <= 9; i++) {
            tasks.add(inBackground(bulkhead, "i" + i, Priority.INTERACTIVE));
        }
        running.release();
        for (Task task : tasks) {
            task.join();
        }
        assertThat(log).containsExactly("i1", "i2", "i3", "i4", "batch 1", "i5", "i6", "i7", "i8", "batch 2", "i9");
    }

    @Test
    void aWaiterThatGoesTakesNothingAndTheNextIsServed() throws Exception {
        Bulkhead bulkhead = bulkhead(1);
        Permit running = permit(bulkhead);
        Task a = inBackground(bulkhead, "a", Priority.INTERACTIVE);
        Task b = inBackground(bulkhead, "b", Priority.INTERACTIVE);
        a.interrupt();
        a.join();
        running.release();
        b.join();
        assertThat(log).containsExactly("a interrupted", "b");
        assertThat(bulkhead.status().inFlight()).isZero();
    }

    @Test
    void aWaiterGivesUpWhenItsTimeIsOver() throws Exception {
        Bulkhead bulkhead = bulkhead(1);
        Permit running = permit(bulkhead);
        Task task = time.start("holdfast-a", () -> {
            try {
                log.add(bulkhead.acquire(Priority.INTERACTIVE, Duration.ofSeconds(5))
                        .toString());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        time.awaitWaiting(1);
        time.advance(Duration.ofSeconds(5));
        task.join();
        assertThat(log).containsExactly("Full");
        running.release();
        assertThat(bulkhead.status()).isEqualTo(new Bulkhead.Status("b", 1, 0, 0));
    }

    @Test
    void morePlacesServeWhoWaitsAndFewerTakeNoneBack() throws Exception {
        Bulkhead bulkhead = bulkhead(1);
        Permit first = permit(bulkhead);
        Task a = inBackground(bulkhead, "a", Priority.INTERACTIVE);
        bulkhead.resize(2);
        a.join();
        assertThat(log).containsExactly("a");
        Permit second = permit(bulkhead);
        bulkhead.resize(1);
        assertThat(bulkhead.status()).isEqualTo(new Bulkhead.Status("b", 1, 2, 0));
        Task b = inBackground(bulkhead, "b", Priority.INTERACTIVE);
        first.release();
        assertThat(bulkhead.status()).isEqualTo(new Bulkhead.Status("b", 1, 1, 1));
        second.release();
        b.join();
        assertThat(bulkhead.status()).isEqualTo(new Bulkhead.Status("b", 1, 0, 0));
    }

    @Test
    void boundsItsQueue() throws Exception {
        Bulkhead bulkhead = Bulkhead.of("b", BulkheadPolicy.of(1).withMaxQueued(1), time);
        Permit running = permit(bulkhead);
        Task a = inBackground(bulkhead, "a", Priority.INTERACTIVE);
        assertThat(bulkhead.acquire(Priority.INTERACTIVE, LONG)).isInstanceOf(Full.class);
        running.release();
        a.join();
    }

    @Test
    void callsInAPlaceAndGivesItBackHoweverTheBodyEnds() throws Exception {
        Bulkhead bulkhead = Bulkhead.of("b", BulkheadPolicy.of(1).withMaxWait(Duration.ZERO), time);
        assertThat(bulkhead.<String>call(() -> {
                    assertThatThrownBy(() -> bulkhead.call(() -> "never"))
                            .isInstanceOf(Bulkhead.FullException.class)
                            .hasMessage("bulkhead b is full: 1 places are taken")
                            .satisfies(full -> assertThat(full.getStackTrace())
                                    .as("costs little")
                                    .isEmpty());
                    return "done";
                }))
                .isEqualTo("done");
        assertThatThrownBy(() -> bulkhead.call(() -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(bulkhead.status().inFlight()).isZero();
    }

    @Test
    void refusesABadPolicy() {
        assertThatThrownBy(() -> BulkheadPolicy.of(0)).hasMessage("concurrency: 0 (expected: 1 to 1000000)");
        assertThatThrownBy(() -> BulkheadPolicy.of(1).withMaxQueued(-1)).hasMessage("maxQueued: -1 (expected: >= 0)");
        assertThatThrownBy(() -> BulkheadPolicy.of(1).withMaxWait(Duration.ofSeconds(-1)))
                .hasMessage("maxWait: PT-1S (expected: 0 to PT8760H)");
        assertThatThrownBy(() -> bulkhead(1).resize(0)).hasMessage("concurrency: 0 (expected: 1 to 1000000)");
    }

    @Property(tries = 300)
    void countsRightInAnyOrderOfEvents(
            @ForAll @Size(max = 100) List<@IntRange(max = 999) Integer> steps,
            @ForAll @IntRange(min = 1, max = 5) int places) {
        Bulkhead bulkhead = bulkhead(places);
        List<Permit> running = new ArrayList<>();
        int limit = places;
        for (int step : steps) {
            switch (step % 4) {
                case 0, 1 -> {
                    Admission admission = bulkhead.tryAcquire();
                    assertThat(admission instanceof Permit).isEqualTo(running.size() < limit);
                    if (admission instanceof Permit permit) {
                        running.add(permit);
                    }
                }
                case 2 -> {
                    if (!running.isEmpty()) {
                        Permit permit = running.remove(step % running.size());
                        permit.release();
                        permit.release();
                    }
                }
                default -> {
                    limit = 1 + step % 7;
                    bulkhead.resize(limit);
                }
            }
            assertThat(bulkhead.status()).isEqualTo(new Bulkhead.Status("b", limit, running.size(), 0));
        }
        running.forEach(Permit::release);
        assertThat(bulkhead.status().inFlight()).isZero();
    }

    @Test
    @Tag("concurrency")
    @Timeout(300)
    void neverHasMoreInFlightThanItsLargestSizeAndForgetsNobody() throws Exception {
        Bulkhead bulkhead = Bulkhead.of("b", BulkheadPolicy.of(5), Timekeeper.system());
        var inFlight = new AtomicInteger();
        var most = new AtomicInteger();
        var served = new AtomicInteger();
        var interrupted = new AtomicInteger();
        Threads.together(4_000, () -> {
            var random = ThreadLocalRandom.current();
            try {
                if (random.nextInt(10) == 0) {
                    Thread.currentThread().interrupt();
                }
                if (random.nextInt(100) == 0) {
                    bulkhead.resize(1 + random.nextInt(8));
                }
                if (bulkhead.acquire(Priority.values()[random.nextInt(2)], LONG) instanceof Permit permit) {
                    most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                    Thread.yield();
                    inFlight.decrementAndGet();
                    served.incrementAndGet();
                    permit.release();
                    permit.release();
                }
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        });
        assertThat(served.get() + interrupted.get()).isEqualTo(4_000);
        assertThat(interrupted.get()).isLessThan(1_000);
        assertThat(most.get()).isBetween(1, 8);
        assertThat(bulkhead.status().inFlight()).isZero();
        assertThat(bulkhead.status().waiting()).isZero();
    }

    private Bulkhead bulkhead(int places) {
        return Bulkhead.of("b", BulkheadPolicy.of(places), time);
    }

    private static Permit permit(Bulkhead bulkhead) {
        Admission admission = bulkhead.tryAcquire();
        assertThat(admission).isInstanceOf(Permit.class);
        return (Permit) admission;
    }

    private Task inBackground(Bulkhead bulkhead, String name, Priority priority) throws Exception {
        long before = bulkhead.status().waiting();
        Task task = time.start("holdfast-" + name, () -> {
            try {
                if (bulkhead.acquire(priority, LONG) instanceof Permit permit) {
                    log.add(name);
                    permit.release();
                }
            } catch (InterruptedException e) {
                log.add(name + " interrupted");
            }
        });
        time.awaitWaiting((int) before + 1);
        return task;
    }
}
