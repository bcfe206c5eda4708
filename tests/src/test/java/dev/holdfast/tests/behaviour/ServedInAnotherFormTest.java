package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.Adjustment;
import dev.holdfast.CacheMode;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.StreamEvent;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.Dialects;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Calls in one form that an endpoint of another serves: what the cache, shared flights, keys and hedges make of them. */
class ServedInAnotherFormTest {
    private static final Map<String, Dialect> DIALECTS = Dialects.builtIn();
    private static final List<String> FORMS = List.of("openai", "anthropic", "gemini");
    private static final Map<String, String> ANSWERS = Map.of(
            "openai",
            "{'id':'i','model':'m','choices':[{'index':0,'message':{'role':'assistant','content':'Rhine'},"
                    + "'finish_reason':'stop'}],'usage':{'prompt_tokens':9,'completion_tokens':2,'total_tokens':11}}",
            "anthropic",
            "{'id':'i','type':'message','role':'assistant','model':'m','content':[{'type':'thinking','thinking':'hm',"
                    + "'signature':'sig'},{'type':'text','text':'Rhine'}],'stop_reason':'end_turn',"
                    + "'usage':{'input_tokens':9,'output_tokens':2}}",
            "gemini",
            "{'candidates':[{'content':{'parts':[{'text':'Rhine','thoughtSignature':'sig'}],'role':'model'},"
                    + "'finishReason':'STOP','index':0}],'usageMetadata':{'promptTokenCount':9,'candidatesTokenCount':2,"
                    + "'totalTokenCount':11},'modelVersion':'m','responseId':'i'}");

    /** The answer above as Anthropic streams it. */
    private static final List<String> MESSAGE = List.of(
            "{'type':'message_start','message':{'id':'i','type':'message','role':'assistant','model':'m','content':[],"
                    + "'stop_reason':null,'stop_sequence':null,'usage':{'input_tokens':9,'output_tokens':2}}}",
            "{'type':'content_block_start','index':0,'content_block':{'type':'thinking','thinking':'','signature':''}}",
            "{'type':'content_block_delta','index':0,'delta':{'type':'thinking_delta','thinking':'hm'}}",
            "{'type':'content_block_delta','index':0,'delta':{'type':'signature_delta','signature':'sig'}}",
            "{'type':'content_block_stop','index':0}",
            "{'type':'content_block_start','index':1,'content_block':{'type':'text','text':''}}",
            "{'type':'content_block_delta','index':1,'delta':{'type':'text_delta','text':'Rhine'}}",
            "{'type':'content_block_stop','index':1}",
            "{'type':'message_delta','delta':{'stop_reason':'end_turn'},'usage':{'input_tokens':9,'output_tokens':2}}",
            "{'type':'message_stop'}");

    private static JsonObject json(String text) {
        return JsonText.parse(text.replace('\'', '"')).asObject().orElseThrow();
    }

    private static Dialect dialect(String form) {
        return Objects.requireNonNull(DIALECTS.get(form));
    }

    /** A question that needs no adjustment anywhere. */
    private static ModelRequest request(String form) {
        return switch (form) {
            case "openai" ->
                ModelRequest.chat(World.MODEL).user("A river?").maxTokens(50).build();
            case "anthropic" ->
                ModelRequest.of(
                        Form.ANTHROPIC_MESSAGES,
                        json("{'model':'" + World.MODEL
                                + "','max_tokens':50,'messages':[{'role':'user','content':'A river?'}]}"));
            default ->
                ModelRequest.of(
                        Form.GEMINI_CONTENT,
                        World.MODEL,
                        json("{'contents':[{'role':'user','parts':[{'text':'A river?'}]}],"
                                + "'generationConfig':{'maxOutputTokens':50}}"));
        };
    }

    private static Reply reply(String form, ProviderRequest request) {
        JsonObject answer = json(Objects.requireNonNull(ANSWERS.get(form)));
        return request.asksForStream() ? Reply.events(events(form, answer)) : Reply.json(200, answer);
    }

