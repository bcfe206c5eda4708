package dev.holdfast.core.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.internal.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SampleWindowTest {
    private static final Rates NEVER =
            new Rates(BreakerWindow.ofTime(Duration.ofDays(1)).withMinimumCalls(1_000_000_000));

    private record Call(boolean failed, boolean slow, long atNanos) {
        static Call of(int number, long atNanos) {
            return new Call(number % 2 == 1, number / 2 % 2 == 1, atNanos);
        }
    }

    private static Sums sumsOf(Iterable<Call> calls) {
        long all = 0;
        long failures = 0;
        long slow = 0;
        for (Call call : calls) {
            all++;
            failures += call.failed ? 1 : 0;
            slow += call.slow ? 1 : 0;
        }
        return new Sums(all, failures, slow);
    }

    @Property
    void aCallWindowHoldsExactlyTheLastCalls(
            @ForAll @IntRange(min = 1, max = 40) int size,
            @ForAll @Size(max = 200) List<@IntRange(max = 3) Integer> calls,
            @ForAll long head) {
        var window = new CallWindow(size, NEVER, head);
        Deque<Call> model = new ArrayDeque<>();
        for (int number : calls) {
            Call call = Call.of(number, 0);
            window.record(call.failed, call.slow, 0);
            model.addLast(call);
            if (model.size() > size) {
                model.removeFirst();
            }
            assertThat(window.sums(0)).isEqualTo(sumsOf(model));
        }
    }

    /** Long stretches of the same: a window that is full of good calls is left as it is by one more. */
    @Property
    void aCallWindowHoldsExactlyTheLastCallsOfLongStretches(
            @ForAll @IntRange(min = 1, max = 40) int size,
            @ForAll @Size(max = 12) List<@IntRange(max = 5) Integer> stretches,
            @ForAll @IntRange(min = 1, max = 90) int length,
            @ForAll long head) {
        var window = new CallWindow(size, NEVER, head);
        Deque<Call> model = new ArrayDeque<>();
        for (int stretch : stretches) {
            for (int i = 0; i < length; i++) {
                Call call = Call.of(stretch > 3 ? 0 : stretch, 0);
                window.record(call.failed, call.slow, 0);
                model.addLast(call);
                if (model.size() > size) {
                    model.removeFirst();
                }
                assertThat(window.sums(0)).isEqualTo(sumsOf(model));
            }
        }
    }

    @Test
    @Tag("concurrency")
    @Timeout(300)
    void aWindowThatManyThreadsFoundFullOfGoodCallsForgetsNoFailure() throws InterruptedException {
        for (int size : new int[] {1, 2, 7, 64, 100}) {
            var window = new CallWindow(size, NEVER);
            for (int round = 0; round < 50; round++) {
                Threads.together(8, () -> {
                    for (int i = 0; i < 300; i++) {
                        window.record(i % 97 == 96, false, 0);
                    }
                });
                for (int i = 0; i < size; i++) {
                    window.record(false, false, 0);
                }
                assertThat(window.sums(0)).isEqualTo(new Sums(size, 0, 0));
                window.record(true, false, 0);
                for (int i = 1; i < size; i++) {
                    assertThat(window.sums(0)).isEqualTo(new Sums(size, 1, 0));
                    window.record(false, false, 0);
                }
                assertThat(window.sums(0)).isEqualTo(new Sums(size, 1, 0));
            }
        }
    }

    @Test
    void aCallWindowCountsOnWhereItsFieldsOverflow() {
        var any = new CallWindow(4, NEVER);
        long allButFew = (1L << any.failuresAt()) - (1L << 10); // one group
        long failures = 6;
        long slow = 6;
        var window = new CallWindow(4, NEVER, allButFew + (failures << any.failuresAt()) + (slow << any.slowAt()));
        for (int i = 0; i < 12; i++) {
            window.record(true, i % 2 == 0, 0);
            assertThat(window.sums(0))
                    .isEqualTo(new Sums(Math.min(i + 1, 4), Math.min(i + 1, 4), Math.min(i / 2 + 1, 2)));
        }
    }

    @Test
    void theLargestCallWindowCountsAll() {
        var window = new CallWindow(100_000, NEVER);
        for (int i = 0; i < 250_000; i++) {
            window.record(true, true, 0);
        }
        assertThat(window.sums(0)).isEqualTo(new Sums(100_000, 100_000, 100_000));
    }

    @Property
    void aTimeWindowHoldsTheCallsYoungerThanItsLengthToASlice(
            @ForAll @Size(max = 100) List<@IntRange(max = 3) Integer> calls,
            @ForAll @Size(min = 1, max = 100) List<@IntRange(max = 2_000) Integer> gaps,
            @ForAll long origin) {
        var window = new TimeWindow(1_000, NEVER, origin);
        List<Call> all = new ArrayList<>();
        long elapsed = 0;
        for (int i = 0; i < calls.size(); i++) {
            elapsed += gaps.get(i % gaps.size()) % (i % 5 == 0 ? 2_000 : 150);
            Call call = Call.of(calls.get(i), elapsed);
            window.record(call.failed, call.slow, origin + elapsed);
            all.add(call);
            long oldest = (elapsed / 100 - 9) * 100;
            assertThat(window.sums(origin + elapsed))
                    .isEqualTo(sumsOf(
                            all.stream().filter(each -> each.atNanos >= oldest).toList()));
        }
        long end = elapsed;
        Sums atEnd = window.sums(origin + end);
        assertThat(window.sums(origin + end - 5_000))
                .as("a clock that goes back")
                .isEqualTo(atEnd);
        assertThat(window.sums(origin + end + 1_000)).isEqualTo(Sums.NONE);
    }

    @Test
    @Tag("concurrency")
    @Timeout(300)
    void noCallOfManyThreadsIsLost() throws InterruptedException {
        int threads = 500;
        int each = 100;
        for (SampleWindow window :
                List.of(new CallWindow(threads * each, NEVER), new TimeWindow(1_000_000_000, NEVER, 0))) {
            Threads.together(threads, () -> {
                for (int i = 0; i < each; i++) {
                    window.record(i % 4 == 0, i % 2 == 0, i);
                }
            });
            assertThat(window.sums(0)).isEqualTo(new Sums(threads * each, threads * each / 4, threads * each / 2));
        }
    }

    @Test
    @Tag("concurrency")
    @Timeout(300)
    void aSmallCallWindowStaysExactWhileThreadsOvertakeEachOther() throws InterruptedException {
        for (int size : new int[] {1, 2, 3, 7, 64, 127}) {
            var window = new CallWindow(size, NEVER);
            var wrong = new AtomicInteger();
            Threads.together(200, () -> {
                for (int i = 0; i < 200; i++) {
                    window.record(i % 2 == 0, i % 3 == 0, 0);
                    Sums seen = window.sums(0);
                    boolean possible = seen.calls() <= size
                            && seen.calls() >= 1
                            && seen.failures() <= seen.calls()
                            && seen.slow() <= seen.calls();
                    wrong.addAndGet(possible ? 0 : 1);
                }
            });
            assertThat(wrong.get())
                    .as("impossible sums in a window of %s", size)
                    .isZero();
            assertThat(window.sums(0).calls()).isEqualTo(size);
            for (int i = 0; i < size; i++) {
                window.record(true, false, 0);
            }
            assertThat(window.sums(0)).isEqualTo(new Sums(size, size, 0));
            for (int i = 0; i < size; i++) {
                window.record(false, true, 0);
            }
            assertThat(window.sums(0)).isEqualTo(new Sums(size, 0, size));
        }
    }

    @Test
    @Tag("concurrency")
    @Timeout(300)
    void aTimeWindowStaysExactWhileItsSlicesChangeUnderManyThreads() throws InterruptedException {
        var clock = new AtomicLong();
        var window = new TimeWindow(1_000, NEVER, 0);
        var wrong = new AtomicInteger();
        Threads.together(300, () -> {
            for (int i = 0; i < 200; i++) {
                window.record(i % 2 == 0, i % 3 == 0, clock.addAndGet(7));
                Sums seen = window.sums(clock.get());
                boolean possible = seen.calls() >= 0
                        && seen.calls() <= 300 * 200
                        && seen.failures() >= 0
                        && seen.failures() <= seen.calls()
                        && seen.slow() <= seen.calls();
                wrong.addAndGet(possible ? 0 : 1);
            }
        });
        assertThat(wrong.get()).isZero();
        long end = clock.addAndGet(1_000);
        assertThat(window.sums(end)).isEqualTo(Sums.NONE);
        window.record(true, true, end);
        assertThat(window.sums(end)).isEqualTo(new Sums(1, 1, 1));
    }
}
