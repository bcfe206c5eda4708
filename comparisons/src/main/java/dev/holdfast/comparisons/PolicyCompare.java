package dev.holdfast.comparisons;

import dev.holdfast.benchmarks.jmh.BreakerBenchmark;
import dev.holdfast.benchmarks.jmh.BulkheadBenchmark;
import dev.holdfast.benchmarks.jmh.LimiterBenchmark;
import dev.holdfast.benchmarks.jmh.RetryBenchmark;
import dev.holdfast.benchmarks.jmh.StackBenchmark;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Each policy beside those of four libraries and beside the work alone: the JMH benchmarks of record, cut short. A row is one run, so
 * that its ratios are of one machine in one minute; what they are worth is told by the extremes of the measurements.
 */
final class PolicyCompare {
    private static final String OURS = "HOLDFAST";
    private static final String WORK_ALONE = "BARE";
    private static final List<String> LIBRARIES =
            List.of(WORK_ALONE, OURS, "RESILIENCE4J", "FAILSAFE", "HELIDON", "SMALLRYE");

    /** What is compared. */
    static final List<Scenario> SCENARIOS = List.of(
            new Scenario("retry, work that goes well", RetryBenchmark.class, "success", Map.of()),
            ofBreaker("breaker, closed", "callSucceeds"),
            ofBreaker("breaker, every second time failing", "callRecords"),
            ofBreaker("breaker, open, as an exception", "callRejected"),
            new Scenario("rate limiter, granted", LimiterBenchmark.class, "granted", Map.of()),
            new Scenario("bulkhead, room", BulkheadBenchmark.class, "callSucceeds", Map.of()),
            new Scenario("all four around the same work", StackBenchmark.class, "success", Map.of("window", "COUNT")));

    private final int forks;
    private final int iterations;
    private final TimeValue time;

    /**
     * Creates a comparison.
     *
     * @param forks in how many JVMs each contender is measured; 0 for this one
     * @param iterations how often in each
     * @param time for how long each time
     */
    PolicyCompare(int forks, int iterations, TimeValue time) {
        this.forks = forks;
        this.iterations = iterations;
        this.time = time;
    }

    /** Some ten seconds for each scenario. */
    static PolicyCompare brief() {
        return new PolicyCompare(1, 4, TimeValue.milliseconds(150));
    }

    /**
     * One row.
     *
     * @param title what is done
     * @param benchmark where it is measured
     * @param method by which method
     * @param params of the benchmark, but for the contender
     */
    record Scenario(String title, Class<?> benchmark, String method, Map<String, String> params) {
        /** Not every library has every policy. */
        String[] contenders() {
            try {
                Object[] all = benchmark.getField("contender").getType().getEnumConstants();
                return Arrays.stream(all)
                        .map(Object::toString)
                        .filter(LIBRARIES::contains)
                        .toArray(String[]::new);
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException(benchmark + " has no contenders", e);
            }
        }
    }

    private static Scenario ofBreaker(String title, String method) {
        return new Scenario(title, BreakerBenchmark.class, method, Map.of("window", "COUNT"));
    }

    /** Prints the table, row by row. */
    @SuppressWarnings("SystemOut") // a command's output
    void run() throws RunnerException {
        System.out.println(
                "policies: Holdfast's time in nanoseconds, and the others' time as so many times as much; breakers look"
                        + " at the last 100 calls");
        System.out.println(heading());
        for (Scenario each : SCENARIOS) {
            System.out.println(line(each));
        }
        System.out.println();
    }

    static String heading() {
        var line = new StringBuilder(String.format(Locale.ROOT, "%-36s %12s", "scenario", OURS + " ns"));
        LIBRARIES.stream()
                .filter(each -> !each.equals(OURS))
                .forEach(each -> line.append(String.format(Locale.ROOT, " %12s", each)));
        return line.append("  of the fastest library's").toString();
    }

    String line(Scenario scenario) throws RunnerException {
        Map<String, Statistics> times = measured(scenario);
        double ours = ours(times).getMean();
        var line = new StringBuilder(String.format(Locale.ROOT, "%-36s %12.1f", scenario.title(), ours));
        for (String each : LIBRARIES) {
            if (!each.equals(OURS)) {
                Statistics its = times.get(each);
                line.append(String.format(
                        Locale.ROOT,
                        " %12s",
                        its == null ? "" : String.format(Locale.ROOT, "%.2f", its.getMean() / ours)));
            }
        }
        return line.append("  ").append(shareOfFastest(times)).toString();
    }

    /** Holdfast's time as a share of the fastest other's, between the extremes. */
    private static String shareOfFastest(Map<String, Statistics> times) {
        Statistics ours = ours(times);
        Statistics fastest = times.entrySet().stream()
                .filter(each -> !each.getKey().equals(OURS) && !each.getKey().equals(WORK_ALONE))
                .map(Map.Entry::getValue)
                .min((one, other) -> Double.compare(one.getMean(), other.getMean()))
                .orElseThrow();
        return String.format(
                Locale.ROOT,
                "%.2f [%.2f, %.2f]",
                ours.getMean() / fastest.getMean(),
                ours.getMin() / fastest.getMax(),
                ours.getMax() / fastest.getMin());
    }

    private static Statistics ours(Map<String, Statistics> times) {
        return Objects.requireNonNull(times.get(OURS), "every scenario has Holdfast");
    }

    private Map<String, Statistics> measured(Scenario scenario) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(scenario.benchmark().getName().replace(".", "\\.") + "\\." + scenario.method() + "$")
                .param("contender", scenario.contenders())
                .threads(1)
                .forks(forks)
                .warmupIterations(iterations)
                .warmupTime(time)
                .measurementIterations(iterations)
                .measurementTime(time)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        scenario.params().forEach(options::param);
        return new Runner(options.build())
                .run().stream()
                        .collect(Collectors.toMap(
                                PolicyCompare::contender,
                                result -> result.getPrimaryResult().getStatistics(),
                                (one, other) -> one,
                                LinkedHashMap::new));
    }

    private static String contender(RunResult result) {
        return result.getParams().getParam("contender");
    }
}
