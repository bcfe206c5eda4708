package dev.holdfast.tests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CacheMode;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallTrail;
import dev.holdfast.Cost;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ProviderFailedException;
import dev.holdfast.Target;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.CanonicalRequest;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Interceptor.CallChain;
import dev.holdfast.spi.ResponseCache.CacheKey;
import dev.holdfast.tests.plugins.ReportedFailures.Case;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reported failures of response caches, played against the interceptor with a provider behind it that follows a script. */
@Timeout(300)
class CacheCasesTest {
    private static final ModelRequest HELLO =
            ModelRequest.chat("m").user("hello").build();
    private static final Target TARGET = new Target("m", "e");

    @Test
    void requestsHaveTheSameKeyOnlyIfTheyAskForTheSameInTheSameScope() {
        List<Case> cases = ReportedFailures.of("response-cache", "cache_keys");
        assertThat(cases).hasSize(2);
        for (Case reported : cases) {
            JsonObject base = reported.given().object("base").orElseThrow();
            List<JsonValue> same = reported.given().list("others").stream()
                    .map(other -> JsonValue.of(key(overlaid(base, other)).equals(key(base))))
                    .map(JsonValue.class::cast)
                    .toList();
            assertThat(same).as("%s", reported).isEqualTo(reported.expected().list("same_key"));
        }
    }

    @Test
    void howADocumentIsWrittenDoesNotMatter() {
        List<Case> cases = ReportedFailures.of("response-cache", "cache_keys_raw");
        assertThat(cases).hasSize(1);
        for (Case reported : cases) {
            List<JsonValue> same = reported.given().list("pairs").stream()
                    .map(JsonValue::asList)
                    .map(pair -> JsonValue.of(rawKey(pair.get(0)).equals(rawKey(pair.get(1)))))
                    .map(JsonValue.class::cast)
                    .toList();
            assertThat(same).as("%s", reported).isEqualTo(reported.expected().list("same_key"));
        }
    }

    @Test
    void failuresAreNotKeptAndAHitIsTheAnswerItself() { // streamed steps: CacheStreamCasesTest
        List<Case> cases = ReportedFailures.of("response-cache", "cache_exchange");
        assertThat(cases).hasSize(2);
        for (Case reported : cases) {
            var provider = new ScriptedProvider(reported.given().list("server"));
            ResponseCaching caching = caching();
            List<JsonValue> outcomes = new ArrayList<>();
            List<ModelResponse> responses = new ArrayList<>();
            for (JsonValue step : reported.given().list("steps")) {
                if (step.asText().orElseThrow().endsWith("stream=true")) {
                    continue;
                }
                outcomes.add(JsonValue.of(outcome(caching, provider, responses)));
            }
            JsonObject expected = reported.expected();
            if (expected.get("outcomes").isPresent()) {
                assertThat(outcomes).as("%s", reported).isEqualTo(expected.list("outcomes"));
                assertThat(provider.requests.get())
                        .isEqualTo(expected.longValue("upstream_requests").orElseThrow());
            } else {
                assertThat(responses.get(1).answer()).isEqualTo(responses.get(0).answer());
                assertThat(responses.get(1).document().toJson())
                        .isEqualTo(responses.get(0).document().toJson());
                assertThat(responses.get(1).fromCache()).isTrue();
                assertThat(responses.get(1).cost()).contains(Cost.ZERO);
                assertThat(provider.requests.get()).isEqualTo(1);
            }
        }
    }

    @Test
    void aFlightDoesNotBelongToItsFirstCaller() throws Exception {
        List<Case> cases = ReportedFailures.of("response-cache", "concurrency").stream()
                .filter(reported -> reported.given().get("stream").isEmpty())
                .toList();
        assertThat(cases).hasSize(1);
        for (Case reported : cases) {
            int callers = (int) reported.given().longValue("callers").orElseThrow();
            JsonObject expected = reported.expected();
            var one = new Flight(callers);
            one.cancel(1);
            one.provider.gate.release(callers);
            assertThat(one.cancelled())
                    .isEqualTo(expected.longValue("cancelled").orElseThrow());
            assertThat(one.succeeded())
                    .isEqualTo(expected.longValue("succeeded").orElseThrow());
            assertThat((long) one.provider.requests.get())
                    .isLessThanOrEqualTo(
                            expected.longValue("upstream_requests_max").orElseThrow());

            JsonObject variant =
                    expected.list("variant_expect").getFirst().asObject().orElseThrow();
            var all = new Flight(callers);
            all.cancel(callers);
            assertThat(all.cancelled()).isEqualTo(variant.longValue("cancelled").orElseThrow());
            assertThat(all.provider.aborted.get() == 1)
                    .isEqualTo(variant.get("upstream_aborted").orElseThrow().isTrue());
        }
    }

    private static JsonObject overlaid(JsonObject base, JsonValue other) {
        var members = new LinkedHashMap<>(base.members());
        members.putAll(other.asObject().orElseThrow().members());
        return new JsonObject(members);
    }

