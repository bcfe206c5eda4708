package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.simulation.ReferenceLoop.Result;
import dev.holdfast.simulation.ReferenceLoop.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PublishedWeatherTest {
    /** What the fault model states for 30 seeds: mean and standard deviation over the seeds. */
    private record Reference(
            Strategy strategy,
            double mean,
            double meanStd,
            double max,
            double maxStd,
            double success,
            double successStd,
            double cost,
            double costStd) {}

    private static final List<Reference> REFERENCES = List.of(
            new Reference(Strategy.NONE, 843, 2, 2063, 140, 94.14, 0.23, 0, 0.001),
            new Reference(Strategy.FIXED, 1045, 10, 4769, 214, 97.86, 0.13, 2.30, 0.08),
            new Reference(Strategy.EXPONENTIAL, 1414, 49, 9343, 188, 99.51, 0.08, 4.05, 0.35),
            new Reference(Strategy.JITTER, 1316, 35, 10804, 276, 99.51, 0.08, 3.24, 0.23),
            new Reference(Strategy.SMART, 916, 3, 2960, 301, 99.80, 0.05, 1.94, 0.16));

    @Test
    void fiveSeedsAgreeWithTheReferenceFigures() {
        agrees(100, 5);
    }

    @Test
    @Tag("slow")
    void thirtySeedsAgreeWithTheReferenceFigures() {
        agrees(1, 30);
    }

    private static void agrees(long firstSeed, int seeds) {
        var baseline = new ArrayList<Result>();
        for (Reference reference : REFERENCES) {
            var results = new ArrayList<Result>();
            var cost = new ArrayList<Double>();
            for (int i = 0; i < seeds; i++) {
                Result result = ReferenceLoop.run(reference.strategy(), firstSeed + i, 10_000);
                results.add(result);
                if (reference.strategy() == Strategy.NONE) {
                    baseline.add(result);
                }
                cost.add((result.cost() / baseline.get(i).cost() - 1) * 100);
            }
            close(reference, "mean", results, Result::meanMs, reference.mean(), reference.meanStd() + 0.5);
            close(reference, "max", results, Result::maxMs, reference.max(), reference.maxStd());
            close(reference, "success", results, Result::successPct, reference.success(), reference.successStd());
            double meanCost =
                    cost.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            assertThat(meanCost).isCloseTo(reference.cost(), within(error(reference.costStd() + 0.005, seeds)));
        }
    }

    private static void close(
            Reference reference,
            String what,
            List<Result> results,
            ToDoubleFunction<Result> cell,
            double expected,
            double std) {
        double mean = results.stream().mapToDouble(cell).average().orElseThrow();
        assertThat(mean)
                .as("%s of %s", what, reference.strategy())
                .isCloseTo(expected, within(error(std, results.size())));
    }

    /** Three standard errors of the difference of two means. */
    private static double error(double std, int seeds) {
        return 3 * std * Math.sqrt(1.0 / seeds + 1.0 / 30);
    }
}
