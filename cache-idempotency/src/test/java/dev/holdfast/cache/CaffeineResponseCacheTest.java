package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.Target;
import dev.holdfast.spi.ResponseCache.CacheKey;
import dev.holdfast.spi.ResponseCache.CachedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CaffeineResponseCacheTest {
    private final ManualTime time = new ManualTime();

    @Test
    void answersTogetherStayWithinTheWeight() {
        var cache = new CaffeineResponseCache(100_000, time);
        IntStream.range(0, 1_000).forEach(i -> cache.put(key(i), answer(1_000, Duration.ofMinutes(1))));
        long kept = IntStream.range(0, 1_000)
                .filter(i -> cache.get(key(i)).isPresent())
                .count();
        assertThat(cache.weight()).isBetween(90_000L, 100_000L);
        assertThat(kept).isEqualTo(cache.size()).isBetween(1L, 100L);
        assertThat(cache.evictions()).isEqualTo(1_000 - kept);
    }

    @Test
    void whatEndsOrIsReplacedOrPurgedIsNotCrowdedOut() {
        var cache = new CaffeineResponseCache(100_000, time);
        cache.put(key(1), answer(10, Duration.ofSeconds(1)));
        cache.put(key(1), answer(10, Duration.ofSeconds(1)));
        cache.put(key(2), answer(10, Duration.ofSeconds(9)));
        time.advance(Duration.ofSeconds(2));
        cache.purge("");
        assertThat(cache.size()).isZero();
        assertThat(cache.weight()).isZero();
        assertThat(cache.evictions()).isZero();
    }

    @Test
    void aTextBeyondLatinWeighsTwice() {
        var latin = new CaffeineResponseCache(1_000_000, time);
        var korean = new CaffeineResponseCache(1_000_000, time);
        latin.put(key(1), answer("e".repeat(10_000), Duration.ofMinutes(1)));
        korean.put(key(1), answer("한".repeat(10_000), Duration.ofMinutes(1)));
        assertThat(korean.weight() - latin.weight()).isEqualTo(10_000);
    }

    @Test
    void anAnswerHeavierThanTheCacheIsNotKept() {
        var cache = new CaffeineResponseCache(10_000, time);
        cache.put(key(1), answer(100, Duration.ofMinutes(1)));
        cache.put(key(2), answer(10_000, Duration.ofMinutes(1)));
        assertThat(cache.get(key(2))).isEmpty();
        assertThat(cache.get(key(1))).isPresent();
    }

    @Test
    void readingDoesNotProlong() {
        var cache = new CaffeineResponseCache(10_000, time);
        cache.put(key(1), answer(10, Duration.ofSeconds(10)));
        time.advance(Duration.ofSeconds(9));
        assertThat(cache.get(key(1))).isPresent();
        time.advance(Duration.ofSeconds(1));
        assertThat(cache.get(key(1))).isEmpty();
    }

    @Test
    void anAnswerThatHasEndedIsNotKept() {
        var cache = new CaffeineResponseCache(10_000, time);
        cache.put(key(1), answer(10, Duration.ofSeconds(-10)));
        assertThat(cache.get(key(1))).isEmpty();
    }

    @Test
    void aWeightBelowOneIsRefused() {
        assertThatThrownBy(() -> new CaffeineResponseCache(0)).hasMessage("maxBytes: 0 (expected: >= 1)");
    }

    private static CacheKey key(int number) {
        return new CacheKey("", Integer.toHexString(number));
    }

    private CachedAnswer answer(int characters, Duration ttl) {
        return answer("y".repeat(characters), ttl);
    }

    private CachedAnswer answer(String text, Duration ttl) {
        var answer = new ModelAnswer(
                Form.OPENAI_CHAT,
                JsonObject.of("x", JsonValue.of(text)),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty());
        return new CachedAnswer(
                answer, new Target("m", "e"), time.now(), time.now().plus(ttl));
    }
}
