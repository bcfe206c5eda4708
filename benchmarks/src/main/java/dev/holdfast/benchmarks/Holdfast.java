package dev.holdfast.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** What {@code ./holdfast} runs: one command and its arguments. Wrong input is one line and exit code 2. */
@Command(
        name = "./holdfast",
        description = "Keeps calls to large language models working while the providers fail.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "<command>",
        subcommands = {DemoCommand.class, TableCommand.class, LabCommand.class, JmhCommand.class},
        versionProvider = Holdfast.Version.class)
public final class Holdfast implements Runnable {
    @picocli.CommandLine.Spec
    private picocli.CommandLine.Model.@org.jspecify.annotations.Nullable CommandSpec spec;

    /** Runs one command. */
    public static void main(String[] args) throws IOException {
        if (args.length > 0
                && List.of("table", "lab").contains(args[0])
                && !Arrays.asList(args).contains("--real")) {
            oneCarrier();
        }
        if (args.length > 0 && args[0].equals("jmh")) {
            org.openjdk.jmh.Main.main(Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        System.exit(execute(commandLine(), args, System.out));
    }

    /** The exit code: what could not be written to standard output is a failure, whatever the command thinks. */
    static int execute(CommandLine commandLine, String[] args, PrintStream standardOutput) {
        int code = commandLine.execute(args);
        commandLine.getOut().flush();
        if (code == ExitCode.OK && standardOutput.checkError()) {
            return Complaint.say(
                    commandLine, "standard output: cannot be written, the output is not whole", ExitCode.SOFTWARE);
        }
        return code;
    }

    /** The command line, for tests. */
    static CommandLine commandLine() {
        return new CommandLine(new Holdfast())
                .setParameterExceptionHandler(Holdfast::wrongInput)
                .setExecutionExceptionHandler(Holdfast::failed)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(100);
    }

    @Override
    public void run() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getOut());
        }
    }

    /**
     * Simulated tasks take turns, and a turn is handed over fastest on one carrier thread. The JDK reads these when the first
     * virtual thread is made; what the user set stays.
     */
    private static void oneCarrier() {
        setIfAbsent("jdk.virtualThreadScheduler.parallelism", "1");
        setIfAbsent("jdk.trackAllThreads", "false");
    }

    private static void setIfAbsent(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static int wrongInput(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getParent() == null ? "./holdfast" : "./holdfast " + command.getCommandName();
        return Complaint.wrongInput(e, name);
    }

    private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        boolean saysAll = e instanceof IOException
                && e.getMessage() != null
                && e.getMessage().startsWith("--");
        return Complaint.say(
                command, Complaint.oneLine(saysAll ? String.valueOf(e.getMessage()) : e.toString()), ExitCode.SOFTWARE);
    }

    /** The version of the jar; classes in a directory have none. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version =
                    dev.holdfast.core.ResilientClient.class.getPackage().getImplementationVersion();
            return new String[] {
                "holdfast " + (version == null ? "(unpacked)" : version) + ", Java " + Runtime.version()
            };
        }
    }
}
