package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.Target;
import dev.holdfast.ToolCall;
import dev.holdfast.Usage;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.spi.ResponseCache.CacheKey;
import dev.holdfast.spi.ResponseCache.CachedAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What every {@link ResponseCache} keeps. Extend it in a test of your own, with time in your hand if the store takes its
 * time from you, else with a {@link #advance} that waits.
 */
public abstract class ResponseCacheContract {
    private static final CacheKey KEY = new CacheKey("tenant", "00ff");
    private static final Duration LONG = Duration.ofHours(1);

    /** For subclasses. */
    protected ResponseCacheContract() {}

    /** {@return a cache without answers} */
    protected abstract ResponseCache emptyCache();

    /** {@return the store's wall time} */
    protected abstract Instant now();

    /**
     * Lets time pass for the store.
     *
     * @param duration how much
     */
    protected abstract void advance(Duration duration);

    /** {@return how long the shortest lifetime is that the store can tell from the next} */
    protected Duration resolution() {
        return Duration.ofMillis(1);
    }

    /** What was never stored is not there. */
    @Test
    protected void nothingIsThereAtFirst() {
        ResponseCache cache = emptyCache();
        assertThat(cache.get(KEY)).isEmpty();
    }

    /** What was stored comes back whole: unknown members, number text, tool calls, usage and target. */
    @Test
    protected void anAnswerComesBackWhole() {
        ResponseCache cache = emptyCache();
        CachedAnswer stored = stored("text", LONG);
        cache.put(KEY, stored);
        CachedAnswer found = cache.get(KEY).orElseThrow();
        assertThat(found.answer()).isEqualTo(stored.answer());
        assertThat(found.answer().document().toJson())
                .isEqualTo(stored.answer().document().toJson());
        assertThat(found.servedBy()).isEqualTo(stored.servedBy());
    }

    /** An answer that is past being fresh is kept to its end, and comes back with both instants. */
    @Test
    protected void anAnswerIsKeptPastBeingFresh() {
        ResponseCache cache = emptyCache();
        Duration fresh = resolution().multipliedBy(1_000);
        CachedAnswer plain = stored("text", fresh.multipliedBy(3));
        var stale = new CachedAnswer(
                plain.answer(),
                plain.servedBy(),
                plain.storedAt(),
                plain.storedAt().plus(fresh),
                plain.expiresAt());
        cache.put(KEY, stale);
        advance(fresh.multipliedBy(2));
        CachedAnswer found = cache.get(KEY).orElseThrow();
        assertThat(found.freshUntil()).isEqualTo(stale.freshUntil());
        assertThat(found.expiresAt()).isEqualTo(stale.expiresAt());
        advance(fresh.plus(resolution()));
        assertThat(cache.get(KEY)).isEmpty();
    }

    /** A later answer takes the place of an earlier one. */
    @Test
    protected void aLaterAnswerReplacesAnEarlierOne() {
        ResponseCache cache = emptyCache();
        cache.put(KEY, stored("old", LONG));
        cache.put(KEY, stored("new", LONG));
        assertThat(text(cache, KEY)).contains("new");
    }

    /** Scope and digest tell keys apart, each by itself. */
    @Test
    protected void keysAreToldApart() {
        ResponseCache cache = emptyCache();
        cache.put(KEY, stored("mine", LONG));
        assertThat(cache.get(new CacheKey("other", KEY.digest()))).isEmpty();
        assertThat(cache.get(new CacheKey("", KEY.digest()))).isEmpty();
        assertThat(cache.get(new CacheKey(KEY.scope(), "00fe"))).isEmpty();
        assertThat(cache.get(new CacheKey("tenan", "t00ff"))).isEmpty();
        assertThat(cache.get(new CacheKey("tenant:00ff", ""))).isEmpty();
        assertThat(text(cache, new CacheKey("tenant", "00ff"))).contains("mine");
    }

    /** An answer is there until its end and not after it; reading does not move the end. */
    @Test
    protected void anAnswerEndsInTime() {
        ResponseCache cache = emptyCache();
        Duration ttl = resolution().multipliedBy(1_000);
        cache.put(KEY, stored("text", ttl));
        advance(ttl.dividedBy(2));
        assertThat(cache.get(KEY)).isPresent();
        advance(ttl.dividedBy(2).plus(resolution()));
        assertThat(cache.get(KEY)).isEmpty();
    }

    /** A later answer brings its own end, be it earlier or later. */
    @Test
    protected void aLaterAnswerHasItsOwnEnd() {
        ResponseCache cache = emptyCache();
        Duration ttl = resolution().multipliedBy(1_000);
        CacheKey other = new CacheKey("tenant", "01");
        cache.put(KEY, stored("old", ttl));
        cache.put(KEY, stored("new", ttl.multipliedBy(3)));
        cache.put(other, stored("old", ttl.multipliedBy(3)));
        cache.put(other, stored("new", ttl));
        advance(ttl.multipliedBy(2));
        assertThat(text(cache, KEY)).contains("new");
        assertThat(cache.get(other)).isEmpty();
    }

    /** A purge forgets its scope and nothing else. */
    @Test
    protected void aPurgeForgetsItsScopeOnly() {
        ResponseCache cache = emptyCache();
        CacheKey second = new CacheKey("tenant", "01");
        CacheKey longer = new CacheKey("tenant2", "00ff");
        CacheKey none = new CacheKey("", "00ff");
        List.of(KEY, second, longer, none).forEach(key -> cache.put(key, stored("text", LONG)));
        cache.purge("tenant");
        assertThat(cache.get(KEY)).isEmpty();
        assertThat(cache.get(second)).isEmpty();
        assertThat(cache.get(longer)).isPresent();
        assertThat(cache.get(none)).isPresent();
        cache.purge("");
        assertThat(cache.get(none)).isEmpty();
        assertThat(cache.get(longer)).isPresent();
        cache.put(KEY, stored("again", LONG));
        assertThat(text(cache, KEY)).contains("again");
    }

    /** Many threads may use it at once, and each finds what was stored under its key. */
    @Test
    protected void manyThreadsMayUseIt() {
        ResponseCache cache = emptyCache();
        assertThat(IntStream.range(0, 200).parallel().mapToObj(i -> {
                    CacheKey key = new CacheKey("tenant", Integer.toHexString(i % 20));
                    cache.put(key, stored("text " + i % 20, LONG));
                    return text(cache, key).equals(Optional.of("text " + i % 20));
                }))
                .hasSize(200)
                .doesNotContain(false);
    }

    private static Optional<String> text(ResponseCache cache, CacheKey key) {
        return cache.get(key).flatMap(found -> found.answer().text());
    }

    private CachedAnswer stored(String text, Duration ttl) {
        JsonObject document = JsonObject.of("z", new JsonNumber("1.50"))
                .with("a", JsonValue.of("line\n\u0000\ud83d\ude00 é \""))
                .with("n", JsonValue.JsonNull.NULL)
                .with("text", JsonValue.of(text));
        var answer = new ModelAnswer(
                Form.OPENAI_CHAT,
                document,
                Optional.of("model"),
                Optional.of(text),
                List.of(new ToolCall("id", "name", "{}")),
                Optional.of(FinishReason.STOP),
                Optional.of(new Usage(1, 2, 3, 4, 2)));
        return new CachedAnswer(answer, new Target("m", "e"), now(), now().plus(ttl));
    }
}
