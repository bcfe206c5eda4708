package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CacheMode;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.spi.ResponseCache.CacheKey;
import dev.holdfast.spi.ResponseCache.CachedAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A store that is broken in any way costs a warning, and never an answer. */
class FailingStoreTest {
    private static final ModelRequest HELLO =
            ModelRequest.chat("m").user("a private question").build();
    private static final CacheKey KEY = new CacheKey("tenant", "00ff");
    private static final CachePolicy ALL = CachePolicy.defaults().withMode(CacheMode.ALL);

    private final ManualTime time = new ManualTime();
    private final Upstream upstream = new Upstream();
    private final LogLines log = new LogLines();

    @AfterEach
    void stopListening() {
        log.close();
    }

    static Stream<Supplier<Optional<CachedAnswer>>> faults() {
        return Stream.of(
                () -> {
                    throw new IllegalStateException("sent: a private question");
                },
                () -> {
                    throw new NoClassDefFoundError("a driver without its library");
                },
                () -> {
                    throw new StackOverflowError();
                },
                () -> null);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void anyFaultOfAStoreIsSurvived(Supplier<Optional<CachedAnswer>> fault) {
        for (boolean singleFlight : new boolean[] {true, false}) {
            var caching = ResponseCaching.of(
                    new Broken(fault), ALL.withSingleFlight(singleFlight), time, new SplittableRandom(1));
            ModelResponse response = caching.aroundCall(Calls.call("c1", HELLO), upstream);
            assertThat(response.text()).contains("answer");
            assertThat(response.fromCache()).isFalse();
            assertThat(caching.statistics().storeFailures()).isPositive();
        }
    }

    @Test
    void itIsWarnedOfOnceAndThenWithACount() {
        var broken = new Broken(() -> {
            throw new IllegalStateException("sent: a private question");
        });
        var caching = ResponseCaching.of(broken, ALL.withSingleFlight(false), time, new SplittableRandom(1));
        for (int i = 0; i < 50; i++) {
            caching.aroundCall(Calls.call("c" + i, HELLO), upstream);
        }
        assertThat(log.lines())
                .containsExactly("WARNING response cache: could not be read (java.lang.IllegalStateException,"
                        + " 1 times since the last such line); calls go on without it");
        time.advance(Duration.ofSeconds(10));
        caching.aroundCall(Calls.call("c51", HELLO), upstream);
        assertThat(log.lines()).hasSize(2);
        assertThat(log.lines().getLast()).contains("100 times");
        assertThat(log.lines().toString()).doesNotContain("private");
    }

    @Test
    void aPurgeThatFailsIsNotKeptFromWhoeverAskedForIt() {
        var caching = ResponseCaching.of(new Broken(() -> null), ALL, time, new SplittableRandom(1));
        assertThatThrownBy(() -> caching.purge("a")).hasMessage("purge");
    }

    @Test
    void aNearCacheIsFilledFromTheFarOne() {
        var near = new CaffeineResponseCache(1 << 20, time);
        var far = new CaffeineResponseCache(1 << 20, time);
        var tiered = TieredResponseCache.of(near, far, time);
        CachedAnswer answer = answer("a");
        far.put(KEY, answer);
        assertThat(tiered.get(KEY)).contains(answer);
        assertThat(near.get(KEY)).contains(answer);
        far.purge("tenant");
        assertThat(tiered.get(KEY)).contains(answer);
    }

    @Test
    void bothLevelsKeepAndForget() {
        var near = new CaffeineResponseCache(1 << 20, time);
        var far = new CaffeineResponseCache(1 << 20, time);
        var tiered = TieredResponseCache.of(near, far, time);
        tiered.put(KEY, answer("a"));
        assertThat(near.get(KEY)).isPresent();
        assertThat(far.get(KEY)).isPresent();
        tiered.purge("tenant");
        assertThat(near.get(KEY)).isEmpty();
        assertThat(far.get(KEY)).isEmpty();
        assertThat(tiered.get(KEY)).isEmpty();
    }

    @Test
    void oneLevelGoesOnWithoutTheOther() {
        var memory = new CaffeineResponseCache(1 << 20, time);
        var broken = new Broken(() -> {
            throw new IllegalStateException("down");
        });
        for (var tiered : new TieredResponseCache[] {
            TieredResponseCache.of(broken, memory, time), TieredResponseCache.of(memory, broken, time)
        }) {
            tiered.put(KEY, answer("a"));
            assertThat(tiered.get(KEY)).contains(answer("a"));
            assertThatThrownBy(() -> tiered.purge("tenant")).hasMessage("purge");
            assertThat(memory.get(KEY)).isEmpty();
        }
        assertThat(log.lines()).hasSize(2);
        assertThat(log.lines().getFirst()).startsWith("WARNING near response cache: could not be written");
        assertThat(log.lines().getLast()).startsWith("WARNING far response cache: could not be written");
    }

    /** The far level answers, then all is purged, then what it answered arrives near. */
    @Test
    void aPurgeBetweenFindingAndKeepingIsSeen() {
        var near = new CaffeineResponseCache(1 << 20, time);
        var memory = new CaffeineResponseCache(1 << 20, time);
        var purging = new Purging(memory);
        var tiered = TieredResponseCache.of(near, purging, time);
        purging.during = () -> tiered.purge("tenant");
        memory.put(KEY, answer("a"));
        assertThat(tiered.get(KEY)).isPresent();
        assertThat(tiered.get(KEY)).isEmpty();
    }

    private CachedAnswer answer(String text) {
        Instant now = time.now();
        return new CachedAnswer(Calls.response(text).answer(), Calls.TARGET, now, now.plusSeconds(60));
    }

    private record Broken(Supplier<Optional<CachedAnswer>> fault) implements ResponseCache {
        @Override
        public Optional<CachedAnswer> get(CacheKey key) {
            return fault.get();
        }

        @Override
        public void put(CacheKey key, CachedAnswer answer) {
            if (fault.get() == null) {
                throw new AssertionError("a store that does not answer");
            }
        }

        @Override
        public void purge(String scope) {
            throw new IllegalStateException("purge");
        }
    }

    /** Something happens between its finding an answer and its giving it. */
    private static final class Purging implements ResponseCache {
        private final ResponseCache inner;
        private Runnable during = () -> {};

        Purging(ResponseCache inner) {
            this.inner = inner;
        }

        @Override
        public Optional<CachedAnswer> get(CacheKey key) {
            Optional<CachedAnswer> found = inner.get(key);
            Runnable now = during;
            during = () -> {};
            now.run();
            return found;
        }

        @Override
        public void put(CacheKey key, CachedAnswer answer) {
            inner.put(key, answer);
        }

        @Override
        public void purge(String scope) {
            inner.purge(scope);
        }
    }
}
