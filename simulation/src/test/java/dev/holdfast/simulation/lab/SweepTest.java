package dev.holdfast.simulation.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.simulation.lab.Sweep.Axis;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepTest {
    @Test
    void aCommaWithinBracketsBelongsToTheValue() {
        assertThat(Sweep.of(
                                "retry.backoff=fixed(1s), exponential(1s, x2)",
                                "hedge={\"after\": \"p9,5\", \"budget\": 0.1},off")
                        .axes())
                .containsExactly(
                        new Axis("retry.backoff", List.of("fixed(1s)", "exponential(1s, x2)")),
                        new Axis("hedge", List.of("{\"after\": \"p9,5\", \"budget\": 0.1}", "off")));
    }

    @Test
    void theLastAxisVariesFastest() {
        assertThat(Sweep.of("a=1,2", "b=x,y").points())
                .containsExactly(
                        Map.of("a", "1", "b", "x"),
                        Map.of("a", "1", "b", "y"),
                        Map.of("a", "2", "b", "x"),
                        Map.of("a", "2", "b", "y"));
        assertThat(Sweep.none().points()).containsExactly(Map.of());
    }

    @Property(tries = 100)
    void thePointsAreEachValueWithEachOfTheOthers(
            @ForAll @Size(max = 4) List<@IntRange(min = 1, max = 5) Integer> sizes) {
        Sweep sweep = new Sweep(IntStream.range(0, sizes.size())
                .mapToObj(i -> new Axis(
                        "key" + i,
                        IntStream.range(0, sizes.get(i)).mapToObj(v -> "v" + v).toList()))
                .toList());
        List<Map<String, String>> points = sweep.points();

        assertThat(points).hasSize(sizes.stream().reduce(1, (a, b) -> a * b));
        assertThat(new HashSet<>(points)).hasSameSizeAs(points);
        assertThat(points).allSatisfy(point -> {
            assertThat(point.keySet())
                    .containsExactlyElementsOf(
                            sweep.axes().stream().map(Axis::key).toList());
            sweep.axes().forEach(axis -> assertThat(axis.values()).contains(point.get(axis.key())));
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retry.max-attempts | retry.max-attempts: without values (expected: key=a,b,c)",
                "=1,2 | without a key (expected: key=a,b,c)",
                "a=1,,2 | a: a blank value (expected: a=a,b,c)",
                "a=1,1 | a: a value for the second time (expected: each once)",
            })
    void whatIsNoSweepIsToldWithTheForm(String text, String message) {
        assertThatThrownBy(() -> Sweep.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void tooManyCombinationsAndAKeyTwiceAreRefused() {
        String many = "="
                + String.join(
                        ",", IntStream.range(0, 40).mapToObj(String::valueOf).toList());

        assertThatThrownBy(() -> Sweep.of("a" + many, "b" + many))
                .hasMessage("1600 combinations (expected: at most 1000; try fewer values or fewer keys at a time)");
        assertThatThrownBy(() -> Sweep.of("a=1", "a=2"))
                .hasMessage("a: for the second time (expected: one list of values)");
    }
}
