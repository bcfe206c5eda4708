package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CacheMode;
import dev.holdfast.CallOptions;
import dev.holdfast.FinishReason;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.spi.Interceptor.CallChain;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CachePolicyTest {
    private static final CachePolicy ALL = CachePolicy.defaults().withMode(CacheMode.ALL);
    private static final ModelRequest HELLO =
            ModelRequest.chat("m").user("hello").build();

    private final ManualTime time = new ManualTime();
    private final CaffeineResponseCache cache = new CaffeineResponseCache(10 << 20, time);
    private final Upstream upstream = new Upstream();

    @Test
    void aModelMayHaveATimeOfItsOwn() {
        ModelRequest other = ModelRequest.chat("n").user("hello").build();
        ResponseCaching caching = caching(ALL.withTtl(Duration.ofSeconds(1_000)).withTtl("m", Duration.ofSeconds(100)));
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        caching.aroundCall(Calls.call("c2", other), upstream);
        time.advance(Duration.ofSeconds(120));
        assertThat(caching.aroundCall(Calls.call("c3", HELLO), upstream).fromCache())
                .isFalse();
        assertThat(caching.aroundCall(Calls.call("c4", other), upstream).fromCache())
                .isTrue();
    }

    @Test
    void tagsThatAreNamedArePartOfTheKey() {
        ResponseCaching caching = caching(ALL.withTags("tier").withTags("region"));
        CallOptions none = CallOptions.none();
        caching.aroundCall(Calls.call("c1", HELLO, none.withTag("tier", "premium")), upstream);
        assertThat(isHit(caching, none.withTag("tier", "premium").withTag("request", "r2")))
                .isTrue();
        assertThat(isHit(caching, none.withTag("tier", "free"))).isFalse();
        assertThat(isHit(caching, none.withTag("region", "premium"))).isFalse();
        assertThat(isHit(caching, none)).isFalse();
        assertThat(upstream.calls()).isEqualTo(4);
    }

    @Test
    void theOrderInWhichTagsWereNamedDoesNotMatter() {
        CanonicalRequest request = CanonicalRequest.of(HELLO);
        CallOptions options = CallOptions.none().withTag("a", "1").withTag("b", "2");
        assertThat(request.key(options, "f", ALL.withTags("a", "b").tags()))
                .isEqualTo(request.key(options, "f", ALL.withTags("b", "a").tags()))
                .isNotEqualTo(request.key(options, "f", Set.of("a")))
                .isNotEqualTo(request.key(options, "f"));
    }

    @Test
    void anOversizedAnswerPassesUntouched() {
        ResponseCaching caching = caching(ALL.withMaxAnswerBytes(10_000));
        ModelResponse large = Calls.response(Calls.answer(
                "x", Optional.of(FinishReason.STOP), JsonObject.of("text", JsonValue.of("y".repeat(10_000)))));
        upstream.answers(large);
        assertThat(caching.aroundCall(Calls.call("c1", HELLO), upstream)).isSameAs(large);
        assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream)).isSameAs(large);
        assertThat(cache.size()).isZero();
        assertThat(caching.statistics().notStored()).isEqualTo(2);
    }

    @Test
    void whatTheCacheDidIsCounted() {
        ResponseCaching caching = caching(ALL);
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        caching.aroundCall(Calls.call("c2", HELLO), upstream);
        caching.aroundCall(Calls.call("c3", HELLO), upstream);
        caching.aroundCall(Calls.call("c4", HELLO, CallOptions.none().withCacheMode(CacheMode.OFF)), upstream);
        CacheStatistics seen = caching.statistics();
        assertThat(seen).isEqualTo(new CacheStatistics(2, 1, 0, 0, 1, 1, 0, 0));
        assertThat(seen.savedRate()).isEqualTo(2.0 / 3);
        assertThat(caching(ALL).statistics().savedRate()).isZero();
    }

    @Test
    void aPurgeForgetsWhatIsBeingAskedForToo() {
        ResponseCaching caching = caching(ALL.withSingleFlight(false));
        CallOptions ours = CallOptions.none().withTenant("a");
        CallChain purging = call -> {
            caching.purge("a");
            return Calls.response("asked for before the purge");
        };
        assertThat(caching.aroundCall(Calls.call("c1", HELLO, ours), purging).text())
                .contains("asked for before the purge");
        assertThat(isHit(caching, ours)).isFalse();
        assertThat(isHit(caching, ours)).isTrue();
        caching.purge("b");
        assertThat(isHit(caching, ours)).isTrue();
        caching.purge("a");
        assertThat(isHit(caching, ours)).isFalse();
    }

    @Test
    void valuesThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> ALL.withTtl("m", Duration.ZERO)).hasMessage("ttl of m: PT0S (expected: > 0)");
        assertThatThrownBy(() -> ALL.withStaleIfError(Duration.ofSeconds(-1)))
                .hasMessage("staleIfError: PT-1S (expected: >= 0)");
        assertThatThrownBy(() -> ALL.withMaxAnswerBytes(0)).hasMessage("maxAnswerBytes: 0 (expected: >= 1)");
    }

    private boolean isHit(ResponseCaching caching, CallOptions options) {
        return caching.aroundCall(Calls.call("c", HELLO, options), upstream).fromCache();
    }

    private ResponseCaching caching(CachePolicy policy) {
        return ResponseCaching.of(cache, policy, time, new SplittableRandom(1));
    }
}
