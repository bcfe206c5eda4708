package dev.holdfast.comparisons;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A way to the provider, and how long whole exchanges took on it. The same client of the JDK asks on each. */
final class Lane {
    private static final String HEAD = "{\"model\":\"gpt-4.1\",";
    private static final String QUESTION =
            "\"messages\":[{\"role\":\"user\",\"content\":\"Name three rivers of Europe.\"}]}";

    private final String name;
    private final Optional<Child> gateway;
    private final Duration processorAtStart;
    private final AtomicLong made = new AtomicLong();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpRequest request;
    private final String ending;
    private final AtomicInteger failures = new AtomicInteger();
    private final List<long[]> turns = new ArrayList<>();

    /** By a gateway, or by none. */
    Lane(String name, Optional<Child> gateway, URI baseUrl, boolean stream, String... headers) {
        this.name = name;
        this.gateway = gateway;
        this.processorAtStart = processorTime();
        HttpRequest.Builder asked = HttpRequest.newBuilder(URI.create(baseUrl + "/chat/completions"))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer sk-measuring-0123456789")
                .POST(BodyPublishers.ofString(HEAD + (stream ? "\"stream\":true," : "") + QUESTION));
        this.request = (headers.length == 0 ? asked : asked.headers(headers)).build();
        this.ending = stream ? "data: [DONE]" : "}";
    }

    String name() {
        return name;
    }

    /** One turn: so many connections, each with so many exchanges one after another. Kept, unless it only warms up. */
    void turn(ExecutorService threads, int connections, int exchanges, long pauseNanos, boolean kept)
            throws InterruptedException, ExecutionException {
        List<Future<long[]>> parts = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            long offset = connections == 1 ? 0 : pauseNanos * i / connections;
            parts.add(threads.submit(() -> part(exchanges, pauseNanos, offset)));
        }
        for (Future<long[]> part : parts) {
            long[] nanos = part.get();
            if (kept) {
                turns.add(nanos);
            }
        }
    }

    /** With a pause each exchange has its time to begin, and is late from then on, whatever held it up. */
    private long[] part(int exchanges, long pauseNanos, long offset) throws IOException, InterruptedException {
        var nanos = new long[exchanges];
        long due = System.nanoTime() + offset;
        for (int i = 0; i < exchanges; i++) {
            long began = System.nanoTime();
            if (pauseNanos > 0) {
                long early = due - began;
                if (early > 0) {
                    Thread.sleep(early / 1_000_000, (int) (early % 1_000_000));
                }
                began = Math.max(due, early > 0 ? System.nanoTime() : due);
                due += pauseNanos;
            }
            boolean whole = isWhole(client.send(request, BodyHandlers.ofByteArray()));
            nanos[i] = System.nanoTime() - began;
            made.incrementAndGet();
            if (!whole) {
                failures.incrementAndGet();
            }
        }
        return nanos;
    }

    private boolean isWhole(HttpResponse<byte[]> response) {
        return response.statusCode() == 200
                && new String(response.body(), StandardCharsets.UTF_8)
                        .stripTrailing()
                        .endsWith(ending);
    }

    private Duration processorTime() {
        return gateway.map(Child::processorTime).orElse(Duration.ZERO);
    }

    /** {@return the processor time that the gateway took for an exchange, in microseconds, warm-up included; 0 without one} */
    double processorMicros() {
        return processorTime().minus(processorAtStart).toNanos() / 1e3 / Math.max(1, made.get());
    }

    /** {@return how many exchanges brought no whole answer, those before it counted with them} */
    int failures() {
        return failures.get();
    }

    /** {@return how long they took, in order of length, in microseconds} */
    double[] micros() {
        double[] all = turns.stream()
                .flatMapToLong(Arrays::stream)
                .mapToDouble(nanos -> nanos / 1e3)
                .toArray();
        Arrays.sort(all);
        return all;
    }

    void close() {
        client.shutdownNow();
    }
}
