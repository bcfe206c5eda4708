package dev.holdfast.benchmarks.jmh;

import dev.holdfast.core.internal.sse.SseDecoder;
import dev.holdfast.spi.TransportException;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * A stream of 200 events as OpenAI sends them, 44 KB in pieces of 1.4 KB as TCP brings them: the decoder beside what many clients
 * do, a reader of lines that takes what follows {@code data: } and knows nothing of event types, ids, other line ends or limits.
 *
 * <pre>{@code ./holdfast jmh SseBenchmark -prof gc}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class SseBenchmark {
    private static final int EVENTS = 200;
    private static final int PIECE = 1_400;
    private static final String PREFIX = "data: ";

    private final byte[] stream = stream();

    private static byte[] stream() {
        var text = new StringBuilder();
        for (int i = 0; i < EVENTS; i++) {
            text.append("""
                    data: {"id":"chatcmpl-9xyzabcdefghij0123456789","object":"chat.completion.chunk","created":1767225600,\
                    "model":"gpt-4.1","system_fingerprint":"fp_0123456789","choices":[{"index":0,"delta":{"content":" word%d"},\
                    "logprobs":null,"finish_reason":null}]}

                    """.formatted(i));
        }
        return text.append("data: [DONE]\n\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The floor: lines as strings. */
    @Benchmark
    public void lineReader(Blackhole hole) throws IOException {
        var reader = new BufferedReader(
                new InputStreamReader(new ByteArrayInputStream(stream), StandardCharsets.UTF_8), PIECE);
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.startsWith(PREFIX)) {
                hole.consume(line.substring(PREFIX.length()));
            }
        }
    }

    /** By the rules. */
    @Benchmark
    public void holdfast(Blackhole hole) throws TransportException {
        var decoder = new SseDecoder();
        for (int from = 0; from < stream.length; from += PIECE) {
            decoder.decode(stream, from, Math.min(PIECE, stream.length - from), hole::consume);
        }
    }
}
