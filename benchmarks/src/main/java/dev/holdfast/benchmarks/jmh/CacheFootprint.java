package dev.holdfast.benchmarks.jmh;

import dev.holdfast.CallOptions;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.CanonicalRequest;
import dev.holdfast.core.JsonText;
import dev.holdfast.spi.ResponseCache.CachedAnswer;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Locale;

/**
 * What a stored answer takes of the heap, beside what the cache weighs it at: fills a cache and looks at the heap after
 * collections. {@code java -XX:+UseSerialGC -cp … dev.holdfast.benchmarks.jmh.CacheFootprint}
 */
public final class CacheFootprint {
    private static final int ENTRIES = 20_000;

    private CacheFootprint() {}

    /**
     * Prints one line for each length of text.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        PrintStream out = System.out;
        out.printf(Locale.ROOT, "%12s %16s %16s %8s%n", "text", "heap per entry", "weight", "ratio");
        for (int length : new int[] {100, 1_000, 10_000}) {
            int entries = length == 10_000 ? ENTRIES / 4 : ENTRIES;
            var cache = new CaffeineResponseCache(Long.MAX_VALUE / 2);
            long before = used();
            for (int i = 0; i < entries; i++) {
                put(cache, i, length);
            }
            double heap = (double) (used() - before) / entries;
            double weight = (double) cache.weight() / cache.size();
            out.printf(Locale.ROOT, "%12d %16.0f %16.0f %8.2f%n", length, heap, weight, weight / heap);
        }
    }

    /** Answers come from JSON texts of their own, as from the wire, so that they share nothing. */
    private static void put(CaffeineResponseCache cache, int number, int length) {
        ModelResponse pattern = CacheRequests.response(length);
        var document = JsonText.parse(pattern.document()
                        .with("id", dev.holdfast.JsonValue.of("chatcmpl-" + number))
                        .toJson())
                .asObject()
                .orElseThrow();
        String text = document.list("choices")
                .getFirst()
                .asObject()
                .orElseThrow()
                .object("message")
                .orElseThrow()
                .text("content")
                .orElseThrow();
        ModelAnswer whole = pattern.answer();
        var answer = new ModelAnswer(
                whole.form(),
                document,
                document.text("model"),
                java.util.Optional.of(text),
                whole.toolCalls(),
                whole.finishReason(),
                whole.usage());
        ModelRequest request = ModelRequest.chat("m").user("question " + number).build();
        Instant now = Instant.now();
        cache.put(
                CanonicalRequest.of(request).key(CallOptions.none(), "default"),
                new CachedAnswer(answer, pattern.servedBy().orElseThrow(), now, now.plusSeconds(3_600)));
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
