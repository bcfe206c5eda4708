package dev.holdfast.comparisons;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark there is runs with every contender, if only for a moment: what is measured says nothing here. */
class BenchmarksRunTest {
    @BeforeAll
    static void leaveTheMachineToOthers() {
        System.setProperty("jmh.ignoreLock", "true"); // two builds may run at once
    }

    @Test
    void everyBenchmarkRuns() throws Exception {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(5))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results)
                .extracting(each -> each.getParams().getBenchmark())
                .anyMatch(name -> name.contains("RetryBenchmark"))
                .anyMatch(name -> name.contains("BreakerBenchmark"))
                .anyMatch(name -> name.contains("LimiterBenchmark"))
                .anyMatch(name -> name.contains("BulkheadBenchmark"))
                .anyMatch(name -> name.contains("StackBenchmark"))
                .anyMatch(name -> name.contains("ClassifyBenchmark"))
                .anyMatch(name -> name.contains("SseBenchmark"))
                .anyMatch(name -> name.contains("CallBenchmark"))
                .anyMatch(name -> name.contains("ClientBenchmark"));
    }
}
