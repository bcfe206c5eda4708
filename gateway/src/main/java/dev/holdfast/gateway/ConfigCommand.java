package dev.holdfast.gateway;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./holdfast config FILE}. */
@Command(
        name = "config",
        description = {
            "Prints every setting as it holds, and where it was set. Keys are hidden.",
            "A section that the file leaves out is not listed; what holds then is in",
            "docs/configuration.md and docs/gateway.md."
        })
final class ConfigCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The configuration, in YAML or JSON.")
    private @Nullable Path file;

    @Override
    public void run() {
        if (spec != null && file != null) {
            PrintWriter out = spec.commandLine().getOut();
            GatewaySettings.read(file).effective().forEach(out::println);
            out.flush();
        }
    }
}