    private static List<Reply.Chunk> events(String form, JsonObject answer) {
        try {
            ModelAnswer read = dialect(form).decodeAnswer(request(form), answer);
            StreamEncoder encoder =
                    dialect(form).streams().orElseThrow().encoder(request(form).withStreaming(true));
            var chunks = new ArrayList<ServerSentEvent>();
            List<StreamEvent> told =
                    switch (form) {
                        case "anthropic" ->
                            MESSAGE.stream()
                                    .<StreamEvent>map(event -> new StreamEvent.Other(json(event)))
                                    .toList();
                        case "gemini" -> List.of(new StreamEvent.Other(answer));
                        default ->
                            List.of(
                                    new StreamEvent.TextDelta("Rhine"),
                                    new StreamEvent.Finished(FinishReason.STOP),
                                    new StreamEvent.UsageReported(read.usage().orElseThrow()));
                    };
            told.forEach(event -> chunks.addAll(encoder.encode(event)));
            chunks.addAll(encoder.end());
            return chunks.stream()
                    .map(each -> Reply.Chunk.of((each.event().isEmpty() ? "" : "event: " + each.event() + "\n")
                            + "data: " + each.data() + "\n\n"))
                    .toList();
        } catch (dev.holdfast.spi.DialectException e) {
            throw new AssertionError(e);
        }
    }

    private static World world(String serving, Duration delay) {
        return new World()
                .provider(
                        "p1",
                        Weather.of(FaultScript.answering(
                                request -> reply(serving, request).withDelay(delay))),
                        endpoint -> endpoint.dialect(serving));
    }

    private static Interceptor caching(World world) {
        return ResponseCaching.of(
                new CaffeineResponseCache(1 << 20, world.time()),
                CachePolicy.defaults().withMode(CacheMode.ALL),
                world.time(),
                new Random(1));
    }

    private static Stream<DynamicTest> pairs(java.util.function.BiConsumer<String, String> test) {
        return FORMS.stream()
                .flatMap(asked -> FORMS.stream()
                        .map(serving -> dynamicTest(
                                asked + " asked, " + serving + " serves", () -> test.accept(asked, serving))));
    }

    @TestFactory
    Stream<DynamicTest> aStoredAnswerIsReplayedWholeAndAsAStreamInTheFormItWasAskedIn() {
        return pairs((asked, serving) -> {
            World world = world(serving, Duration.ZERO);
            try (ResilientClient client =
                    world.builder().interceptor(caching(world)).build()) {
                ModelRequest request = request(asked);
                ModelResponse first =
                        world.call(client, request, CallOptions.none()).answer();
                ModelResponse again =
                        world.call(client, request, CallOptions.none()).answer();
                Reader streamed = Reader.of(world, client, request);
                assertThat(world.sent()).hasSize(1);
                assertThat(again.fromCache()).isTrue();
                assertThat(again.answer()).isEqualTo(first.answer());
                assertThat(streamed.text()).isEqualTo("Rhine");
                assertThat(streamed.answer().answer()).isEqualTo(first.answer());
                assertReadAs(asked, first.answer(), streamed.events());
            }
        });
    }

