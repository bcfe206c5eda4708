package dev.holdfast.core.internal.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    private final ManualTime time = new ManualTime();
    private final LatencyHistogram histogram = new LatencyHistogram(time);

    @Property
    void aQuantileIsAtMostASixteenthAboveTheSampleItStandsFor(
            @ForAll @Size(min = 1, max = 60) List<@LongRange(min = 0, max = 7_000_000_000_000L) Long> samples,
            @ForAll @DoubleRange(min = 0.01, max = 1) double part) {
        var own = new LatencyHistogram(new ManualTime());
        samples.forEach(own::record);
        List<Long> sorted = samples.stream().sorted().toList();
        long exact = sorted.get(Math.max(1, (int) Math.ceil(part * sorted.size())) - 1);

        long read = own.quantile(part, 1).orElseThrow().toNanos();
        assertThat(read).isGreaterThanOrEqualTo(exact);
        assertThat(read).isLessThanOrEqualTo(Math.max(exact + 65_536, exact + exact / 16 + 65_536));
    }

    @Test
    void tooFewSamplesSayNothing() {
        for (int i = 0; i < 19; i++) {
            histogram.record(1_000_000);
        }
        assertThat(histogram.quantile(0.95, 20)).isEmpty();
        histogram.record(1_000_000);
        assertThat(histogram.quantile(0.95, 20)).isPresent();
    }

    @Test
    void absurdLengthsAreKeptAtTheEnds() {
        histogram.record(-5);
        histogram.record(Long.MAX_VALUE);

        assertThat(histogram.quantile(0.5, 1).orElseThrow()).isLessThan(Duration.ofMillis(1));
        assertThat(histogram.quantile(1, 1).orElseThrow()).isBetween(Duration.ofHours(2), Duration.ofHours(3));
    }

    @Test
    void whatIsOldIsForgottenAfterOneToTwoSpans() {
        record(200, Duration.ofSeconds(10));
        time.advance(Duration.ofSeconds(61));
        record(200, Duration.ofSeconds(1));
        assertThat(histogram.read().samples()).isEqualTo(400);

        time.advance(Duration.ofSeconds(61));
        record(1, Duration.ofSeconds(1));
        assertThat(histogram.read().samples()).isEqualTo(201);
        assertThat(histogram.quantile(1, 1).orElseThrow()).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void fewSamplesAreKeptForLongerAndNotForEver() {
        record(20, Duration.ofSeconds(1));
        time.advance(Duration.ofMinutes(4));
        assertThat(histogram.quantile(0.95, 20)).isPresent();

        time.advance(Duration.ofMinutes(7));
        assertThat(histogram.quantile(0.95, 1)).isEmpty();
    }

    private void record(int times, Duration length) {
        for (int i = 0; i < times; i++) {
            histogram.record(length.toNanos());
        }
    }

    @Test
    void threadsThatRecordAtOnceLoseNothing() throws InterruptedException {
        int threads = 16;
        int each = 5_000;
        var done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread.ofVirtual().start(() -> {
                record(each, Duration.ofMillis(7));
                done.countDown();
            });
        }
        done.await();

        assertThat(histogram.read().samples()).isEqualTo((long) threads * each);
    }
}
