package dev.holdfast.comparisons;

import dev.holdfast.benchmarks.Complaint;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./holdfast compare}: a tour of ratios in three minutes, one part of it, or what the gateway adds. */
@Command(name = "compare", sortOptions = false)
public final class Compare implements Callable<Integer> {
    private static final int MOST_ROUNDS = 10_000;

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup
    private Part part = new Part();

    @Parameters(arity = "0..1", paramLabel = "rounds")
    private @Nullable Integer rounds;

    /** One of them, or the tour. */
    private static final class Part {
        @Option(names = "--policies")
        private boolean policies;

        @Option(names = "--calls")
        private boolean calls;

        @Option(names = "--gateway")
        private boolean gateway;
    }

    private Compare() {}

    /** Prints the tables. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args)); // OkHttp's threads outlive its client
    }

    /** The command line, for tests. */
    static CommandLine commandLine() {
        return new CommandLine(new Compare()).setParameterExceptionHandler(Compare::wrongInput);
    }

    @Override
    public Integer call() throws Exception {
        if (part.policies) {
            if (rounds != null) {
                throw wrong("rounds: " + rounds + " (expected: none beside --policies)");
            }
            PolicyCompare.brief().run();
        } else if (part.calls) {
            CallCompare.run(rounds(CallCompare.ROUNDS));
        } else if (part.gateway) {
            GatewayCompare.run(rounds(GatewayCompare.ROUNDS));
        } else {
            int calls = rounds(CallCompare.FEW_ROUNDS);
            PolicyCompare.brief().run();
            CallCompare.run(calls);
        }
        return ExitCode.OK;
    }

    private int rounds(int usual) {
        int given = rounds == null ? usual : rounds;
        if (given < 1 || given > MOST_ROUNDS) {
            throw wrong("rounds: " + given + " (expected: 1 to " + MOST_ROUNDS + ")");
        }
        return given;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }

    private static int wrongInput(ParameterException e, String[] args) {
        return Complaint.wrongInput(e, "./holdfast compare");
    }
}