    /** What a client of the form that was asked in reads of the answer, and of the stream. */
    private static void assertReadAs(String asked, ModelAnswer answer, List<StreamEvent> events) {
        try {
            Dialect dialect = dialect(asked);
            ModelRequest request = request(asked);
            ModelAnswer whole = dialect.decodeAnswer(request, dialect.encodeAnswer(answer, "m"));
            assertThat(whole.text()).hasValue("Rhine");
            assertThat(whole.usage()).isEqualTo(answer.usage());
            StreamEncoder encoder = dialect.streams().orElseThrow().encoder(request.withStreaming(true));
            Dialect.StreamDecoder decoder = dialect.streams().orElseThrow().decoder(request);
            var told = new ArrayList<ServerSentEvent>();
            events.forEach(event -> told.addAll(encoder.encode(event)));
            told.addAll(encoder.end());
            for (ServerSentEvent each : told) {
                decoder.decode(each);
            }
            assertThat(decoder.isComplete()).isTrue();
            assertThat(decoder.answer().text()).hasValue("Rhine");
        } catch (dev.holdfast.spi.DialectException e) {
            throw new AssertionError(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> aStreamIsStoredForACall() {
        return pairs((asked, serving) -> {
            World world = world(serving, Duration.ZERO);
            try (ResilientClient client =
                    world.builder().interceptor(caching(world)).build()) {
                Reader streamed = Reader.of(world, client, request(asked));
                ModelResponse called =
                        world.call(client, request(asked), CallOptions.none()).answer();
                assertThat(streamed.text()).isEqualTo("Rhine");
                assertThat(called.fromCache()).isTrue();
                assertThat(called.answer()).isEqualTo(streamed.answer().answer());
                assertThat(world.sent()).hasSize(1);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> callsAtTheSameTimeShareOneFlightInAForm() {
        return pairs((asked, serving) -> {
            World world = world(serving, Duration.ofSeconds(2));
            var ended = new ArrayList<Ended>();
            try (ResilientClient client =
                    world.builder().interceptor(caching(world)).build()) {
                world.time().run(() -> {
                    for (String form : List.of(asked, asked)) {
                        world.time()
                                .start(
                                        "holdfast-test-call",
                                        () -> ended.add(world.callHere(client, request(form), CallOptions.none())));
                    }
                });
            }
            assertThat(ended)
                    .hasSize(2)
                    .allSatisfy(each -> assertThat(each.answer().text()).hasValue("Rhine"));
            assertThat(world.sent()).hasSize(1);
        });
    }

    @Test
    void aKeyBelongsToARequestInItsFormAndAReplayTellsWhatWasAdjusted() {
        World world = world("anthropic", Duration.ZERO);
        var guard = IdempotencyGuard.of(
                new CaffeineIdempotencyStore(100, world.time()), IdempotencyPolicy.defaults(), world.time());
        CallOptions order = CallOptions.none().withIdempotencyKey("order-17");
        ModelRequest seeded = ModelRequest.chat(World.MODEL)
                .user("A river?")
                .with("seed", json("{'a':7}").get("a").orElseThrow())
                .build();
        try (ResilientClient client = world.builder().interceptor(guard).build()) {
            ModelResponse first = world.call(client, seeded, order).answer();
            ModelResponse again = world.call(client, seeded, order).answer();
            assertThat(first.adjusted()).extracting(Adjustment::pointer).contains("/seed", "/max_tokens");
            assertThat(again.fromCache()).isTrue();
            assertThat(again.answer()).isEqualTo(first.answer());
            assertThat(again.adjusted()).isEqualTo(first.adjusted());
            Ended other = world.call(client, request("anthropic"), order);
            assertThat(other.failure().kind()).isEqualTo(FailureKind.IDEMPOTENCY_CONFLICT);
        }
        assertThat(world.sent()).hasSize(1);
    }

    @TestFactory
    Stream<DynamicTest> aHedgeIsSaidInTheFormOfWhomItGoesTo() {
        return pairs((slow, fast) -> {
            World world = new World()
                    .provider(
                            "slow",
                            Weather.of(FaultScript.answering(
                                    request -> reply(slow, request).withDelay(Duration.ofSeconds(20)))),
                            endpoint -> endpoint.dialect(slow))
                    .provider(
                            "fast",
                            Weather.of(FaultScript.answering(request -> reply(fast, request))),
                            endpoint -> endpoint.dialect(fast));
            try (ResilientClient client = world.builder()
                    .hedge(HedgePolicy.after(Duration.ofSeconds(1)).withBudget(1, 100))
                    .build()) {
                Ended call = world.call(client, request("openai"), CallOptions.none());
                assertThat(call.answer().endpoint()).hasValue("fast");
                assertThat(call.answer().text()).hasValue("Rhine");
                assertThat(call.answer().answer().form())
                        .isEqualTo(dialect(fast).form());
                assertThat(world.path()).containsExactly("slow", "fast");
                assertThat(JsonText.parse(world.sent().getLast().body())
                                .asObject()
                                .orElseThrow()
                                .get(fast.equals("gemini") ? "contents" : "messages"))
                        .isPresent();
                assertThat(world.open()).isZero();
            }
        });
    }
}
