package dev.holdfast.tests.plugins;

import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store as several processes share it: it outlives them, so what one holds ends without its word. */
public final class LeasedKeys implements IdempotencyStore {
    private final Timekeeper time;
    private final Duration lease;
    private final AtomicLong tokens = new AtomicLong();
    private final ConcurrentHashMap<Key, Held> keys = new ConcurrentHashMap<>();

    public LeasedKeys(Timekeeper time, Duration lease) {
        this.time = time;
        this.lease = lease;
    }

    private enum Phase {
        IN_FLIGHT,
        COMPLETED,
        UNKNOWN
    }

    private record Held(
            String token,
            String fingerprint,
            Phase phase,
            Optional<GivenAnswer> answer,
            long forgetAt,
            long leaseEndsAt) {
        Held as(Phase changed, Optional<GivenAnswer> given) {
            return new Held(token, fingerprint, changed, given, forgetAt, leaseEndsAt);
        }

        Held until(long changed) {
            return new Held(token, fingerprint, phase, answer, forgetAt, changed);
        }

        Reservation seenBy(String presented, long now) {
            if (!fingerprint.equals(presented)) {
                return new Conflict();
            }
            return switch (phase) {
                case COMPLETED -> new Completed(answer.orElseThrow());
                case UNKNOWN -> new Unknown();
                case IN_FLIGHT -> now - leaseEndsAt >= 0 ? new Unknown() : new InFlight();
            };
        }
    }

    @Override
    public Optional<Duration> lease() {
        return Optional.of(lease);
    }

    @Override
    public Reservation reserve(Key key, String fingerprint, Duration lifetime) {
        return take(key, fingerprint, lifetime, false);
    }

    @Override
    public Reservation takeOver(Key key, String fingerprint, Duration lifetime) {
        return take(key, fingerprint, lifetime, true);
    }

    private Reservation take(Key key, String fingerprint, Duration lifetime, boolean alsoInDoubt) {
        long now = time.nanoTime();
        String token = "token-" + tokens.incrementAndGet();
        var fresh = new Held(
                token, fingerprint, Phase.IN_FLIGHT, Optional.empty(), now + lifetime.toNanos(), now + lease.toNanos());
        var seen = new Reservation[] {new Reserved(token)};
        keys.compute(key, (each, held) -> {
            if (held == null || now - held.forgetAt >= 0) {
                return fresh;
            }
            Reservation known = held.seenBy(fingerprint, now);
            if (known instanceof Unknown && alsoInDoubt) {
                return fresh;
            }
            seen[0] = known;
            return held;
        });
        return seen[0];
    }

    @Override
    public void renew(Key key, String token) {
        change(
                key,
                token,
                held -> held.phase == Phase.IN_FLIGHT ? held.until(time.nanoTime() + lease.toNanos()) : held);
    }

    @Override
    public void complete(Key key, String token, GivenAnswer answer) {
        change(
                key,
                token,
                held -> held.phase == Phase.COMPLETED ? held : held.as(Phase.COMPLETED, Optional.of(answer)));
    }

    @Override
    public void release(Key key, String token) {
        change(key, token, held -> held.phase == Phase.IN_FLIGHT ? null : held);
    }

    @Override
    public void markUnknown(Key key, String token) {
        change(key, token, held -> held.phase == Phase.IN_FLIGHT ? held.as(Phase.UNKNOWN, Optional.empty()) : held);
    }

    private void change(Key key, String token, UnaryOperator<@Nullable Held> change) {
        long now = time.nanoTime();
        keys.computeIfPresent(
                key, (each, held) -> held.token.equals(token) && now - held.forgetAt < 0 ? change.apply(held) : held);
    }
}
