package dev.holdfast.comparisons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.comparisons.PolicyCompare.Scenario;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.openjdk.jmh.runner.options.TimeValue;

class PolicyCompareTest {
    @SuppressWarnings("unused") // named below
    private static final List<Scenario> SCENARIOS = PolicyCompare.SCENARIOS;

    @BeforeAll
    static void leaveTheMachineToOthers() {
        System.setProperty("jmh.ignoreLock", "true"); // two builds may run at once
    }

    @ParameterizedTest
    @FieldSource("SCENARIOS")
    void everyScenarioHasARatioForEachLibraryThatHasThePolicy(Scenario scenario) throws Exception {
        String line = new PolicyCompare(0, 1, TimeValue.milliseconds(5)).line(scenario);

        assertThat(line).startsWith(scenario.title());
        String figure = " +[0-9]+\\.[0-9]+";
        String others = figure.repeat(scenario.contenders().length - 1);
        assertThat(line.substring(scenario.title().length()))
                .matches(figure + others + " +[0-9.]+ \\[[0-9.]+, [0-9.]+]");
        assertThat(scenario.contenders()).contains("BARE", "HOLDFAST", "RESILIENCE4J", "FAILSAFE");
    }

    @Test
    void theColumnsStandUnderTheirHeading() throws Exception {
        String line = new PolicyCompare(0, 1, TimeValue.milliseconds(5)).line(SCENARIOS.getFirst());

        String heading = PolicyCompare.heading();
        assertThat(heading).contains("BARE", "RESILIENCE4J", "FAILSAFE", "HELIDON", "SMALLRYE");
        assertThat(line.charAt(heading.indexOf("SMALLRYE") + "SMALLRYE".length() - 1))
                .isBetween('0', '9');
        assertThat(line.charAt(heading.indexOf("SMALLRYE") + "SMALLRYE".length()))
                .isEqualTo(' ');
    }
}
