package dev.holdfast.benchmarks;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Experiment;
import dev.holdfast.simulation.lab.LabPolicy;
import dev.holdfast.simulation.lab.Objective;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Sweep;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./holdfast lab}. */
@Command(
        name = "lab",
        description = "See what a policy does to latency, success and cost before production does.",
        sortOptions = false,
        footer = {
            "",
            "Measures of an objective: success, mean, p50, p95, p99, max, cost, attempts. Exit code 1 where nothing meets it.",
            "Settings are those of the configuration: retry.max-attempts=1,2,3 or hedge.after=off,p90,p95 or"
                    + " 'retry.backoff=fixed(1s),exponential(1s, x2)'."
        })
final class LabCommand implements Callable<Integer> {
    @Mixin
    private final RunOptions runs = new RunOptions();

    @Option(
            names = "--policy",
            paramLabel = "NAME|FILE",
            description =
                    "What the client is told: a configuration of the SDK in JSON or YAML, a row of the table, or a"
                            + " preset. May be given several times (default: the rows of the table).")
    private List<String> policies = List.of();

    @Option(
            names = "--sweep",
            paramLabel = "KEY=A,B,C",
            description = "Try these values of a setting, each with each of the others. May be given several times.")
    private List<String> sweeps = List.of();

    @Option(
            names = "--objective",
            paramLabel = "TEXT",
            description = "What is wanted: 'success>=99.9, min p99' (default: 'max success, min p99').")
    private @Nullable String objective;

    @Option(
            names = "--models",
            paramLabel = "first|all",
            description =
                    "Which models of the profile a call may go to (default: all for files and presets, for rows of the"
                            + " table theirs).")
    private LabPolicy.@Nullable Models models;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the rows to this file too.")
    private @Nullable Path csv;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all figures to this file too.")
    private @Nullable Path json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            arity = "0..1",
            fallbackValue = "lab.html",
            description = "Write a report with plots to this file, lab.html if none is named.")
    private @Nullable Path html;

    @Option(
            names = "--show",
            paramLabel = "NAME",
            description = "Print the file of a policy, to be copied and changed, and do nothing else.")
    private @Nullable String show;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = runs.command().commandLine().getOut();
        if (show != null) {
            out.print(runs.checked("--show", () -> LabPolicy.source(String.valueOf(show))));
            out.flush();
            return ExitCode.OK;
        }
        Experiment experiment = experiment();
        List<OutputFile> files =
                List.of(new OutputFile("--csv", csv), new OutputFile("--json", json), new OutputFile("--html", html));
        files.forEach(each -> each.check(runs::wrong));
        var progress = new ProgressLines(runs.command().commandLine().getErr());
        try (var stop = new StopOnSignal()) {
            Report report = experiment.run(progress::done);
            progress.finished(experiment.requests());
            out.print(report.text());
            out.flush();
            if (!report.rows().isEmpty()) {
                write(report, files, out);
            }
            if (stop.isAsked()) {
                return StopOnSignal.EXIT_CODE;
            }
            return report.isMet() ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private void write(Report report, List<OutputFile> files, PrintWriter out) throws IOException {
        List<Supplier<String>> texts = List.of(report::csv, () -> report.json().toJson() + "\n", report::html);
        for (int i = 0; i < files.size(); i++) {
            if (files.get(i).write(texts.get(i))) {
                out.println("written: " + files.get(i).file());
            }
        }
        if (html == null) {
            out.println("plots: --html writes them to lab.html, --html FILE elsewhere");
        }
        out.flush();
    }

    private Experiment experiment() {
        Profile weather = runs.weather();
        int requests = runs.requests(weather);
        int seeds = runs.seeds(1);
        List<LabPolicy> tried = policies();
        Sweep sweep = runs.checked("--sweep", () -> Sweep.of(sweeps.toArray(String[]::new)));
        Objective wanted = objective == null
                ? Objective.usual()
                : runs.checked("--objective", () -> Objective.parse(String.valueOf(objective)));
        boolean timelines = json != null || html != null;
        Experiment told = runs.checked(
                "--policy",
                () -> new Experiment(weather, tried, Sweep.none(), wanted, requests, runs.seed(), seeds, timelines));
        return sweeps.isEmpty() ? told : runs.checked("--sweep", () -> told.withSweep(sweep));
    }

    private List<LabPolicy> policies() {
        var tried = new ArrayList<LabPolicy>();
        policies.forEach(each -> tried.add(NamedOption.policy().read(each, runs::wrong)));
        List<LabPolicy> all = tried.isEmpty() ? LabPolicy.strategies() : tried;
        return Optional.ofNullable(models)
                .map(which -> all.stream().map(each -> each.withModels(which)).toList())
                .orElse(all);
    }
}
