package dev.holdfast.core.internal.event;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

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
            makeRoom(now);
        }
        var suppressed = new AtomicLong(-1);
        entries.compute(key, (each, before) -> {
            if (before != null && now - before.atNanos < INTERVAL_NANOS) {
                return new Entry(before.atNanos, before.suppressed + 1);
            }
            suppressed.set(before == null ? 0 : before.suppressed);
            return new Entry(now, 0);
        });
        return suppressed.get() < 0 ? Optional.empty() : Optional.of(suppressed.get());
    }

    private void makeRoom(long now) {
        entries.values().removeIf(entry -> now - entry.atNanos >= INTERVAL_NANOS);
        if (entries.size() >= MOST_KEYS) {
            entries.keySet().stream().findFirst().ifPresent(entries::remove);
        }
    }

    private record Entry(long atNanos, long suppressed) {}
}
