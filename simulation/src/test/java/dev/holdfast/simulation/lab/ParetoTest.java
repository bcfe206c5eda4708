package dev.holdfast.simulation.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ParetoTest {
    /** Few values, so that equals and ties occur. */
    @Property(tries = 300)
    void theFrontIsExactlyWhatNothingDominates(
            @ForAll @Size(max = 12) List<@Size(3) List<@IntRange(max = 3) Integer>> given) {
        List<double[]> scores = given.stream()
                .map(each -> each.stream().mapToDouble(Integer::doubleValue).toArray())
                .toList();
        List<Boolean> front = Pareto.front(scores);

        for (int i = 0; i < scores.size(); i++) {
            boolean dominated = false;
            for (double[] other : scores) {
                boolean better = false;
                boolean worse = false;
                for (int k = 0; k < other.length; k++) {
                    better |= other[k] < scores.get(i)[k];
                    worse |= other[k] > scores.get(i)[k];
                }
                dominated |= better && !worse;
            }
            assertThat(front.get(i)).isEqualTo(!dominated);
        }
        assertThat(scores.isEmpty() || front.contains(true)).isTrue();
    }

    @Test
    void whatIsNotANumberIsWorst() {
        assertThat(Pareto.front(List.of(new double[] {1, Double.NaN}, new double[] {1, 900})))
                .containsExactly(false, true);
    }
}
