package dev.holdfast.routing.internal.ledger;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * Immutable values by key, no more than so many: a map keyed by what callers send must not grow without end. Who was idle
 * longest goes first, a sixteenth of all at once, and is handed over, so that nothing is lost silently.
 *
 * @param <K> the keys
 * @param <V> the values, immutable
 */
public final class IdleMap<K, V> {
    private final int most;
    private final V first;
    private final BiConsumer<? super K, ? super V> evicted;
    private final ConcurrentHashMap<K, Kept<V>> kept = new ConcurrentHashMap<>();
    private final AtomicBoolean evicting = new AtomicBoolean();

    private record Kept<V>(V value, long usedNanos) {}

    /**
     * @param most the most values, at least 1; while others add theirs there may be a few more
     * @param first the value of a key before its first change
     * @param evicted takes what leaves the map
     */
    public IdleMap(int most, V first, BiConsumer<? super K, ? super V> evicted) {
        if (most < 1) {
            throw new IllegalArgumentException("most: " + most + " (expected: >= 1)");
        }
        this.most = most;
        this.first = first;
        this.evicted = evicted;
    }

    /** Changes the value of a key, atomically. The change must not block or use this map. */
    public void change(K key, long nowNanos, UnaryOperator<V> change) {
        kept.compute(
                key, (each, before) -> new Kept<>(change.apply(before == null ? first : before.value()), nowNanos));
        if (kept.size() > most && evicting.compareAndSet(false, true)) {
            try {
                evict(nowNanos);
            } finally {
                evicting.set(false);
            }
        }
    }

    private void evict(long nowNanos) {
        int surplus = kept.size() - most + most / 16;
        List<Map.Entry<K, Kept<V>>> idle = kept.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(entry -> entry.getValue().usedNanos() - nowNanos))
                .limit(surplus)
                .toList();
        for (Map.Entry<K, Kept<V>> entry : idle) {
            // One that was used meanwhile is another value, and stays.
            if (kept.remove(entry.getKey(), entry.getValue())) {
                evicted.accept(entry.getKey(), entry.getValue().value());
            }
        }
    }

    /** The value of a key; the first one where there is none. */
    public V get(K key) {
        Kept<V> found = kept.get(key);
        return found == null ? first : found.value();
    }

    /** All values, each as it was at some moment of the call. */
    public Map<K, V> copy() {
        var copy = new HashMap<K, V>();
        kept.forEach((key, value) -> copy.put(key, value.value()));
        return copy;
    }
}
