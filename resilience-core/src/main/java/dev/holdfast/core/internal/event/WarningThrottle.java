package dev.holdfast.core.internal.event;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Lets a warning through once in 10 s for each key, and counts what it held back. */
final class WarningThrottle {
    private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int MOST_KEYS = 1_000;

    private final Timekeeper timekeeper;
    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

    WarningThrottle(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** How many were held back since the last one, if this one may be logged. */
    Optional<Long> admit(String key) {
        long now = timekeeper.nanoTime();
        if (entries.size() >= MOST_KEYS) {
            entries.values().removeIf(entry -> now - entry.atNanos >= INTERVAL_NANOS);
        }
        Entry before = entries.get(key);
        if (before != null && now - before.atNanos < INTERVAL_NANOS) {
            entries.put(key, new Entry(before.atNanos, before.suppressed + 1));
            return Optional.empty();
        }
        entries.put(key, new Entry(now, 0));
        return Optional.of(before == null ? 0 : before.suppressed);
    }

    private record Entry(long atNanos, long suppressed) {}
}
