package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Adjustment;
import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CacheMode;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Target;
import dev.holdfast.spi.ResponseCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseCachingTest {
    private static final CachePolicy ALL = CachePolicy.defaults().withMode(CacheMode.ALL);
    private static final ModelRequest HELLO =
            ModelRequest.chat("m").user("hello").build();

    private final ManualTime time = new ManualTime();
    private final ResponseCache cache = new CaffeineResponseCache(1 << 20, time);
    private final Upstream upstream = new Upstream();

    @Test
    void aSecondCallIsAnsweredFromTheCacheAndIsFree() {
        ResponseCaching caching = caching(ALL);
        ModelResponse first = caching.aroundCall(Calls.call("c1", HELLO), upstream);
        ModelResponse second = caching.aroundCall(Calls.call("c2", HELLO), upstream);

        assertThat(upstream.calls()).isEqualTo(1);
        assertThat(first.fromCache()).isFalse();
        assertThat(second.fromCache()).isTrue();
        assertThat(second.answer()).isEqualTo(first.answer());
        assertThat(second.servedBy()).isEqualTo(first.servedBy());
        assertThat(second.cost()).contains(Cost.ZERO);
        assertThat(second.attempts()).isEmpty();
        assertThat(second.callId()).isEqualTo("c2");
    }

    @Test
    void tenantsNeverShareAnAnswer() {
        ResponseCaching caching = caching(ALL);
        caching.aroundCall(Calls.call("c1", HELLO, CallOptions.none().withTenant("a")), upstream);
        caching.aroundCall(Calls.call("c2", HELLO, CallOptions.none().withTenant("b")), upstream);
        caching.aroundCall(Calls.call("c3", HELLO), upstream);
        assertThat(upstream.calls()).isEqualTo(3);

        cache.purge("a");
        caching.aroundCall(Calls.call("c4", HELLO, CallOptions.none().withTenant("b")), upstream);
        assertThat(upstream.calls()).isEqualTo(3);
        caching.aroundCall(Calls.call("c5", HELLO, CallOptions.none().withTenant("a")), upstream);
        assertThat(upstream.calls()).isEqualTo(4);
    }

    @Test
    void clientsOfDifferentFamiliesDoNotShareAnAnswer() {
        caching(ALL).aroundCall(Calls.call("c1", HELLO), upstream);
        caching(ALL.withFamily("other")).aroundCall(Calls.call("c2", HELLO), upstream);
        assertThat(upstream.calls()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(CacheMode.class)
    void eachModeReplaysAndStoresWhatItSays(CacheMode mode) {
        boolean replays = mode == CacheMode.ALL || mode == CacheMode.READ_ONLY;
        boolean stores = mode == CacheMode.ALL || mode == CacheMode.WRITE_ONLY || mode == CacheMode.REFRESH;
        CallOptions options = CallOptions.none().withCacheMode(mode);
        ResponseCaching caching = caching(ALL);

        ModelRequest fresh = ModelRequest.chat("m").user("fresh").build();
        caching.aroundCall(Calls.call("c1", fresh, options), upstream);
        assertThat(caching.aroundCall(Calls.call("c2", fresh), upstream).fromCache())
                .isEqualTo(stores);

        caching.aroundCall(Calls.call("c3", HELLO), upstream);
        assertThat(caching.aroundCall(Calls.call("c4", HELLO, options), upstream)
                        .fromCache())
                .isEqualTo(replays);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refreshReplacesWhatIsStored(boolean singleFlight) {
        ResponseCaching caching = caching(ALL.withSingleFlight(singleFlight));
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        upstream.answers(Calls.response("newer"));
        caching.aroundCall(Calls.call("c2", HELLO, CallOptions.none().withCacheMode(CacheMode.REFRESH)), upstream);
        assertThat(caching.aroundCall(Calls.call("c3", HELLO), upstream).text()).contains("newer");
        assertThat(upstream.calls()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "-0", "0e5"})
    void aTemperatureOfZeroIsDeterministic(String zero) {
        ModelRequest request = ModelRequest.chat("m")
                .user("hello")
                .with("temperature", new JsonNumber(zero))
                .build();
        assertThat(isReplayed(request)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0.1", "1e-9"})
    void anyOtherTemperatureIsNot(String temperature) {
        ModelRequest request = ModelRequest.chat("m")
                .user("hello")
                .with("temperature", new JsonNumber(temperature))
                .build();
        assertThat(isReplayed(request)).isFalse();
        assertThat(isReplayed(HELLO)).isFalse();
    }

    @Test
    void geminiSaysItsTemperatureInItsConfiguration() {
        var zero = JsonObject.of("temperature", JsonValue.of(0));
        upstream.answers(Calls.inForm(Form.GEMINI_CONTENT));
        assertThat(isReplayed(ModelRequest.of(Form.GEMINI_CONTENT, "g", JsonObject.of("generationConfig", zero))))
                .isTrue();
        assertThat(isReplayed(ModelRequest.of(Form.GEMINI_CONTENT, "g", zero))).isFalse();
    }

    @Test
    void opaqueRequestsPassBy() {
        ModelRequest request = ModelRequest.opaque("/embeddings", "e", JsonObject.empty());
        ResponseCaching caching = caching(ALL);
        caching.aroundCall(Calls.call("c1", request), upstream);
        caching.aroundCall(Calls.call("c2", request), upstream);
        assertThat(upstream.calls()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(FinishReason.class)
    void onlyGoodEndingsAreKept(FinishReason reason) {
        boolean good =
                reason == FinishReason.STOP || reason == FinishReason.LENGTH || reason == FinishReason.TOOL_CALLS;
        assertThat(isKept(Calls.response(Calls.answer("x", Optional.of(reason), JsonObject.empty()))))
                .isEqualTo(good);
    }

    @Test
    void anAnswerWithoutAnEndingIsNotKept() {
        assertThat(isKept(Calls.response(Calls.answer("x", Optional.empty(), JsonObject.empty()))))
                .isFalse();
    }

    @Test
    void anAnswerWithAnErrorInsideIsNotKept() {
        JsonObject error = JsonObject.of("error", JsonObject.of("code", JsonValue.of(429)));
        assertThat(isKept(Calls.response(Calls.answer("x", Optional.of(FinishReason.STOP), error))))
                .isFalse();
        JsonObject none = JsonObject.of("error", JsonValue.JsonNull.NULL);
        assertThat(isKept(Calls.response(Calls.answer("x", Optional.of(FinishReason.STOP), none))))
                .isTrue();
    }

    @Test
    void whatTheOutageMadeNeededIsNotKept() {
        ModelResponse good = Calls.response("x");
        assertThat(isKept(good)).isTrue();
        assertThat(isKept(Calls.with(good, good.attempts(), true, List.of()))).isFalse();
        assertThat(isKept(Calls.with(good, good.attempts(), false, List.of(new Adjustment("/max_tokens", "dropped")))))
                .isFalse();
        Attempt elsewhere = Calls.attempt(AttemptReason.FIRST, new Target("better", "e"));
        Attempt fallback = Calls.attempt(AttemptReason.FALLBACK, Calls.TARGET);
        assertThat(isKept(Calls.with(good, List.of(elsewhere, fallback), false, List.of())))
                .isFalse();
        assertThat(isKept(Calls.with(good, List.of(fallback), false, List.of())))
                .isFalse();
    }

    @Test
    void aRetryOrAFailoverIsKept() {
        ModelResponse good = Calls.response("x");
        Attempt first = Calls.attempt(AttemptReason.FIRST, new Target("m", "other"));
        Attempt second = Calls.attempt(AttemptReason.FAILOVER, Calls.TARGET);
        assertThat(isKept(Calls.with(good, List.of(first, second), false, List.of())))
                .isTrue();
    }

    @Test
    void anAnswerThatLacksTheUsageAskedForIsNotKept() {
        ModelRequest request = ModelRequest.chat("m")
                .user("hello")
                .with("stream_options", JsonObject.of("include_usage", JsonValue.of(true)))
                .build();
        ResponseCaching caching = caching(ALL);
        caching.aroundCall(Calls.call("c1", request), upstream);
        assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream).fromCache())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFailureIsThrownAndNotKept(boolean singleFlight) {
        ResponseCaching caching = caching(ALL.withSingleFlight(singleFlight));
        upstream.fails(Calls.failure("c1"));
        assertThatThrownBy(() -> caching.aroundCall(Calls.call("c1", HELLO), upstream))
                .isSameAs(upstream.failure());
        upstream.answers(Calls.response("well again"));
        assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream).fromCache())
                .isFalse();
        assertThat(caching.aroundCall(Calls.call("c3", HELLO), upstream).fromCache())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStoreThatIsDownCostsNoAnswer(boolean singleFlight) {
        var caching = ResponseCaching.of(
                new BrokenCache(), ALL.withSingleFlight(singleFlight), time, new SplittableRandom(1));
        assertThat(caching.aroundCall(Calls.call("c1", HELLO), upstream).text()).contains("answer");
        assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream).text()).contains("answer");
        assertThat(upstream.calls()).isEqualTo(2);
    }

    /** Between a look into the cache and the departure another flight may land; its answer is not asked for again. */
    @Test
    void anAnswerThatArrivesJustBeforeTheDepartureIsTaken() {
        var late = new LateCache();
        var caching = ResponseCaching.of(late, ALL, time, new SplittableRandom(1));
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        late.looks = 0;
        assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream).fromCache())
                .isTrue();
        assertThat(late.looks).isEqualTo(2);
        assertThat(upstream.calls()).isEqualTo(1);
    }

    @Property(tries = 200)
    void anAnswerLivesForItsTimeGiveOrTakeATenth(
            @ForAll @LongRange(min = 10, max = 10_000_000) long ttlMillis, @ForAll long seed) {
        var store = new RecordingCache();
        Duration ttl = Duration.ofMillis(ttlMillis);
        ResponseCaching.of(store, ALL.withTtl(ttl), time, new SplittableRandom(seed))
                .aroundCall(Calls.call("c1", HELLO), new Upstream());
        assertThat(store.lifetime())
                .isBetween(
                        ttl.multipliedBy(9).dividedBy(10).minusMillis(1),
                        ttl.multipliedBy(11).dividedBy(10));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE / 1_000, 31_556_889_864_403_199L})
    void anAnswerMayBeKeptForEver(long seconds) {
        Duration ever = Duration.ofSeconds(seconds);
        for (CachePolicy policy : List.of(
                ALL.withTtl(ever), ALL.withStaleIfError(ever), ALL.withTtl(ever).withStaleIfError(ever))) {
            cache.purge("");
            ResponseCaching caching = caching(policy);
            assertThat(caching.aroundCall(Calls.call("c1", HELLO), upstream).fromCache())
                    .isFalse();
            assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream).fromCache())
                    .isTrue();
        }
    }

    @Test
    void severalChoicesAreKeptOnlyIfAllAreGood() {
        assertThat(isKept(choices("length"))).isTrue();
        assertThat(isKept(choices("tool_calls"))).isTrue();
        assertThat(isKept(choices("content_filter"))).isFalse();
        assertThat(isKept(choices("unheard_of"))).isFalse();
        assertThat(isKept(ofDocument("choices", JsonObject.empty()))).isFalse();
        assertThat(isKept(ofDocument("choices", JsonValue.of("no choice")))).isFalse();
        JsonObject said = JsonObject.of("finish_reason", JsonValue.of("stop"));
        JsonObject refused = said.with("message", JsonObject.of("refusal", JsonValue.of("I will not")));
        assertThat(isKept(ofDocument("choices", said.with("message", JsonObject.of("refusal", JsonNull.NULL)))))
                .isTrue();
        assertThat(isKept(ofDocument("choices", refused))).isFalse();
        assertThat(isKept(ofDocument("candidates", JsonObject.of("finishReason", JsonValue.of("MAX_TOKENS")))))
                .isTrue();
        assertThat(isKept(ofDocument("candidates", JsonObject.of("finishReason", JsonValue.of("SAFETY")))))
                .isFalse();
    }

    private static ModelResponse choices(String second) {
        return ofDocument("choices", JsonObject.of("finish_reason", JsonValue.of(second)));
    }

    private static ModelResponse ofDocument(String choices, JsonValue second) {
        JsonObject document = JsonObject.of(choices, JsonArray.of(JsonObject.empty(), second));
        return Calls.response(Calls.answer("text", Optional.of(FinishReason.STOP), document));
    }

    @Test
    void theTimeIsSpreadOverTheWholeRange() {
        assertThat(lifetimeWith(() -> 0L)).isEqualTo(Duration.ofSeconds(90));
        assertThat(lifetimeWith(() -> -1L)).isBetween(Duration.ofMillis(109_990), Duration.ofSeconds(110));
    }

    @Test
    void anAnswerEndsWithItsTime() {
        ResponseCaching caching = caching(ALL.withTtl(Duration.ofSeconds(100)));
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        time.advance(Duration.ofSeconds(89));
        assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream).fromCache())
                .isTrue();
        time.advance(Duration.ofSeconds(21));
        assertThat(caching.aroundCall(Calls.call("c3", HELLO), upstream).fromCache())
                .isFalse();
    }

    @Test
    void theListenersHearWhatTheCacheDid() {
        List<CacheOutcome> heard = new ArrayList<>();
        CallOptions options = CallOptions.none().withListener(event -> heard.add(outcome(event)));
        ResponseCaching caching = caching(ALL);
        caching.aroundCall(Calls.call("c1", HELLO, options), upstream);
        caching.aroundCall(Calls.call("c2", HELLO, options), upstream);
        caching.aroundCall(Calls.call("c3", HELLO, options.withCacheMode(CacheMode.OFF)), upstream);
        assertThat(heard).containsExactly(CacheOutcome.MISS, CacheOutcome.HIT, CacheOutcome.BYPASS);
    }

    @Test
    void aTimeToLiveThatIsNotPositiveIsRefused() {
        assertThatThrownBy(() -> ALL.withTtl(Duration.ZERO)).hasMessage("ttl: PT0S (expected: > 0)");
    }

    private static CacheOutcome outcome(CallEvent event) {
        return ((CacheConsulted) event).outcome();
    }

    private Duration lifetimeWith(RandomGenerator random) {
        var store = new RecordingCache();
        ResponseCaching.of(store, ALL.withTtl(Duration.ofSeconds(100)), time, random)
                .aroundCall(Calls.call("c1", HELLO), upstream);
        return store.lifetime();
    }

    private boolean isReplayed(ModelRequest request) {
        ResponseCaching caching = caching(CachePolicy.defaults());
        caching.aroundCall(Calls.call("c1", request), upstream);
        return caching.aroundCall(Calls.call("c2", request), upstream).fromCache();
    }

    private boolean isKept(ModelResponse response) {
        cache.purge("");
        upstream.answers(response);
        ResponseCaching caching = caching(ALL);
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        return caching.aroundCall(Calls.call("c2", HELLO), upstream).fromCache();
    }

    private ResponseCaching caching(CachePolicy policy) {
        return ResponseCaching.of(cache, policy, time, new SplittableRandom(1));
    }

    private static final class BrokenCache implements ResponseCache {
        @Override
        public Optional<CachedAnswer> get(CacheKey key) {
            throw new IllegalStateException("down");
        }

        @Override
        public void put(CacheKey key, CachedAnswer answer) {
            throw new IllegalStateException("down");
        }

        @Override
        public void purge(String scope) {
            throw new IllegalStateException("down");
        }
    }

    /** Finds nothing at the first look. */
    private static final class LateCache implements ResponseCache {
        private volatile CachedAnswer last;
        private volatile int looks;

        @Override
        public Optional<CachedAnswer> get(CacheKey key) {
            int look = looks + 1;
            looks = look;
            return look == 1 ? Optional.empty() : Optional.ofNullable(last);
        }

        @Override
        public void put(CacheKey key, CachedAnswer answer) {
            last = answer;
        }

        @Override
        public void purge(String scope) {
            throw new UnsupportedOperationException("purge");
        }
    }

    private static final class RecordingCache implements ResponseCache {
        private CachedAnswer last;

        Duration lifetime() {
            return Duration.between(last.storedAt(), last.expiresAt());
        }

        @Override
        public Optional<CachedAnswer> get(CacheKey key) {
            return Optional.empty();
        }

        @Override
        public void put(CacheKey key, CachedAnswer answer) {
            last = answer;
        }

        @Override
        public void purge(String scope) {
            throw new UnsupportedOperationException("purge");
        }
    }
}
