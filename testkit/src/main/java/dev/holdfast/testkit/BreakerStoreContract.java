package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.BreakerStore.BreakerSnapshot;
import dev.holdfast.spi.BreakerStore.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What every {@link BreakerStore} keeps. Extend it, and give it stores that look at the same data, as those of several
 * processes do; a store that cannot be given a clock overrides {@link #pass} and {@link #moment}.
 */
public abstract class BreakerStoreContract {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String KEY = "gpt-4.1@openai";

    /** Creates the contract. */
    protected BreakerStoreContract() {}

    /** {@return a store; those it is asked for in one test share their data, which is empty at first} */
    protected abstract BreakerStore store();

    /**
     * Lets the store's clock go on.
     *
     * @param length how far
     */
    protected abstract void pass(Duration length);

    /** {@return an open time that a test may let pass; a store that runs in real time makes it short} */
    protected Duration moment() {
        return Duration.ofSeconds(10);
    }

    /** {@return by how much a remaining time may be off, for what the store needs to answer and to round} */
    protected Duration tolerance() {
        return Duration.ofSeconds(1);
    }

    private static BreakerSnapshot closed(long generation) {
        return new BreakerSnapshot(BreakerState.CLOSED, generation, Duration.ZERO, 0);
    }

    private BreakerSnapshot open(long generation) {
        return new BreakerSnapshot(BreakerState.OPEN, generation, moment(), 1);
    }

    private static long generationOf(BreakerStore store, String key) {
        return store.load(key).map(BreakerSnapshot::generation).orElse(0L);
    }

    @Test
    void knowsNothingAtFirst() {
        assertThat(store().load(KEY)).isEmpty();
        assertThat(store().compareAndSet(KEY, 5, closed(6))).isFalse();
        assertThat(store().load(KEY)).isEmpty();
    }

    @Test
    void giveBackWhatWasSet() {
        for (BreakerState state : BreakerState.values()) {
            String key = state.name();
            var snapshot = new BreakerSnapshot(state, 7, Duration.ZERO, 3);
            assertThat(store().compareAndSet(key, 0, snapshot)).isTrue();
            assertThat(store().load(key)).contains(snapshot);
        }
    }

    @Test
    void replacesTheExpectedSnapshotOnly() {
        BreakerStore store = store();
        assertThat(store.compareAndSet(KEY, 0, closed(1))).isTrue();
        assertThat(store.compareAndSet(KEY, 0, closed(2)))
                .as("there is one already")
                .isFalse();
        assertThat(store.compareAndSet(KEY, 3, closed(2)))
                .as("it is another one")
                .isFalse();
        assertThat(generationOf(store, KEY)).isEqualTo(1);
        assertThat(store.compareAndSet(KEY, 1, open(2))).isTrue();
        assertThat(store.compareAndSet(KEY, 1, closed(3))).as("it was replaced").isFalse();
        assertThat(store.load(KEY)).map(BreakerSnapshot::state).contains(BreakerState.OPEN);
    }

    @Test
    void keepsGenerationsOfAnySizeAndSign() {
        BreakerStore store = store();
        long before = 0;
        for (long generation : new long[] {Long.MIN_VALUE, -1, 1, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE}) {
            assertThat(store.compareAndSet(KEY, before, closed(generation))).isTrue();
            assertThat(generationOf(store, KEY)).isEqualTo(generation);
            before = generation;
        }
    }

    @Test
    void keepsKeysApart() {
        BreakerStore store = store();
        List<String> keys = List.of("a", "A", "a ", "a:b", "a'b", "ä@日本", "{a}", "a%", "x".repeat(200));
        for (int i = 0; i < keys.size(); i++) {
            assertThat(store.compareAndSet(keys.get(i), 0, closed(i + 1)))
                    .as(keys.get(i))
                    .isTrue();
        }
        for (int i = 0; i < keys.size(); i++) {
            assertThat(generationOf(store(), keys.get(i))).as(keys.get(i)).isEqualTo(i + 1);
        }
    }

    @Test
    void showsWhatRemainsOfTheOpenTimeByItsOwnClock() {
        BreakerStore store = store();
        store.compareAndSet(KEY, 0, open(1));
        assertThat(remaining(store)).isBetween(moment().minus(tolerance()), moment());
        pass(moment().dividedBy(2));
        Duration half = moment().dividedBy(2);
        assertThat(remaining(store())).isBetween(half.minus(tolerance()), half);
        pass(moment());
        assertThat(remaining(store)).isZero();
        assertThat(store.load(KEY)).map(BreakerSnapshot::state).contains(BreakerState.OPEN);
    }

    private static Duration remaining(BreakerStore store) {
        return store.load(KEY).map(BreakerSnapshot::remainingOpen).orElseThrow();
    }

    @Test
    void keepsALongOpenTime() {
        BreakerStore store = store();
        Duration year = Duration.ofDays(365);
        store.compareAndSet(KEY, 0, new BreakerSnapshot(BreakerState.OPEN, 1, year, Integer.MAX_VALUE));
        assertThat(remaining(store)).isBetween(year.minus(tolerance()), year);
        assertThat(store.load(KEY)).map(BreakerSnapshot::openings).contains(Integer.MAX_VALUE);
    }

    @Test
    void tellsWatchersOfLaterChangesInTheirOrder() {
        BreakerStore store = store();
        store.compareAndSet(KEY, 0, closed(1));
        List<Long> heard = new CopyOnWriteArrayList<>();
        try (Watch watch = store.watch(KEY, snapshot -> heard.add(snapshot.generation()))) {
            assertThat(watch).isNotNull();
            for (long generation = 2; generation <= 20; generation++) {
                assertThat(store().compareAndSet(KEY, generation - 1, closed(generation)))
                        .isTrue();
            }
            await(() -> heard.contains(20L));
        }
        assertThat(heard).isSorted().doesNotContain(1L).doesNotHaveDuplicates();
    }

    /** A client whose probe takes long says so again under a new number, and the others wait for it on. */
    @Test
    void tellsWatchersOfTheSameStateUnderANewNumber() {
        BreakerStore store = store();
        var probing = new BreakerSnapshot(BreakerState.HALF_OPEN, 1, Duration.ZERO, 1);
        store.compareAndSet(KEY, 0, probing);
        List<Long> heard = new CopyOnWriteArrayList<>();
        try (Watch watch = store.watch(KEY, snapshot -> heard.add(snapshot.generation()))) {
            assertThat(watch).isNotNull();
            var again = new BreakerSnapshot(BreakerState.HALF_OPEN, 2, Duration.ZERO, 1);
            assertThat(store().compareAndSet(KEY, 1, again)).isTrue();
            await(() -> heard.contains(2L));
        }
        assertThat(store.load(KEY)).map(BreakerSnapshot::state).contains(BreakerState.HALF_OPEN);
    }

    @Test
    void tellsWatchersWhatRemains() {
        BreakerStore store = store();
        var heard = new AtomicReference<BreakerSnapshot>();
        try (Watch watch = store.watch(KEY, heard::set)) {
            assertThat(watch).isNotNull();
            store().compareAndSet(KEY, 0, open(1));
            await(() -> heard.get() != null);
        }
        assertThat(heard.get().state()).isEqualTo(BreakerState.OPEN);
        assertThat(heard.get().remainingOpen()).isBetween(Duration.ZERO, moment());
    }

    @Test
    void tellsNobodyOfOtherKeysOrAfterTheEnd() {
        BreakerStore store = store();
        var first = new AtomicInteger();
        var second = new AtomicInteger();
        Watch ended = store.watch(KEY, snapshot -> first.incrementAndGet());
        ended.close();
        ended.close();
        try (Watch other = store.watch("other", snapshot -> second.incrementAndGet());
                Watch running = store.watch(KEY, snapshot -> second.addAndGet(100))) {
            assertThat(List.of(other, running)).doesNotContainNull();
            store.compareAndSet(KEY, 0, closed(1));
            await(() -> second.get() == 100);
        }
        assertThat(first.get()).isZero();
    }

    @Test
    void goesOnTellingOthersWhenOneThrows() {
        BreakerStore store = store();
        var heard = new AtomicInteger();
        try (Watch bad = store.watch(KEY, snapshot -> {
                    throw new IllegalStateException("a watcher");
                });
                Watch good = store.watch(KEY, snapshot -> heard.incrementAndGet())) {
            assertThat(List.of(bad, good)).doesNotContainNull();
            store.compareAndSet(KEY, 0, closed(1));
            await(() -> heard.get() == 1);
            store.compareAndSet(KEY, 1, closed(2));
            await(() -> heard.get() == 2);
        }
    }

    @Test
    @Tag("concurrency")
    void ofManyWhoExpectTheSameOneWins() throws InterruptedException {
        for (int round = 0; round < 10; round++) {
            long expected = generationOf(store(), KEY);
            var wins = new AtomicInteger();
            var next = new AtomicLong(1_000L * (round + 1));
            var winner = new AtomicLong();
            BreakerContract.together(16, () -> {
                long generation = next.incrementAndGet();
                if (store().compareAndSet(KEY, expected, closed(generation))) {
                    wins.incrementAndGet();
                    winner.set(generation);
                }
            });
            assertThat(wins.get()).isEqualTo(1);
            assertThat(generationOf(store(), KEY)).isEqualTo(winner.get());
        }
    }

    @Test
    @Tag("concurrency")
    void losesNoChangeOfManyWhoTryUntilTheyWin() throws InterruptedException {
        var next = new AtomicLong();
        var tries = new AtomicLong();
        BreakerContract.together(8, () -> {
            for (int i = 0; i < 10; i++) {
                boolean won = false;
                while (!won) {
                    Optional<BreakerSnapshot> seen = store().load(KEY);
                    int openings = seen.map(BreakerSnapshot::openings).orElse(0);
                    long generation = seen.map(BreakerSnapshot::generation).orElse(0L);
                    var more = new BreakerSnapshot(
                            BreakerState.CLOSED, next.incrementAndGet(), Duration.ZERO, openings + 1);
                    won = store().compareAndSet(KEY, generation, more);
                    tries.incrementAndGet();
                }
            }
        });
        assertThat(store().load(KEY)).map(BreakerSnapshot::openings).contains(80);
        assertThat(tries.get()).isGreaterThanOrEqualTo(80);
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("nothing was heard within " + PATIENCE);
            }
            Thread.onSpinWait();
        }
    }
}
