package dev.holdfast.benchmarks.jmh;

import dev.holdfast.Bytes;
import dev.holdfast.Endpoint;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a good call costs on its way through the client, over a transport that answers at once: the bare transport, a client
 * without retry and breaker, and a client as it comes. {@code ./holdfast jmh CallBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CallBenchmark {
    private static final URI BASE = URI.create("http://localhost/v1");
    private static final byte[] ANSWER = """
            {"id":"chatcmpl-1","object":"chat.completion","created":1767225600,"model":"gpt-4.1","choices":[{"index":0,\
            "message":{"role":"assistant","content":"Rhine, Elbe, Danube."},"finish_reason":"stop"}],\
            "usage":{"prompt_tokens":12,"completion_tokens":7,"total_tokens":19}}""".getBytes(StandardCharsets.UTF_8);

    private final Transport transport = call -> new InstantReply();
    private final ModelRequest request =
            ModelRequest.chat("gpt-4.1").user("Name three rivers of Germany.").build();
    private final TransportCall wire = new TransportCall(
            "POST",
            BASE.resolve("/v1/chat/completions"),
            Headers.of("Content-Type", "application/json"),
            Bytes.utf8(request.document().toJson()),
            HttpVersion.HTTP_1_1,
            TransportTimeouts.total(Duration.ofSeconds(60)));

    private ResilientClient plain = client(true);
    private ResilientClient standard = client(false);

    @Setup
    public void open() {
        plain = client(true);
        standard = client(false);
    }

    @TearDown
    public void close() {
        plain.close();
        standard.close();
    }

    @Benchmark
    public byte[] bare() throws IOException, InterruptedException {
        try (TransportReply reply = transport.send(wire)) {
            return reply.body().readAllBytes();
        }
    }

    @Benchmark
    public ModelResponse withoutRetryAndBreaker() {
        return plain.call(request);
    }

    @Benchmark
    public ModelResponse standard() {
        return standard.call(request);
    }

    private ResilientClient client(boolean bare) {
        var builder = ResilientClient.builder()
                .endpoint(Endpoint.builder("instant", BASE).build())
                .transport(transport)
                .logging(false)
                .discovery(false);
        return (bare ? builder.retry(RetryPolicy.none().withoutBudget()).withoutBreaker() : builder).build();
    }

    private static final class InstantReply implements TransportReply {
        private static final Headers HEADERS = Headers.of("Content-Type", "application/json");
        private final InputStream body = new ByteArrayInputStream(ANSWER);

        @Override
        public int status() {
            return 200;
        }

        @Override
        public Headers headers() {
            return HEADERS;
        }

        @Override
        public InputStream body() {
            return body;
        }

        @Override
        public void close() {}
    }
}
