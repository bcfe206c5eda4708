package dev.holdfast.gateway;

import dev.holdfast.gateway.internal.reload.Signals;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./holdfast gateway}. */
@Command(
        name = "gateway",
        description = {
            "Serves clients of OpenAI and of Anthropic, in front of the providers of a configuration.",
            "Without one it serves a provider of its own that fails on purpose, on this machine only."
        })
final class GatewayCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration, in YAML or JSON.")
    private @Nullable Path config;

    @Option(names = "--check", description = "Only checks the configuration.")
    private boolean check;

    @Override
    public void run() {
        if (spec == null) {
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        if (check) {
            check(out);
        } else if (config == null) {
            try (TrialProvider provider = TrialProvider.start()) {
                serve(provider.settings(), out, Optional.empty());
            }
        } else {
            serve(GatewaySettings.read(config), out, Optional.of(config));
        }
    }

    private void check(PrintWriter out) {
        if (config == null) {
            throw new ParameterException(
                    java.util.Objects.requireNonNull(spec).commandLine(), "--check without --config FILE");
        }
        Gateway.check(GatewaySettings.read(config));
        out.println(config + ": fine");
        out.flush();
    }

    /** Runs until the process is told to end, ends gracefully then, and is over with exit code 0 at SIGTERM. */
    private static void serve(GatewaySettings settings, PrintWriter out, Optional<Path> file) {
        var told = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        try (Gateway gateway = Gateway.start(settings)) {
            Signals.hear("TERM", told::countDown);
            // Other signals come to the JVM as its shutdown, which waits for this thread.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> await(told, over), "holdfast-gateway-stop"));
            out.println("listening on " + gateway.uri());
            gateway.adminUri()
                    .ifPresent(uri -> out.println("status on " + uri + "/api/status, metrics on " + uri + "/metrics"));
            file.ifPresent(gateway::follow);
            if (file.isEmpty()) {
                out.println(howToCall(gateway.uri()));
            }
            out.flush();
            told.await();
            gateway.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            over.countDown();
        }
    }

    private static void await(CountDownLatch told, CountDownLatch over) {
        told.countDown();
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String howToCall(URI uri) {
        return """

                Behind it is a provider that fails three times in ten. Call it:

                  curl -i %1$s/v1/chat/completions -H 'content-type: application/json' \\
                    -d '{"model": "gpt-4.1", "messages": [{"role": "user", "content": "Hello!"}]}'

                Watch it:

                  curl %1$s/api/status
                """.formatted(uri);
    }
}
