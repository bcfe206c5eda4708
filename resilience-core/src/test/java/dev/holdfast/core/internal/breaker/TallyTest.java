package dev.holdfast.core.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.internal.Threads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TallyTest {
    private final Tally tally = new Tally();

    @Test
    void countsWhatOneThreadCounts() {
        for (int i = 0; i < 1_000; i++) {
            tally.increment();
        }
        assertThat(tally.sum()).isEqualTo(1_000);
    }

    @Test
    @Tag("concurrency")
    void losesNothingWhenManyThreadsAreTheFirst() {
        Threads.together(200, () -> {
            for (int i = 0; i < 500; i++) {
                tally.increment();
            }
        });
        assertThat(tally.sum()).isEqualTo(100_000);
    }
}
