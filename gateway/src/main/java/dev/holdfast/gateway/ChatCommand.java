package dev.holdfast.gateway;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent.RefusalDelta;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./holdfast chat}. The answer goes to standard output, and what is said about it to standard error. */
@Command(
        name = "chat",
        description = {
            "Asks a model, and prints the answer while it is written; at the end which model it was, after how many attempts, and the cost.",
            "Without a configuration it asks a provider of its own that fails on purpose, and repeats the question."
        })
final class ChatCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;
    private static final long GRACE_SECONDS = 2;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "PROMPT", arity = "1..*", description = "What is asked; several words need no quotes.")
    private List<String> words = List.of();

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration, in YAML or JSON.")
    private @Nullable Path config;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "The model; the first one of the configuration, if absent.")
    private @Nullable String model;

    @Override
    public Integer call() {
        if (config != null) {
            return ask(GatewaySettings.read(config));
        }
        try (TrialProvider provider = TrialProvider.start()) {
            return ask(provider.settings());
        }
    }

    private int ask(GatewaySettings settings) {
        CommandSpec known = Objects.requireNonNull(spec);
        List<String> models =
                settings.client().models().stream().map(ModelSettings::name).toList();
        String asked = model == null ? models.getFirst() : model;
        if (!models.contains(asked)) {
            throw new ParameterException(
                    known.commandLine(),
                    "--model: " + asked + " is not configured (expected: one of " + String.join(", ", models) + ")");
        }
        ModelRequest request =
                ModelRequest.chat(asked).user(String.join(" ", words)).build();
        var over = new CountDownLatch(1);
        Thread asking = Thread.currentThread();
        var interrupt = new Thread(() -> end(asking, over), "holdfast-chat-stop");
        Runtime.getRuntime().addShutdownHook(interrupt);
        try (ResilientClient client =
                settings.client().applyTo(ResilientClient.builder()).build()) {
            return stream(
                    client,
                    request,
                    known.commandLine().getOut(),
                    known.commandLine().getErr());
        } finally {
            over.countDown();
            forget(interrupt);
        }
    }

    /** Ctrl-C comes to the JVM as its shutdown: the request is ended upstream before the process is. */
    private static void end(Thread asking, CountDownLatch over) {
        asking.interrupt();
        try {
            over.await(GRACE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // it is what ends us
        }
    }

    private static int stream(ResilientClient client, ModelRequest request, PrintWriter out, PrintWriter err) {
        boolean begun = false;
        try (ModelStream stream = client.stream(request)) {
            for (var event : stream) {
                String text =
                        switch (event) {
                            case TextDelta(String written) -> written;
                            case RefusalDelta(String written) -> written;
                            default -> "";
                        };
                begun |= !text.isEmpty();
                out.print(text);
                out.flush();
            }
            out.println();
            out.flush();
            say(err, "@|faint " + summary(stream.toResponse()) + "|@");
            return out.checkError() ? ExitCode.SOFTWARE : ExitCode.OK;
        } catch (CallException e) {
            if (begun) {
                out.println();
                out.flush();
            }
            boolean stopped = e instanceof CallCancelledException;
            say(err, stopped ? "stopped" : "holdfast: " + (begun ? "the answer broke off: " : "") + e.getMessage());
            return stopped ? INTERRUPTED : ExitCode.SOFTWARE;
        }
    }

    private static void say(PrintWriter err, String line) {
        err.println(line.startsWith("@|") ? Ansi.AUTO.string(line) : line);
        err.flush();
    }

    private static String summary(ModelResponse response) {
        int attempts = response.attempts().size();
        String cost =
                response.cost().map(paid -> paid.usd().toPlainString() + " USD").orElse("cost unknown");
        return response.model().orElse("no model") + " at "
                + response.endpoint().orElse("no endpoint") + ", " + attempts
                + (attempts == 1 ? " attempt, " : " attempts, ") + cost;
    }
}
