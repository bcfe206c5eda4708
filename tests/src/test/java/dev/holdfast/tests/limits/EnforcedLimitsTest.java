package dev.holdfast.tests.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.CallException;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.EnforcedLimits;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.simulation.Trace;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.spi.Timekeeper.Task;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.tests.limits.Load.Arrival;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A whole client before a provider that enforces 500 requests and 1,000,000 tokens within any minute, under a load that asks for
 * more. Each request takes up to 50 ms to the provider, one not as long as the next.
 */
class EnforcedLimitsTest {
    private static final long RPM = 500;
    private static final long TPM = 1_000_000;
    private static final Duration LATEST = Duration.ofMillis(50);
    private static final String MODEL = "gpt-4.1";
    private static final String TEXT = "x".repeat(100_000);

    /** What came of a load. */
    record Result(Load load, int sent, int refused, int granted, int failed, int allowed) {
        double refusedPart() {
            return (double) refused / sent;
        }

        double throughput() {
            return (double) granted / allowed;
        }

        String line(String how) {
            return "| %s | %s | %,d | %,d | %.2f %% | %,d | %.1f %% | %,d |"
                    .formatted(
                            load.name(), how, sent, refused, 100 * refusedPart(), granted, 100 * throughput(), failed);
        }
    }

    @Test
    void aSteadyLoadBeyondTheLimitIsHeldAtIt() throws InterruptedException {
        holds(Load.steady(6_000, 900));
    }

    @Test
    void burstsBeyondTheLimitAreHeldAtIt() throws InterruptedException {
        holds(Load.bursts(6_000, 700));
    }

    @Test
    @Tag("slow")
    void recordedConversationsAreHeldAtTheLimit() throws Exception {
        holds(Load.of("conversations, twice as fast", recorded("conv"), 2));
    }

    @Test
    @Tag("slow")
    void recordedProgrammingIsHeldAtTheLimit() throws Exception {
        holds(Load.of("programming, four times as fast", recorded("code"), 4));
    }

    private static void holds(Load load) throws InterruptedException {
        Result without = play(load, List.of());
        Result with = play(
                load, List.of(LimitPolicy.perMinute(RPM, TPM).withMargin(LATEST).withMaxWait(Duration.ofHours(12))));
        System.out.println(without.line("no limiter"));
        System.out.println(with.line("limiter"));

        assertThat(without.refusedPart()).isGreaterThan(0.05);
        assertThat(with.refusedPart()).isLessThanOrEqualTo(0.001);
        assertThat(with.throughput()).isGreaterThanOrEqualTo(0.95);
        assertThat(with.failed()).isZero();
    }

    private static Trace recorded(String name) throws IOException {
        Path file = Path.of(
                System.getProperty("holdfast.shared", "../../shared"),
                "data",
                "traces",
                "AzureLLMInferenceTrace_" + name + ".csv");
        assumeThat(file)
                .as("recorded traces at ../shared/data/traces from the project's root")
                .isRegularFile();
        return Trace.read(file);
    }

    private static Result play(Load load, List<LimitPolicy> limits) throws InterruptedException {
        var time = new VirtualTime();
        var provider = new EnforcedLimits(RPM, TPM, EnforcedLimitsTest::answer);
        var transport = new Late(new SimulatedTransport(time, provider), time);
        var failed = new AtomicInteger();
        var granted = new AtomicInteger();
        ClientBuilder builder = ResilientClient.builder()
                .endpoint(Endpoint.builder("p", URI.create("https://p.test/v1"))
                        .credential(Credential.of("sk-test-0123456789abcdef"))
                        .build())
                .transport(transport)
                .timekeeper(time)
                .random(new Random(3))
                .discovery(false)
                .tokenEstimator(EnforcedLimitsTest::asTheProviderCounts)
                .logging(false)
                .maxInFlight(1_000_000)
                .maxInFlightBytes(Long.MAX_VALUE)
                .retry(
                        limits.isEmpty()
                                ? RetryPolicy.standard()
                                : RetryPolicy.standard().withoutDeadline());
        limits.forEach(policy -> builder.limits(MODEL, policy));
        try (ResilientClient client = builder.build()) {
            time.run(() -> {
                List<Task> calls = new ArrayList<>();
                for (Arrival arrival : load.arrivals()) {
                    time.sleepLast(Duration.ofNanos(arrival.atNanos() - time.nanoTime()));
                    calls.add(time.start("holdfast-call", () -> {
                        try {
                            client.call(request(arrival));
                        } catch (CallException e) {
                            failed.incrementAndGet();
                        }
                    }));
                }
                granted.set(provider.granted());
                for (Task call : calls) {
                    call.join();
                }
            });
        }
        return new Result(
                load,
                provider.granted() + provider.refused(),
                provider.refused(),
                granted.get(),
                failed.get(),
                load.allowed(RPM, TPM));
    }

    private static ModelRequest request(Arrival arrival) {
        return ModelRequest.chat(MODEL)
                .user(TEXT.substring(0, 4 * Math.min(25_000, arrival.input())))
                .maxTokens(2L * arrival.output())
                .build();
    }

    /** This provider counts four characters as a token; what a guess of real ones is worth is judged elsewhere. */
    private static TokenEstimate asTheProviderCounts(ModelRequest request) {
        JsonObject document = request.document();
        long characters = document.list("messages").getFirst() instanceof JsonObject message
                ? message.text("content").orElse("").length()
                : 0;
        return new TokenEstimate(
                (characters + 3) / 4, document.longValue("max_tokens").orElse(0));
    }

    /** Half of the cap comes out, 50 tokens a second. */
    private static Reply answer(ProviderRequest request, Duration at) {
        var document = request.json().orElseThrow();
        long output = document.longValue("max_completion_tokens")
                        .orElse(document.longValue("max_tokens").orElse(0))
                / 2;
        long input = document.list("messages")
                        .getFirst()
                        .asObject()
                        .flatMap(message -> message.text("content"))
                        .orElse("")
                        .length()
                / 4;
        return Reply.json(200, completion(input, output))
                .withDelay(Duration.ofMillis(500).plus(Duration.ofMillis(20 * output)));
    }

    private static JsonValue completion(long input, long output) {
        try {
            return JsonText.parse("""
                    {"id": "c", "object": "chat.completion", "created": 1, "model": "gpt-4.1",
                     "choices": [{"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}],
                     "usage": {"prompt_tokens": %d, "completion_tokens": %d, "total_tokens": %d}}
                    """.formatted(input, output, input + output));
        } catch (dev.holdfast.core.JsonTextException e) {
            throw new AssertionError(e);
        }
    }

    /** A way to the provider that takes one request longer than another. */
    private static final class Late implements Transport {
        private final Transport way;
        private final VirtualTime time;
        private final Random random = new Random(5);

        Late(Transport way, VirtualTime time) {
            this.way = way;
            this.time = time;
        }

        @Override
        public TransportReply send(TransportCall call) throws TransportException, InterruptedException {
            time.sleep(Duration.ofNanos((long) (random.nextDouble() * LATEST.toNanos())));
            return way.send(call);
        }

        @Override
        public void close() {
            way.close();
        }
    }
}
