package dev.holdfast.benchmarks.jmh;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.holdfast.CacheMode;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Interceptor.CallChain;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the cache costs a call with a request of 1 KiB: a hit, beside a look into Caffeine under SHA-256 of bytes that are there
 * already; a miss that is made at once, with and without single-flight, by callers who may not store what they get.
 * {@code ./holdfast jmh CacheBenchmark -t 2 -prof gc}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class CacheBenchmark {
    private static final CachePolicy NOTHING_KEPT = CachePolicy.defaults().withMode(CacheMode.READ_ONLY);

    private final ModelRequest request = CacheRequests.ofBytes(1_024);
    private final byte[] text = request.document().toJson().getBytes(StandardCharsets.UTF_8);
    private final Call call = CacheRequests.call(request);
    private final ModelResponse response = CacheRequests.response(1_000);
    private final CallChain upstream = asked -> response;
    private final Cache<ByteBuffer, ModelResponse> plain = Caffeine.newBuilder()
            .maximumSize(1_000)
            .expireAfterWrite(Duration.ofHours(1))
            .build();

    private final ResponseCaching caching =
            ResponseCaching.of(new CaffeineResponseCache(64 << 20), CachePolicy.defaults());
    private final ResponseCaching shared = ResponseCaching.of(new CaffeineResponseCache(64 << 20), NOTHING_KEPT);
    private final ResponseCaching unshared =
            ResponseCaching.of(new CaffeineResponseCache(64 << 20), NOTHING_KEPT.withSingleFlight(false));

    @Setup
    public void fill() throws NoSuchAlgorithmException {
        plain.put(digest(), response);
        caching.aroundCall(call, upstream);
    }

    /** A look into Caffeine under a digest. */
    @Benchmark
    public @Nullable ModelResponse digestAndCaffeine() throws NoSuchAlgorithmException {
        return plain.getIfPresent(digest());
    }

    /** An answer from the store. */
    @Benchmark
    public ModelResponse hit() {
        return caching.aroundCall(call, upstream);
    }

    /** Nothing is stored, the call is made on the caller's thread. */
    @Benchmark
    public ModelResponse miss() {
        return unshared.aroundCall(call, upstream);
    }

    /** Nothing is stored, the call is made on a thread of its own, or joined by whoever comes in time. */
    @Benchmark
    public ModelResponse missOrJoin() {
        return shared.aroundCall(call, upstream);
    }

    private ByteBuffer digest() throws NoSuchAlgorithmException {
        return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text));
    }
}
