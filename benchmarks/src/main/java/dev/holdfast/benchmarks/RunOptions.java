package dev.holdfast.benchmarks;

import dev.holdfast.simulation.Arrivals;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.Trace;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command that makes the calls of a profile is told: the weather, how many calls, which seeds. */
final class RunOptions {
    private static final int USUAL_REQUESTS = 10_000;
    private static final int MOST_REQUESTS = 1_000_000;
    private static final int MOST_SEEDS = 10_000;

    /** Longer than any answer of a trace takes: the published strategies know no timeout. */
    private static final Duration NO_TIMEOUT = Duration.ofMinutes(30);

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE",
            description = "The weather: published (the default), flaky, outages, rate-limited, rate-limited-silent,"
                    + " brownout, regional, overload, long-tail, poisoned, surge, or a file of your own.")
    private @Nullable String profile;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Take arrivals and lengths from a CSV file: TIMESTAMP,ContextTokens,GeneratedTokens.")
    private @Nullable Path trace;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Calls in each run (default: 10000, or the whole trace).")
    private @Nullable Integer requests;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Run seeds S to S+N-1; show mean and spread (default: 1).")
    private @Nullable Integer seeds;

    /** The weather, with the arrivals of the trace if there is one. */
    Profile weather() {
        Profile given = profile == null
                ? Profile.named("published")
                : NamedOption.profile().read(profile, this::wrong);
        if (trace == null) {
            return given;
        }
        Profile traced = given.withArrivals(Arrivals.of(read(trace)));
        return profile == null ? traced.withName("trace").withTimeout(NO_TIMEOUT) : traced;
    }

    private Trace read(Path file) {
        try {
            return Trace.read(file);
        } catch (NoSuchFileException e) {
            throw wrong("--trace " + file + ": no such file (expected: a CSV file)");
        } catch (IOException e) {
            throw wrong("--trace " + file + ": cannot be read: " + Words.of(e) + " (expected: a CSV file)");
        } catch (IllegalArgumentException e) {
            throw wrong("--trace " + file + ": " + e.getMessage());
        }
    }

    /** How many calls each run has. */
    int requests(Profile weather) {
        if (requests != null && (requests < 1 || requests > MOST_REQUESTS)) {
            throw wrong("--requests " + requests + " (expected: 1 to " + MOST_REQUESTS + ")");
        }
        Optional<Integer> rows =
                weather.arrivals().trace().map(each -> each.rows().size());
        if (requests != null && rows.isPresent() && requests > rows.get()) {
            throw wrong("--requests " + requests + ": the trace has fewer (expected: 1 to " + rows.get() + ")");
        }
        return requests != null ? requests : rows.orElse(USUAL_REQUESTS);
    }

    /** The first seed. */
    long seed() {
        return seed;
    }

    /** How many seeds there are from the first. */
    int seeds(int usual) {
        int given = seeds == null ? usual : seeds;
        if (given < 1 || given > MOST_SEEDS) {
            throw wrong("--seeds " + given + " (expected: 1 to " + MOST_SEEDS + ")");
        }
        return given;
    }

    /** What is made of an option, whose refusal is wrong input. */
    <T> T checked(String option, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw wrong(option + " " + e.getMessage());
        }
    }

    /** Wrong input. */
    ParameterException wrong(String message) {
        return new ParameterException(command().commandLine(), message);
    }

    /** The command that has these options. */
    CommandSpec command() {
        if (command == null) {
            throw new IllegalStateException("picocli injects the command before it calls");
        }
        return command;
    }
}
