package dev.holdfast.benchmarks.demo;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.Jitter;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.RetryAfterForm;
import dev.holdfast.spi.CallListener;
import dev.holdfast.transport.JdkTransport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** Two calls over real sockets to a provider that plays a script, each attempt told as it happens. */
public final class Demo {
    private static final String PRIMARY = "gpt-4.1";
    private static final String SUBSTITUTE = "claude-sonnet-4.5";
    private static final Duration HINT = Duration.ofMillis(900);

    private static final FaultScript SCRIPT = FaultScript.of(
            Reply.status(503).withDelay(Duration.ofMillis(40)),
            Reply.status(429).withRetryAfter(HINT, RetryAfterForm.MILLISECONDS),
            Reply.reset().withDelay(Duration.ofMillis(200)),
            Reply.completion("The Rhine, the Elbe and the Danube.").withDelay(Duration.ofMillis(350)),
            Reply.error(429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota."),
            Reply.completion("The Zugspitze, 2,962 m.").withDelay(Duration.ofMillis(350)));

    private final PrintWriter out;
    private final Narrator narrator;

    public Demo(PrintWriter out, boolean colours) {
        this.out = out;
        this.narrator = new Narrator(out, colours);
    }

    /** Makes the calls. */
    public void run() {
        warmUp();
        try (FaultyProvider provider = FaultyProvider.start(SCRIPT);
                ResilientClient client = client(provider, narrator)) {
            say("A provider that fails on purpose listens on " + provider.uri() + "; this is what its callers see.");
            say("");
            say("1. It is overloaded, then it limits the rate, then the connection is lost.");
            call(client, "Name three rivers of Germany.", List.of(PRIMARY));
            say("");
            say("2. The account of " + PRIMARY + " is used up: waiting would not help.");
            call(client, "What is its highest mountain?", List.of(PRIMARY, SUBSTITUTE));
            say("");
            say("A client for OpenAI is built like this; every setting has a default:");
            say("");
            say("   ResilientClient.builder()");
            say("           .endpoint(Endpoint.openAi(Secret.of(System.getenv(\"OPENAI_API_KEY\"))))");
            say("           .route(\"gpt-4.1\", \"gpt-4.1-mini\")");
            say("           .build();");
        }
    }

    /** The first call of a JVM loads classes; it is made beforehand, so that the times told are those of the exchanges. */
    private static void warmUp() {
        try (FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = client(provider, event -> {})) {
            client.call(ModelRequest.chat(PRIMARY).user("Hello.").build());
        }
    }

    private static ResilientClient client(FaultyProvider provider, CallListener listener) {
        Backoff backoff = Backoff.exponential(Duration.ofMillis(300)).withJitter(Jitter.proportional(0.2));
        return ResilientClient.builder()
                .endpoint(Endpoint.builder("demo", provider.baseUrl()).build())
                .retry(RetryPolicy.standard().withBackoff(backoff))
                .transport(new JdkTransport())
                .listener(listener)
                .logging(false)
                .discovery(false)
                .build();
    }

    private void call(ResilientClient client, String question, List<String> route) {
        say("");
        say("   asked: " + question);
        var request = ModelRequest.chat(PRIMARY).user(question).build();
        try {
            ModelResponse response = client.call(request, CallOptions.none().withRoute(route));
            narrator.answered(response);
        } catch (CallException e) {
            narrator.failed(e);
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
