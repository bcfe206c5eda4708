package dev.holdfast.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.table.OrderCheck.Relation;
import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.benchmarks.table.StrategyTable.Row;
import dev.holdfast.simulation.Profile;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final Profile PUBLISHED = Profile.named("published");

    @Test
    void whatIsWithinTheToleranceHoldsAndTheRestIsTold() {
        List<Verdict> verdicts = Verdict.of(Strategy.publishedOnes().stream()
                .map(each -> new Row(each, List.of(cells(each)), 1))
                .toList());

        assertThat(verdicts).hasSize(19);
        assertThat(verdicts)
                .filteredOn(each -> !each.holds())
                .extracting(Verdict::words)
                .containsExactly(
                        "off by 20.0 %",
                        "contradicts the mean of exponential", "off by 0.40 points", "contradicts its own success");
    }

    /** As published, but for four cells. */
    private static Cells cells(Strategy strategy) {
        Figures published = strategy.published().orElseThrow();
        double max =
                switch (strategy) {
                    case NONE -> published.maxMs() * 1.2;
                    case EXPONENTIAL_JITTER -> published.maxMs() * 1.5;
                    default -> published.maxMs() * 1.1;
                };
        return new Cells(
                published.meanMs() * (strategy == Strategy.FIXED ? 0.9 : 1.04),
                0,
                0,
                0,
                max,
                published.successPct() - 0.1,
                published.costPct() + (strategy == Strategy.EXPONENTIAL ? 0.4 : 0.2));
    }

    @Test
    void aRelationThatFailsInTwoOfTenSeedsDoesNotHoldWhereItIsClaimed() {
        Map<Strategy, List<Cells>> runs = new EnumMap<>(Strategy.class);
        for (Strategy strategy : Strategy.publishedOnes()) {
            Figures mean = Figures.reference(strategy).orElseThrow().mean();
            var cells = new Cells(mean.meanMs(), 0, 0, 0, mean.maxMs(), mean.successPct(), mean.costPct());
            runs.put(strategy, Collections.nCopies(10, cells));
        }
        assertThat(OrderCheck.of(runs)).hasSize(12).allMatch(Relation::holds);

        Cells[] smart = runs.get(Strategy.SMART_ROUTING).toArray(Cells[]::new);
        Arrays.fill(smart, 0, 2, new Cells(800, 0, 0, 0, 0, 95, -1));
        runs.put(Strategy.SMART_ROUTING, List.of(smart));
        List<Relation> broken =
                OrderCheck.of(runs).stream().filter(each -> !each.holds()).toList();

        assertThat(broken)
                .extracting(each -> each.column() + " " + each.lower() + " " + each.upper() + " " + each.held())
                .containsExactly(
                        "SUCCESS EXPONENTIAL_JITTER SMART_ROUTING 8",
                        "MEAN NONE SMART_ROUTING 8",
                        "COST NONE SMART_ROUTING 8");
    }

    @Test
    @Tag("slow")
    void seventeenOfNineteenPublishedCellsHoldAndTheTwoOthersContradictTheRest() {
        List<Verdict> verdicts = Verdict.of(PublishedRuns.rows(Strategy.publishedOnes(), 1, 30));

        assertThat(verdicts).filteredOn(Verdict::holds).hasSize(17);
        assertThat(verdicts)
                .filteredOn(each -> !each.holds())
                .extracting(Verdict::words)
                .containsExactly("contradicts the mean of exponential", "contradicts its own success");
    }

    @Test
    @Tag("slow")
    void theOrderHoldsInTenSeeds() {
        Map<Strategy, List<Cells>> runs = PublishedRuns.rows(Strategy.publishedOnes(), 1, 10).stream()
                .collect(Collectors.toMap(Row::strategy, Row::runs));

        assertThat(OrderCheck.of(runs))
                .filteredOn(Relation::required)
                .hasSizeGreaterThan(7)
                .allMatch(Relation::holds);
    }

    @Test
    void givingThePlaceBackWhileACallWaitsShortensTheMeanAtTheSameSuccess() {
        StrategyTable table = StrategyTable.run(new Plan(10_000, 1, 1, PUBLISHED), (runs, all) -> {});
        Row held = table.rows().get(Strategy.EXPONENTIAL_JITTER.ordinal());
        Row given = table.limiterRows().get(Strategy.EXPONENTIAL_JITTER.ordinal());

        assertThat(held.mean().meanMs() - given.mean().meanMs()).isBetween(100.0, 300.0);
        assertThat(given.mean().successPct() - held.mean().successPct()).isBetween(-0.1, 0.1);
        assertThat(given.attempts()).isGreaterThan(held.attempts());
    }

    @Test
    void differencesArePairedBySeed() {
        var low = new Row(Strategy.NONE, List.of(mean(100), mean(200)), 1);
        var high = new Row(Strategy.ADAPTIVE, List.of(mean(110), mean(214)), 1);
        Paired paired = Paired.of(high, List.of(low, high)).getFirst();

        assertThat(paired.than()).isEqualTo(Strategy.NONE);
        assertThat(paired.mean().meanMs()).isEqualTo(12);
        assertThat(paired.error().meanMs()).isCloseTo(2, org.assertj.core.api.Assertions.within(1e-9));
    }

    private static Cells mean(double millis) {
        return new Cells(millis, 0, 0, 0, 0, 0, 0);
    }
}
