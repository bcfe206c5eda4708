package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.table.StrategyTable;
import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.benchmarks.table.TableJson;
import dev.holdfast.benchmarks.table.TableText;
import dev.holdfast.simulation.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./holdfast table}. */
@Command(
        name = "table",
        description = "Compare retry strategies under the same failures, beside the published figures.",
        sortOptions = false)
final class TableCommand implements Callable<Integer> {
    private static final int MOST_REQUESTS = 1_000_000;
    private static final int MOST_SEEDS = 10_000;
    private static final int DEFAULT_REQUESTS = 10_000;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Calls for each strategy (default: 10000, or the whole trace).")
    private @Nullable Integer requests;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "The weather's seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Run seeds S to S+N-1; show mean and spread (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Take arrivals and lengths from a CSV file: TIMESTAMP,ContextTokens,GeneratedTokens.")
    private @Nullable Path trace;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the published rows to this file too.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Plan plan = plan();
        checkJson();
        var out = spec().commandLine().getOut();
        StrategyTable table =
                StrategyTable.run(plan, new ProgressLines(spec().commandLine().getErr()));
        out.print(TableText.of(table));
        out.flush();
        if (json != null) {
            TableJson.write(TableJson.of(table), json);
        }
        return 0;
    }

    private Plan plan() {
        int most = MOST_REQUESTS;
        if (requests != null && (requests < 1 || requests > most)) {
            throw wrong("--requests " + requests + " (expected: 1 to " + most + ")");
        }
        if (seeds < 1 || seeds > MOST_SEEDS) {
            throw wrong("--seeds " + seeds + " (expected: 1 to " + MOST_SEEDS + ")");
        }
        if (trace == null) {
            return new Plan(requests == null ? DEFAULT_REQUESTS : requests, seed, seeds, Optional.empty());
        }
        Trace whole = read(trace);
        int rows = whole.rows().size();
        if (requests != null && requests > rows) {
            throw wrong("--requests " + requests + ": the trace has fewer (expected: 1 to " + rows + ")");
        }
        Trace part = requests == null ? whole : whole.first(requests);
        return new Plan(part.rows().size(), seed, seeds, Optional.of(part));
    }

    private Trace read(Path file) {
        try {
            return Trace.read(file);
        } catch (NoSuchFileException e) {
            throw wrong("--trace " + file + ": no such file (expected: a CSV file)");
        } catch (IOException e) {
            throw wrong("--trace " + file + ": cannot be read: " + e.getMessage() + " (expected: a CSV file)");
        } catch (IllegalArgumentException e) {
            throw wrong("--trace " + file + ": " + e.getMessage());
        }
    }

    /** Before the work, not after it. */
    private void checkJson() {
        if (json == null) {
            return;
        }
        Path directory = json.toAbsolutePath().getParent();
        if (Files.isDirectory(json)) {
            throw wrong("--json " + json + ": is a directory (expected: a file)");
        }
        if (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw wrong(
                    "--json " + json + ": cannot be written (expected: a file in a directory that can be written to)");
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("picocli injects the spec before it calls");
        }
        return spec;
    }
}
