package dev.holdfast.cache.internal.idempotency;

import dev.holdfast.cache.internal.store.StoreWarning;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells a store, again and again, which keys this process still executes. A thread does so while there are any, and only for a
 * store whose reservations end by themselves.
 */
final class LeaseKeeper {
    private static final Duration LEAST_PAUSE = Duration.ofMillis(1);

    private final IdempotencyStore store;
    private final StoreWarning warning;
    private final Timekeeper timekeeper;
    private final Optional<Duration> pause;
    private final Set<Held> held = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean working = new AtomicBoolean();

    LeaseKeeper(IdempotencyStore store, StoreWarning warning, Timekeeper timekeeper) {
        this.store = store;
        this.warning = warning;
        this.timekeeper = timekeeper;
        this.pause = store.lease().map(LeaseKeeper::pauseOf);
    }

    /** A reservation of this process. */
    private record Held(IdempotencyStore.Key key, String token) {}

    /** Two renewals may be lost before a lease has passed. */
    private static Duration pauseOf(Duration lease) {
        if (!lease.isPositive()) {
            throw new IllegalArgumentException("lease: " + lease + " (expected: > 0)");
        }
        Duration third = lease.dividedBy(3);
        return third.compareTo(LEAST_PAUSE) < 0 ? LEAST_PAUSE : third;
    }

    void begun(IdempotencyStore.Key key, String token) {
        if (pause.isPresent()) {
            held.add(new Held(key, token));
            if (working.compareAndSet(false, true)) {
                timekeeper.start("holdfast-idempotency-lease", () -> work(pause.get()));
            }
        }
    }

    void ended(IdempotencyStore.Key key, String token) {
        held.remove(new Held(key, token));
    }

    private void work(Duration length) {
        try {
            do {
                while (!held.isEmpty()) {
                    timekeeper.sleep(length);
                    held.forEach(this::renew);
                }
                working.set(false);
                // Who began just before saw a thread at work and relies on it.
            } while (!held.isEmpty() && working.compareAndSet(false, true));
        } catch (InterruptedException e) {
            working.set(false);
        }
    }

    private void renew(Held each) {
        try {
            store.renew(each.key, each.token);
        } catch (RuntimeException | Error e) {
            warning.warn("a reservation could not be renewed", e, "to others its key may be in doubt");
        }
    }
}
