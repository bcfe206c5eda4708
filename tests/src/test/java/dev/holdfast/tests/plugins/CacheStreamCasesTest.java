package dev.holdfast.tests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.CacheMode;
import dev.holdfast.CallOptions;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.ReasoningDelta;
import dev.holdfast.StreamEvent.ToolCallDelta;
import dev.holdfast.StreamEvent.UsageReported;
import dev.holdfast.Usage;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.tests.behaviour.Sse;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.tests.plugins.ReportedFailures.Case;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reported failures of caches that store and replay streams, played by a whole client on virtual time. */
class CacheStreamCasesTest {
    @Test
    void onlyWhatCameToItsGoodEndIsStored() {
        List<Case> cases = ReportedFailures.of("response-cache", "cache_stream");
        assertThat(cases).hasSize(1);
        for (Case reported : cases) {
            List<JsonValue> stored = reported.given().list("scenarios").stream()
                    .map(scenario -> JsonValue.of(isStored(scenario.asText().orElseThrow())))
                    .map(JsonValue.class::cast)
                    .toList();
            assertThat(stored).as("%s", reported).isEqualTo(reported.expected().list("stored"));
        }
    }

    private static boolean isStored(String scenario) {
        boolean cancels = scenario.startsWith("consumer cancels after 2 deltas");
        World world = World.of(reply(scenario));
        try (ResilientClient client = client(world)) {
            world.time().run(() -> {
                if (cancels) {
                    readTwoDeltas(client);
                } else {
                    Reader.read(world, client, World.request(), CallOptions.none());
                }
            });
            return Reader.of(world, client).answer().fromCache();
        }
    }

    private static void readTwoDeltas(ResilientClient client) {
        try (ModelStream stream = client.stream(World.request())) {
            Iterator<StreamEvent> events = stream.iterator();
            int deltas = 0;
            while (deltas < 2) {
                deltas += events.next() instanceof StreamEvent.TextDelta ? 1 : 0;
            }
        }
    }

    private static Reply reply(String scenario) {
        Reply half = Sse.of(Sse.ROLE, Sse.text("Rhi"), Sse.text("ne"));
        return switch (scenario) {
            case "server closes before finish_reason" ->
                half.cutAfter(half.body().size());
            case "consumer cancels after 2 deltas", "complete with finish_reason stop and [DONE]" ->
                Sse.every(Duration.ofMillis(50), Sse.ROLE, Sse.text("Rhi"), Sse.text("ne"), Sse.STOP, Sse.DONE);
            case "error event then [DONE]" -> Sse.of(Sse.ROLE, Sse.text("Rhi"), Sse.ERROR, Sse.DONE);
            default -> throw new AssertionError("an unknown scenario: " + scenario);
        };
    }

    @Test
    void aStreamedHitLacksNothing() {
        List<Case> cases = ReportedFailures.of("response-cache", "cache_exchange").stream()
                .filter(reported -> reported.expected().object("streamed_hit").isPresent())
                .toList();
        assertThat(cases).hasSize(1);
        for (Case reported : cases) {
            JsonObject reply =
                    reported.given().list("server").getFirst().asObject().orElseThrow();
            World world = World.of(Reply.of(
                    200,
                    Headers.of("Content-Type", "application/json"),
                    Bytes.utf8(reply.object("json").orElseThrow().toJson())));
            try (ResilientClient client = client(world)) {
                var miss = world.call(client).answer();
                var hit = world.call(client).answer();
                Reader streamed = Reader.of(world, client);

                assertThat(hit.answer()).isEqualTo(miss.answer());
                assertThat(streamed.answer().answer()).isEqualTo(miss.answer());
                JsonObject expected = reported.expected().object("streamed_hit").orElseThrow();
                assertThat(of(streamed, ReasoningDelta.class))
                        .containsExactly(new ReasoningDelta(
                                expected.text("reasoning_content").orElseThrow()));
                assertThat(of(streamed, ToolCallDelta.class))
                        .hasSize((int) expected.longValue("tool_calls").orElseThrow());
                assertThat(of(streamed, UsageReported.class))
                        .extracting(UsageReported::usage)
                        .extracting(Usage::total)
                        .containsExactly(expected.longValue("usage_total").orElseThrow());
                assertThat(streamed.answer().cost().orElseThrow().usd()).isZero();
            }
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void whoComesHalfWayGetsTheWholeStream() {
        List<Case> cases = ReportedFailures.of("response-cache", "concurrency").stream()
                .filter(reported -> reported.given().get("stream").isPresent())
                .toList();
        assertThat(cases).hasSize(1);
        for (Case reported : cases) {
            List<String> pieces = new ArrayList<>(List.of(Sse.ROLE));
            IntStream.range(0, 10).forEach(digit -> pieces.add(Sse.text(Integer.toString(digit))));
            pieces.addAll(List.of(Sse.STOP, Sse.DONE));
            World world = new World()
                    .provider(
                            "p1", FaultScript.always(Sse.every(Duration.ofMillis(50), pieces.toArray(String[]::new))));
            List<Reader> readers = new ArrayList<>();
            try (ResilientClient client = client(world)) {
                world.time().run(() -> {
                    for (int i = 0; i < 2; i++) {
                        world.time()
                                .start(
                                        "holdfast-test-reader",
                                        () -> readers.add(
                                                Reader.read(world, client, World.request(), CallOptions.none())));
                        world.sleep(Duration.ofMillis(250));
                    }
                });
            }
            List<JsonValue> texts = readers.stream()
                    .map(reader -> JsonValue.of(reader.text()))
                    .map(JsonValue.class::cast)
                    .toList();
            assertThat(texts).isEqualTo(reported.expected().list("texts"));
        }
    }

    private static <E extends StreamEvent> List<E> of(Reader reader, Class<E> type) {
        return reader.events().stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static ResilientClient client(World world) {
        var caching = ResponseCaching.of(
                new CaffeineResponseCache(1 << 20, world.time()),
                CachePolicy.defaults().withMode(CacheMode.ALL),
                world.time(),
                new Random(1));
        return world.builder().interceptor(caching).build();
    }
}
