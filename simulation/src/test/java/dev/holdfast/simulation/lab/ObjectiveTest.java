package dev.holdfast.simulation.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.simulation.lab.Objective.Bound;
import dev.holdfast.simulation.lab.Objective.Goal;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectiveTest {
    private static Measures measures(double success, double p99, double cost) {
        return new Measures(900, 800, 1_500, p99, 4_000, success, cost, 1.1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "success>=99.9, min p99 | success>=99.9, min p99",
                "  success >= 99.9 % ,p99<=2s,max  success | success>=99.9, p99<=2000ms, max success",
                "cost<=-1.5 | cost<=-1.5",
                "min max | min max",
                "mean ≤ 900 ms, attempts<=1.2 | mean<=900ms, attempts<=1.2",
            })
    void boundsAndGoalsAreReadInTheirOrder(String text, String canonical) {
        assertThat(Objective.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "succes>=99 | 'succes': no measure (expected: one of success, mean, p50, p95, p99, max, cost, attempts)",
                "success>=ninety | 'success>=ninety': neither a bound nor a goal (expected: a form such as success>=99.9",
                "success>=101 | success>=101: never or always so (expected: a percentage from 0 to 100)",
                "p99<=2m | p99: unit 'm' (expected: none, ms, s)",
                "attempts<=2% | attempts: unit '%' (expected: none)",
                "min | 'min': neither a bound nor a goal",
                "success>=99,, min p99 | '': neither a bound nor a goal",
                "minimise p99 | 'minimise p99': neither a bound nor a goal",
            })
    void whatCannotBeWantedIsToldWithWhatCan(String text, String message) {
        assertThatThrownBy(() -> Objective.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Property
    void theTextOfAnObjectiveSaysTheSame(@ForAll("objectives") Objective objective) {
        assertThat(Objective.parse(objective.toString())).isEqualTo(objective);
    }

    @Provide
    Arbitrary<Objective> objectives() {
        Arbitrary<Measure> measure = Arbitraries.of(Measure.class);
        Arbitrary<Double> number = Arbitraries.bigDecimals()
                .between(BigDecimal.ZERO, BigDecimal.valueOf(100))
                .ofScale(3)
                .map(BigDecimal::doubleValue);
        Arbitrary<Boolean> either = Arbitraries.of(true, false);
        Arbitrary<List<Bound>> bounds = Combinators.combine(measure, either, number)
                .as(Bound::new)
                .list()
                .ofMaxSize(3);
        Arbitrary<List<Goal>> goals = Combinators.combine(measure, either)
                .as(Goal::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3);
        return Combinators.combine(bounds, goals).as(Objective::new);
    }

    @Test
    void boundsAreHeldAgainstWhatIsShown() {
        Objective objective = Objective.parse("success>=99.9, p99<=2s");

        assertThat(objective.isMetBy(measures(99.896, 2_000.4, 0))).isTrue();
        assertThat(objective.isMetBy(measures(99.89, 2_000, 0))).isFalse();
        assertThat(objective.isMetBy(measures(99.9, 2_001, 0))).isFalse();
    }

    @Test
    void whatMeetsTheBoundsComesFirstAndGoalsDecideInTheirOrder() {
        Measures slow = measures(99.95, 1_900, 1);
        Measures fast = measures(99.91, 1_800, 5);
        Measures cheap = measures(99.91, 1_800, 4);
        Measures missing = measures(99.8, 1_000, -5);
        Measures worse = measures(97, 900, -9);

        assertThat(Stream.of(worse, missing, slow, fast, cheap)
                        .sorted(Objective.parse("success>=99.9, min p99, min cost")
                                .order()))
                .containsExactly(cheap, fast, slow, missing, worse);
    }

    @Test
    void costThatIsUnknownIsWorst() {
        Measures unknown = measures(0, 10, Double.NaN);
        Measures dear = measures(50, 10, 900);

        assertThat(Objective.parse("min cost").order().compare(dear, unknown)).isNegative();
        assertThat(Objective.parse("cost<=5").isMetBy(unknown)).isFalse();
        assertThat(Objective.parse("cost<=5").order().compare(dear, unknown)).isNegative();
    }
}
