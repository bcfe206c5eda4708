package dev.holdfast.core.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.internal.Threads;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FailureRowTest {
    @Property
    void countsFailuresSinceTheLastSuccess(
            @ForAll @IntRange(min = 1, max = 5) int threshold, @ForAll @Size(max = 40) List<Boolean> failures) {
        var row = new FailureRow(threshold);
        int inARow = 0;
        for (boolean failed : failures) {
            inARow = failed ? inARow + 1 : 0;
            Sums tooMuch = row.record(failed, false, 0);
            assertThat(tooMuch).isEqualTo(inARow >= threshold ? new Sums(inARow, inARow, 0) : null);
            assertThat(row.failuresInARow()).isEqualTo(inARow);
            assertThat(row.sums(0)).isEqualTo(Sums.NONE);
        }
    }

    @Test
    @Tag("concurrency")
    @Timeout(300)
    void ofManyThreadsFailuresNoneIsLostAndEachThatIsTooMuchIsTold() throws InterruptedException {
        int threads = 300;
        int each = 50;
        int threshold = 10_000;
        var row = new FailureRow(threshold);
        var told = new AtomicInteger();
        Threads.together(threads, () -> {
            for (int i = 0; i < each; i++) {
                told.addAndGet(row.record(true, false, 0) == null ? 0 : 1);
            }
        });
        assertThat(row.failuresInARow()).isEqualTo(threads * each);
        assertThat(told.get()).isEqualTo(threads * each - threshold + 1);
        row.record(false, false, 0);
        assertThat(row.failuresInARow()).isZero();
    }
}
