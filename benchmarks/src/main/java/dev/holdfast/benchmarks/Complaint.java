package dev.holdfast.benchmarks;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;

/** What a command could not do, in one line on its standard error. */
public final class Complaint {
    private Complaint() {}

    /**
     * Tells wrong input.
     *
     * @param e what is wrong, and with which command
     * @param command how that is called, as in {@code ./holdfast lab}
     * @return the exit code
     */
    public static int wrongInput(ParameterException e, String command) {
        return say(
                e.getCommandLine(),
                oneLine(String.valueOf(e.getMessage())) + ": " + command + " --help shows what there is",
                ExitCode.USAGE);
    }

    static int say(CommandLine command, String message, int exitCode) {
        command.getErr().println("holdfast: " + message);
        command.getErr().flush();
        return exitCode;
    }

    static String oneLine(String message) {
        String line = message.strip().replaceAll("\\s*\\R\\s*", " ");
        return line.isEmpty() ? line : line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1);
    }
}
