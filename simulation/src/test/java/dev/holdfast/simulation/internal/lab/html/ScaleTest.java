package dev.holdfast.simulation.internal.lab.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTest {
    @Test
    void aScaleOfFailuresSaysWhereItIsCutForWhatNeverFails() {
        assertThat(labels(99, 100)).last().isEqualTo("≥ 99.99 %");
        assertThat(labels(99, 100)).filteredOn(each -> each.contains("≥")).hasSize(1);
        assertThat(labels(90, 99)).isNotEmpty().noneMatch(each -> each.contains("≥"));

        Scale scale = Scale.successes(99, 100, 0, 300);
        assertThat(scale.of(100)).isCloseTo(scale.of(99.99), within(0.01)).isGreaterThan(scale.of(99.9));
    }

    private static List<String> labels(double low, double high) {
        return Scale.successes(low, high, 0, 300).ticks().stream()
                .sorted(Comparator.comparingDouble(Scale.Tick::at))
                .map(Scale.Tick::label)
                .toList();
    }
}
