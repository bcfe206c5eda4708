package dev.holdfast.core.internal.registry;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One instance for each key, and no more than so many: a map keyed by what callers send must not grow without end. Who
 * was idle longest goes first.
 *
 * @param <K> the keys
 * @param <V> the instances
 */
public final class BoundedRegistry<K, V> {
    private final int maxSize;
    private final Function<? super K, ? extends V> factory;
    private final Consumer<? super V> dropped;
    private final ConcurrentHashMap<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final AtomicLong uses = new AtomicLong();

    /**
     * @param maxSize the most instances, at least 1; while others add theirs there may be as many more
     * @param factory makes an instance; must not block or use this registry
     */
    public BoundedRegistry(int maxSize, Function<? super K, ? extends V> factory) {
        this(maxSize, factory, value -> {});
    }

    /**
     * @param maxSize the most instances, at least 1; while others add theirs there may be as many more
     * @param factory makes an instance; must not block or use this registry
     * @param dropped is given each instance that made room for another
     */
    public BoundedRegistry(int maxSize, Function<? super K, ? extends V> factory, Consumer<? super V> dropped) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("maxSize: " + maxSize + " (expected: >= 1)");
        }
        this.maxSize = maxSize;
        this.factory = factory;
        this.dropped = dropped;
    }

    /** {@return the instance of the key, a new one if there is none} */
    public V get(K key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            entry = entries.computeIfAbsent(
                    key, missing -> new Entry<>(factory.apply(missing), uses.incrementAndGet()));
            evict(entry);
        }
        touch(entry);
        return entry.value;
    }

    /** Takes over an instance from elsewhere, unless there is one of that key. */
    public void adopt(K key, V value) {
        entries.putIfAbsent(key, new Entry<>(value, uses.incrementAndGet()));
    }

    public int size() {
        return entries.size();
    }

    /** {@return the instances as they are now, in no order} */
    public Map<K, V> snapshot() {
        var copy = new HashMap<K, V>();
        entries.forEach((key, entry) -> copy.put(key, entry.value));
        return Map.copyOf(copy);
    }

    /** Who was used last needs no new number: a hot key is only read. */
    private void touch(Entry<V> entry) {
        if (entry.lastUse != uses.get()) {
            entry.lastUse = uses.incrementAndGet();
        }
    }

    private void evict(Entry<V> added) {
        while (entries.size() > maxSize) {
            Map.Entry<K, Entry<V>> idle = null;
            for (Map.Entry<K, Entry<V>> each : entries.entrySet()) {
                if (each.getValue() != added && (idle == null || each.getValue().lastUse < idle.getValue().lastUse)) {
                    idle = each;
                }
            }
            if (idle == null) {
                return;
            }
            if (entries.remove(idle.getKey(), idle.getValue())) {
                dropped.accept(idle.getValue().value);
            }
        }
    }

    private static final class Entry<V> {
        private final V value;
        private volatile long lastUse;

        private Entry(V value, long lastUse) {
            this.value = value;
            this.lastUse = lastUse;
        }
    }
}
