package dev.holdfast.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.benchmarks.table.StrategyTable.Row;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Outcome;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every profile that comes along, run by every strategy. */
class ProfilesTest {
    static List<String> names() {
        return Profile.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyStrategyComesThroughEveryProfileWithEveryAttemptAccountedFor(String name) throws InterruptedException {
        Profile profile = Profile.named(name);
        for (Strategy strategy : Strategy.values()) {
            Outcome run = StrategyRun.of(strategy, 2, profile.weather(2, 400), Slots.PROGRAM);

            assertThat(run.attempts()).as(name + " " + strategy).isEqualTo(run.sends());
            assertThat(run.successes()).as(name + " " + strategy).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void theSameSeedGivesTheSameTableOfEveryProfile(String name) {
        assertThat(text(name, 3)).isEqualTo(text(name, 3)).isNotEqualTo(text(name, 4));
    }

    @ParameterizedTest
    @MethodSource("names")
    void adaptiveSavesMoreCallsThanASingleAttempt(String name) {
        StrategyTable table = table(name, 5, 600);
        Row adaptive = table.row(Strategy.ADAPTIVE).orElseThrow();
        Row none = table.row(Strategy.NONE).orElseThrow();

        assertThat(adaptive.mean().successPct())
                .isGreaterThanOrEqualTo(none.mean().successPct());
        assertThat(adaptive.mean().successPct()).isGreaterThan(97);
    }

    @Test
    @Tag("slow")
    void adaptiveMeetsThePublishedRowOfSmartRoutingOnSeedsItWasNotTunedOn() {
        Cells adaptive = PublishedRuns.rows(List.of(Strategy.ADAPTIVE), 31, 30)
                .getFirst()
                .mean();
        Figures published = Strategy.SMART_ROUTING.published().orElseThrow();

        assertThat(adaptive.meanMs()).isLessThan(published.meanMs() + 0.5);
        assertThat(adaptive.maxMs()).isLessThan(published.maxMs() + 0.5);
        assertThat(adaptive.successPct()).isGreaterThan(published.successPct() - 0.05);
        assertThat(adaptive.costPct()).isLessThan(published.costPct() + 0.05);
    }

    private static String text(String name, long seed) {
        return TableText.of(table(name, seed, 300));
    }

    private static StrategyTable table(String name, long seed, int requests) {
        return StrategyTable.run(new Plan(requests, seed, 1, Profile.named(name)), (runs, all) -> {});
    }
}
