package dev.holdfast.benchmarks.jmh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.Bytes;
import dev.holdfast.Failure;
import dev.holdfast.Headers;
import dev.holdfast.Secret;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import dev.holdfast.core.internal.failure.Redactor;
import dev.holdfast.core.internal.failure.SuggestedDelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to understand a failure: a 429 as OpenAI sends it, and the wait that it asks for, beside Jackson reading the
 * same body and nothing else.
 *
 * <pre>{@code ./holdfast jmh ClassifyBenchmark -prof gc}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class ClassifyBenchmark {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final byte[] BODY = """
            {
                "error": {
                    "message": "Rate limit reached for gpt-4.1 in organization org-abc on tokens per min (TPM): Limit 30000, \
            Used 29571, Requested 1124. Please try again in 1.39s. Visit https://platform.openai.com/account/rate-limits to \
            learn more.",
                    "type": "tokens",
                    "param": null,
                    "code": "rate_limit_exceeded"
                }
            }
            """.getBytes(StandardCharsets.UTF_8);

    private final ObjectMapper jackson = new ObjectMapper();
    private final FailureClassifier classifier =
            new FailureClassifier(Redactor.of(List.of(Secret.of("sk-benchmark-0123456789"))));
    private final Headers headers = Headers.of(
            "Content-Type", "application/json",
            "Date", "Thu, 01 Jan 2026 00:00:00 GMT",
            "Retry-After", "2",
            "retry-after-ms", "1390",
            "x-request-id", "req_0123456789abcdef",
            "x-ratelimit-limit-requests", "500",
            "x-ratelimit-limit-tokens", "30000",
            "x-ratelimit-remaining-requests", "499",
            "x-ratelimit-remaining-tokens", "429",
            "x-ratelimit-reset-requests", "120ms",
            "x-ratelimit-reset-tokens", "59.142s");
    private final Headers dated =
            Headers.of("Date", "Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After", "Thu, 01 Jan 2026 00:00:20 GMT");
    private final Headers seconds = Headers.of("Retry-After", "20");
    private final ReceivedAnswer answer =
            ReceivedAnswer.of(429, headers, Bytes.utf8(new String(BODY, StandardCharsets.UTF_8)), NOW);

    /** The floor: the body as a tree. */
    @Benchmark
    public JsonNode bareJackson() throws IOException {
        return jackson.readTree(BODY);
    }

    /** Kind, scope, wait, code and cleaned words of a 429. */
    @Benchmark
    public Optional<Failure> classify429() {
        return classifier.classify(answer);
    }

    /** {@code Retry-After} in seconds. */
    @Benchmark
    public Optional<Duration> hintInSeconds() {
        return SuggestedDelay.retryAfter(seconds, NOW);
    }

    /** {@code Retry-After} as a date, counted from the answer's own. */
    @Benchmark
    public Optional<Duration> hintAsDate() {
        return SuggestedDelay.retryAfter(dated, NOW);
    }

    /** {@code retry-after-ms} among the header fields of a real answer. */
    @Benchmark
    public Optional<Duration> hintAmongOthers() {
        return SuggestedDelay.retryAfter(headers, NOW);
    }
}
