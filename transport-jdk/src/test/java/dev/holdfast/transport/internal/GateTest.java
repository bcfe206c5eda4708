package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.transport.internal.Gate.Entry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class GateTest {
    private static final long LONG = 200_000_000_000L;
    private static final long AT_ONCE = 0;

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    @Test
    void letsSoManyInAndNoMore() throws Exception {
        Gate gate = Gate.ofConnections(2);
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.IN);
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.IN);
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.LATE);
        gate.leave();
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.IN);
        assertThat(gate.taken()).isEqualTo(2);
        assertThat(gate.waiting()).isZero();
    }

    @Test
    void servesInTheOrderOfTheLine() throws Exception {
        Gate gate = Gate.ofConnections(1);
        gate.enter(AT_ONCE);
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> {
                enter(gate);
                served.add(number);
                gate.leave();
            }));
            await(() -> gate.waiting() == number + 1);
        }
        gate.leave();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(served).hasSize(20).isSorted();
        assertThat(gate.taken()).isZero();
    }

    @Test
    void takesNothingForWhoLeavesTheLine() throws Exception {
        Gate gate = Gate.ofConnections(1);
        gate.enter(AT_ONCE);
        var seen = new AtomicReference<Throwable>();
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                gate.enter(LONG);
            } catch (InterruptedException e) {
                seen.set(e);
            }
        });
        await(() -> gate.waiting() == 1);
        waiter.interrupt();
        waiter.join();
        assertThat(seen.get()).isInstanceOf(InterruptedException.class);
        assertThat(gate.enter(1_000)).isEqualTo(Entry.LATE);
        gate.leave();
        assertThat(gate.taken()).isZero();
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.IN);
    }

    @Test
    void isInterruptedEvenWhereThereIsRoomInTime() {
        Gate gate = Gate.ofConnections(1);
        assertThatThrownBy(() -> {
                    gate.enter(AT_ONCE);
                    Thread.currentThread().interrupt();
                    gate.enter(LONG);
                })
                .isInstanceOf(InterruptedException.class);
        assertThat(gate.taken()).isEqualTo(1);
    }

    @Test
    void letsOneGoAheadUntilTheConnectionStands() throws Exception {
        Gate gate = Gate.ofStreams(100);
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.IN);
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.LATE);
        gate.warmedUp();
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.IN);
        gate.leave();
        gate.leave();
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.IN);
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.LATE);
    }

    @Test
    void letsTheNextGoAheadIfTheFirstMakesNoConnection() throws Exception {
        Gate gate = Gate.ofStreams(100);
        gate.enter(AT_ONCE);
        Thread next = Thread.ofVirtual().start(() -> enter(gate));
        await(() -> gate.waiting() == 1);
        gate.leave();
        next.join();
        assertThat(gate.taken()).isEqualTo(1);
    }

    @Test
    void learnsFromThoseWhoAreTurnedAway() throws Exception {
        Gate gate = Gate.ofStreams(100);
        gate.enter(AT_ONCE);
        gate.warmedUp();
        gate.enter(AT_ONCE);
        gate.enter(AT_ONCE);
        assertThat(gate.turnedAway(AT_ONCE)).isEqualTo(Entry.LATE);
        assertThat(gate.learned()).isEqualTo(2);
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.LATE);
        gate.leave();
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.IN);
    }

    @Test
    void keepsNobodyWaitingForWhomNobodyCanMakeRoom() throws Exception {
        Gate gate = Gate.ofStreams(100);
        gate.enter(AT_ONCE);
        assertThat(gate.turnedAway(LONG)).isEqualTo(Entry.ALONE);
        assertThat(gate.taken()).isEqualTo(1);
    }

    @Test
    void triesMoreAfterManyRoundsWithoutBeingTurnedAway() throws Exception {
        Gate gate = Gate.ofStreams(8);
        gate.enter(AT_ONCE);
        gate.warmedUp();
        gate.enter(AT_ONCE);
        assertThat(gate.turnedAway(AT_ONCE)).isEqualTo(Entry.LATE);
        assertThat(gate.learned()).isEqualTo(1);
        gate.leave();
        for (int i = 0; i < 1_000; i++) {
            gate.enter(AT_ONCE);
            gate.leave();
        }
        assertThat(gate.learned()).isEqualTo(8);
    }

    @Test
    void closesForGoodOnlyWhenIdle() throws Exception {
        Gate gate = Gate.ofConnections(1);
        gate.enter(AT_ONCE);
        assertThat(gate.closeIfIdle()).isFalse();
        gate.leave();
        assertThat(gate.closeIfIdle()).isTrue();
        assertThat(gate.enter(AT_ONCE)).isEqualTo(Entry.GONE);
    }

    @Property(tries = 30)
    @Tag("concurrency")
    void neverHasMoreInThanItMayAndNobodyInTheEnd(
            @ForAll @IntRange(min = 1, max = 5) int most, @ForAll boolean streams, @ForAll int seed) throws Exception {
        Gate gate = streams ? Gate.ofStreams(most) : Gate.ofConnections(most);
        var in = new AtomicInteger();
        var worst = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 40; i++) {
            int kind = Math.floorMod(seed + 31 * i, 4);
            threads.add(Thread.ofVirtual().start(() -> visit(gate, kind, in, worst)));
            if (kind == 3) {
                threads.getLast().interrupt();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(worst.get()).isLessThanOrEqualTo(most);
        assertThat(gate.taken()).isZero();
        assertThat(gate.waiting()).isZero();
    }

    private static void visit(Gate gate, int kind, AtomicInteger in, AtomicInteger worst) {
        try {
            Entry entry = gate.enter(kind == 1 ? 50_000 : LONG);
            if (entry != Entry.IN) {
                return;
            }
            gate.warmedUp();
            worst.accumulateAndGet(in.incrementAndGet(), Math::max);
            Thread.yield();
            in.decrementAndGet();
            if (kind != 2 || gate.turnedAway(LONG) != Entry.LATE) {
                gate.leave();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void enter(Gate gate) {
        try {
            assertThat(gate.enter(LONG)).isEqualTo(Entry.IN);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
