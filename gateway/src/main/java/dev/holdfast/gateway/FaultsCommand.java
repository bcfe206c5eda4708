package dev.holdfast.gateway;

import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Variables;
import dev.holdfast.gateway.internal.faults.FaultFile;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./holdfast faults}. */
@Command(
        name = "faults",
        description = {
            "Runs a provider that fails on purpose, on this machine only, for programs in any language.",
            "It speaks the APIs of OpenAI, Anthropic and Gemini. Without a script three requests in ten fail."
        })
final class FaultsCommand implements Runnable {
    private static final int HIGHEST_PORT = 65_535;
    private static final int USUAL_PORT = 9_090;
    private static final String USUAL = """
            {"then": [
              {"share": 0.15, "status": 503},
              {"share": 0.1, "status": 429, "retry-after": "1s"},
              {"share": 0.05, "fault": "reset"}
            ]}
            """;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--script", paramLabel = "FILE", description = "What it answers, in YAML or JSON.")
    private @Nullable Path script;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Where it listens; 0 picks a free port. " + USUAL_PORT + ", if the script names none.")
    private @Nullable Integer port;

    @Option(names = "--verbose", description = "Prints a line for each request.")
    private boolean verbose;

    @Override
    public void run() {
        CommandSpec known = Objects.requireNonNull(spec);
        PrintWriter out = known.commandLine().getOut();
        FaultFile file = FaultFile.of(
                script == null
                        ? Configuration.ofJson("the built-in script", USUAL, Variables.ofProcess())
                        : Configuration.read(script, Variables.ofProcess()));
        try (FaultyProvider provider = file.start(port(known, file), heard(file.script(), out))) {
            out.println("listening on " + provider.uri());
            out.println("OpenAI's API is at " + provider.baseUrl() + ", Anthropic's at " + provider.uri()
                    + ", Gemini's at " + provider.uri() + "/v1beta; any key will do");
            out.flush();
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int port(CommandSpec known, FaultFile file) {
        if (port == null) {
            return file.port().orElse(USUAL_PORT);
        }
        if (port < 0 || port > HIGHEST_PORT) {
            throw new ParameterException(
                    known.commandLine(), "--port: " + port + " (expected: 0 to " + HIGHEST_PORT + ")");
        }
        return port;
    }

    private FaultScript heard(FaultScript answers, PrintWriter out) {
        return verbose
                ? FaultScript.answering(request -> {
                    Reply reply = answers.reply(request);
                    out.println(line(request, reply));
                    out.flush();
                    return reply;
                })
                : answers;
    }

    /** No body and no header: there may be a prompt in the one and a key in the other. */
    private static String line(ProviderRequest request, Reply reply) {
        String path = request.path().replaceFirst("\\?.*", "");
        String ending = reply.ending().isWhole() ? "" : ", " + reply.ending().kind();
        String said = reply.ending().beforeHead() ? "no answer" : Integer.toString(reply.status());
        return request.number() + " " + request.method() + " " + path + ": " + said + ending;
    }
}