    /** Scope, base URL and request id stand beside the document. */
    private static CacheKey key(JsonObject described) {
        JsonObject document = described.without("scope").without("base_url").without("header_request_id");
        CallOptions options =
                described.text("scope").map(CallOptions.none()::withTenant).orElse(CallOptions.none());
        CallOptions tagged = described
                .text("header_request_id")
                .map(id -> options.withTag("request", id))
                .orElse(options);
        return CanonicalRequest.of(ModelRequest.of(Form.OPENAI_CHAT, document))
                .key(tagged, described.text("base_url").orElse("default"));
    }

    private static CacheKey rawKey(JsonValue text) {
        JsonObject document =
                JsonText.parse(text.asText().orElseThrow()).asObject().orElseThrow();
        return CanonicalRequest.of(ModelRequest.of(Form.OPENAI_CHAT, "m", document))
                .key(CallOptions.none(), "default");
    }

    private static String outcome(ResponseCaching caching, CallChain provider, List<ModelResponse> responses) {
        try {
            ModelResponse response = caching.aroundCall(call("c", CallOptions.none()), provider);
            responses.add(response);
            return response.fromCache() ? "hit" : "miss";
        } catch (CallException e) {
            return "error";
        }
    }

    private static ResponseCaching caching() {
        return ResponseCaching.of(
                new CaffeineResponseCache(1 << 20), CachePolicy.defaults().withMode(CacheMode.ALL));
    }

    private static Call call(String id, CallOptions options) {
        long now = System.nanoTime();
        return new Call(
                id,
                HELLO,
                options,
                now,
                now + Duration.ofMinutes(5).toNanos(),
                event -> options.listener().ifPresent(listener -> listener.accept(event)));
    }

    private static Failure failure(FailureKind kind) {
        return Failure.of(kind, FailureScope.ENDPOINT, Delivery.ANSWERED, "as the script says");
    }

    private static ModelResponse response(JsonObject document) {
        return new ModelResponse(
                decoded(document),
                Optional.of(TARGET),
                List.of(),
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                "c",
                Optional.empty(),
                List.of());
    }

    private static ModelAnswer decoded(JsonObject document) {
        try {
            return new OpenAiDialect().decodeAnswer(HELLO, document);
        } catch (DialectException e) {
            throw new IllegalArgumentException("no answer in OpenAI's dialect", e);
        }
    }

    private static JsonObject okCompletion() {
        JsonObject message = JsonObject.of("role", JsonValue.of("assistant")).with("content", JsonValue.of("ok"));
        JsonObject choice = JsonObject.of("finish_reason", JsonValue.of("stop")).with("message", message);
        return JsonObject.of("choices", JsonArray.of(choice));
    }

    /** What a client makes of the scripted replies, in order. */
    private static final class ScriptedProvider implements CallChain {
        private final List<JsonValue> replies;
        private final AtomicInteger requests = new AtomicInteger();

        ScriptedProvider(List<JsonValue> replies) {
            this.replies = replies;
        }

        @Override
        public ModelResponse proceed(Call call) {
            JsonObject reply =
                    replies.get(requests.getAndIncrement()).asObject().orElseThrow();
            JsonObject document = reply.object("json").orElse(JsonObject.empty());
            if (reply.longValue("status").orElseThrow() != 200
                    || document.get("error").isPresent()) {
                throw new ProviderFailedException(
                        "failed", failure(FailureKind.SERVER_ERROR), CallTrail.empty(call.id()), null);
            }
            return response(document.get("ref").isPresent() ? okCompletion() : document);
        }
    }

    /** Answers when it is let, and notes when it is cut off. */
    private static final class GatedProvider implements CallChain {
        private final Semaphore gate = new Semaphore(0);
        private final AtomicInteger requests = new AtomicInteger();
        private final AtomicInteger aborted = new AtomicInteger();

        @Override
        public ModelResponse proceed(Call call) {
            requests.incrementAndGet();
            try {
                gate.acquire();
                return response(okCompletion());
            } catch (InterruptedException e) {
                aborted.incrementAndGet();
                throw new CallCancelledException(
                        "cut off", failure(FailureKind.CANCELLED), CallTrail.empty(call.id()), null);
            }
        }
    }

    /** Several callers who all wait for one flight before a test goes on. */
    private static final class Flight {
        private final GatedProvider provider = new GatedProvider();
        private final Queue<Object> ends = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads = new ArrayList<>();

        Flight(int callers) throws InterruptedException {
            ResponseCaching caching = caching();
            var aboard = new Semaphore(0);
            Consumer<CallEvent> listener = event -> aboard.release();
            for (int i = 0; i < callers; i++) {
                Call call = call("c" + i, CallOptions.none().withListener(listener));
                threads.add(Thread.ofVirtual().start(() -> ends.add(end(caching, call))));
                aboard.acquire();
            }
        }

        private Object end(ResponseCaching caching, Call call) {
            try {
                return caching.aroundCall(call, provider);
            } catch (CallException e) {
                return e;
            }
        }

        void cancel(int callers) throws InterruptedException {
            for (Thread thread : threads.subList(0, callers)) {
                thread.interrupt();
                thread.join();
            }
        }

        long cancelled() throws InterruptedException {
            return ended().filter(CallCancelledException.class::isInstance).count();
        }

        long succeeded() throws InterruptedException {
            return ended().filter(ModelResponse.class::isInstance).count();
        }

        private Stream<Object> ended() throws InterruptedException {
            for (Thread thread : threads) {
                thread.join();
            }
            return ends.stream();
        }
    }
}
