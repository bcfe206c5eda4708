package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.jmh.StrategyRunner;
import dev.holdfast.benchmarks.table.Agreement;
import dev.holdfast.benchmarks.table.StrategyTable;
import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.benchmarks.table.TableJson;
import dev.holdfast.benchmarks.table.TableText;
import dev.holdfast.simulation.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./holdfast table}. */
@Command(
        name = "table",
        description = "Compare retry strategies under the same failures, beside the published figures.",
        sortOptions = false)
final class TableCommand implements Callable<Integer> {
    private static final int SEEDS_OF_JMH = 10;
    private static final double MOST_SPEED = 1_000;

    @Mixin
    private final RunOptions runs = new RunOptions();

    @Option(
            names = "--show",
            paramLabel = "NAME",
            description = "Print the file of a profile, to be copied and changed, and do nothing else.")
    private @Nullable String show;

    @Option(names = "--real", description = "Run one seed over real sockets too; exit code 1 unless both agree.")
    private boolean real;

    @Option(
            names = "--speed",
            paramLabel = "X",
            description = "How many seconds of the weather pass in one with --real (default: 20).")
    private @Nullable Double speed;

    @Option(
            names = "--jmh",
            description = "Run the published strategies by JMH, ten seeds unless told otherwise, and check their order;"
                    + " exit code 1 unless it holds.")
    private boolean jmh;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the rows to this file too.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException, RunnerException {
        var out = runs.command().commandLine().getOut();
        if (show != null) {
            out.print(source(show));
            out.flush();
            return ExitCode.OK;
        }
        Plan plan = plan();
        var file = new OutputFile("--json", json);
        file.check(runs::wrong);
        checkReal(plan);
        checkJmh(plan);
        var progress = new ProgressLines(runs.command().commandLine().getErr());
        if (jmh) {
            StrategyRunner.Report report =
                    new StrategyRunner(plan.requests(), plan.firstSeed(), plan.seeds()).run(progress);
            out.print(report.text());
            out.flush();
            return report.holds() ? ExitCode.OK : ExitCode.SOFTWARE;
        }
        try (var stop = new StopOnSignal()) {
            if (real) {
                Agreement agreement = Agreement.run(
                        plan.profile(), plan.requests(), plan.firstSeed(), speed == null ? 20 : speed, progress);
                out.print(agreement.text());
                out.flush();
                return agreement.holds() ? ExitCode.OK : ExitCode.SOFTWARE;
            }
            StrategyTable table = StrategyTable.run(plan, progress);
            progress.finished(plan.requests());
            out.print(TableText.of(table));
            out.flush();
            if (!table.rows().isEmpty()) {
                file.write(() -> TableJson.of(table).toJson() + "\n");
            }
            return stop.isAsked() ? StopOnSignal.EXIT_CODE : ExitCode.OK;
        }
    }

    private Plan plan() {
        Profile weather = runs.weather();
        return new Plan(runs.requests(weather), runs.seed(), runs.seeds(jmh ? SEEDS_OF_JMH : 1), weather);
    }

    private String source(String name) {
        return runs.checked("--show:", () -> Profile.source(name));
    }

    private void checkReal(Plan plan) {
        if (speed != null && !real) {
            throw runs.wrong("--speed " + speed + " (expected: beside --real)");
        }
        if (speed != null && !(speed >= 0.1 && speed <= MOST_SPEED)) {
            throw runs.wrong("--speed " + speed + " (expected: 0.1 to " + (int) MOST_SPEED + ")");
        }
        if (real && plan.seeds() > 1) {
            throw runs.wrong("--seeds " + plan.seeds() + " (expected: 1 beside --real)");
        }
        if (real && json != null) {
            throw runs.wrong("--json " + json + " (expected: nothing beside --real)");
        }
    }

    private void checkJmh(Plan plan) {
        if (jmh && (!plan.isPublished() || json != null || real)) {
            throw runs.wrong("--jmh (expected: the published profile, and neither --real nor --json)");
        }
    }
}
