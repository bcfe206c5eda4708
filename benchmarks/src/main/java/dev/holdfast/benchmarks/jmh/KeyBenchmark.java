package dev.holdfast.benchmarks.jmh;

import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.cache.CanonicalRequest;
import dev.holdfast.spi.ResponseCache.CacheKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The key of a request beside SHA-256 of the same bytes, which are there already, and beside writing them first.
 * {@code ./holdfast jmh KeyBenchmark -prof gc}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class KeyBenchmark {
    @Param({"1024", "102400"})
    private int bytes = 1_024;

    private ModelRequest request = CacheRequests.ofBytes(1_024);
    private byte[] text = {};

    @Setup
    public void prepare() {
        request = CacheRequests.ofBytes(bytes);
        text = request.document().toJson().getBytes(StandardCharsets.UTF_8);
    }

    /** Only the digest. */
    @Benchmark
    public byte[] sha256() throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256").digest(text);
    }

    /** Writing the document as it is, unsorted, and its digest. */
    @Benchmark
    public byte[] writtenSha256() throws NoSuchAlgorithmException {
        byte[] written = request.document().toJson().getBytes(StandardCharsets.UTF_8);
        return MessageDigest.getInstance("SHA-256").digest(written);
    }

    @Benchmark
    public CacheKey key() {
        return CanonicalRequest.of(request).key(CallOptions.none(), "default");
    }
}
