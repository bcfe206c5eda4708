package dev.holdfast.gateway;

import dev.holdfast.core.config.ConfigException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** What {@code ./holdfast gateway}, {@code config}, {@code chat} and {@code faults} run. Wrong input is one line and exit code 2. */
@Command(
        name = "./holdfast",
        description = "A server that speaks the providers' API in front of Holdfast.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "<command>",
        subcommands = {GatewayCommand.class, ConfigCommand.class, ChatCommand.class, FaultsCommand.class})
public final class GatewayLauncher implements Runnable {
    /** Held, since the JDK forgets the level of a logger that nobody holds. */
    private static final Logger SERVER = Logger.getLogger("io.helidon");

    /** Tells of a port that is taken with a stack trace, where a command says so in one line. */
    private static final Logger START = Logger.getLogger("io.helidon.webserver.LoomServer");

    @CommandLine.Spec
    private @org.jspecify.annotations.Nullable CommandSpec spec;

    private GatewayLauncher() {}

    /**
     * Runs one command.
     *
     * @param args the command and its arguments
     */
    public static void main(String[] args) {
        List<String> words = List.of(args);
        logCalls(words.indexOf("chat") == 0 ? "off" : words.contains("--check") ? "warn" : "info");
        System.exit(execute(commandLine(), args, System.out));
    }

    /** The exit code: what could not be written to standard output is a failure, whatever the command thinks. */
    static int execute(CommandLine commandLine, String[] args, PrintStream standardOutput) {
        int code = commandLine.execute(args);
        commandLine.getOut().flush();
        if (code == ExitCode.OK && standardOutput.checkError()) {
            return say(commandLine, "standard output: cannot be written, the output is not whole", ExitCode.SOFTWARE);
        }
        return code;
    }

    /**
     * One line for each call, but where a command says itself what became of it, and of the server warnings only. Read when the first
     * logger is made; what the user set stays.
     */
    private static void logCalls(String level) {
        String calls = "org.slf4j.simpleLogger.log.dev.holdfast";
        if (System.getProperty(calls) == null) {
            System.setProperty(calls, level);
        }
        SERVER.setLevel(Level.WARNING);
        START.setFilter(told -> !told.getMessage().contains("start"));
    }

    /** The command line, for tests. */
    static CommandLine commandLine() {
        return new CommandLine(new GatewayLauncher())
                .setParameterExceptionHandler(GatewayLauncher::wrongInput)
                .setExecutionExceptionHandler(GatewayLauncher::failed)
                .setUsageHelpWidth(100);
    }

    @Override
    public void run() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getOut());
        }
    }

    private static int wrongInput(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getParent() == null ? "./holdfast" : "./holdfast " + command.getCommandName();
        return say(
                command,
                oneLine(String.valueOf(e.getMessage())) + ": " + name + " --help shows what there is",
                ExitCode.USAGE);
    }

    /** What is wrong with a file is said as it is; it begins with file and line. */
    private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        return switch (e) {
            case ConfigException wrong -> say(command, String.valueOf(wrong.getMessage()), ExitCode.USAGE);
            case UncheckedIOException unreadable ->
                say(command, String.valueOf(unreadable.getMessage()), ExitCode.USAGE);
            case IllegalStateException state -> say(command, String.valueOf(state.getMessage()), ExitCode.SOFTWARE);
            case IllegalArgumentException wrong -> say(command, String.valueOf(wrong.getMessage()), ExitCode.USAGE);
            default -> say(command, e.getClass().getSimpleName() + ": " + e.getMessage(), ExitCode.SOFTWARE);
        };
    }

    private static int say(CommandLine command, String message, int exitCode) {
        command.getErr().println("holdfast: " + message);
        command.getErr().flush();
        return exitCode;
    }

    private static String oneLine(String message) {
        String line = message.strip().replaceAll("\\s*\\R\\s*", " ");
        return line.isEmpty() ? line : line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1);
    }
}
