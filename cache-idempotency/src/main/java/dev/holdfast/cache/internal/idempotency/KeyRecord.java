package dev.holdfast.cache.internal.idempotency;

import dev.holdfast.spi.IdempotencyStore.Completed;
import dev.holdfast.spi.IdempotencyStore.Conflict;
import dev.holdfast.spi.IdempotencyStore.GivenAnswer;
import dev.holdfast.spi.IdempotencyStore.InFlight;
import dev.holdfast.spi.IdempotencyStore.Reservation;
import dev.holdfast.spi.IdempotencyStore.Unknown;
import java.time.Duration;
import java.util.Optional;

/** What is remembered of one key: an immutable snapshot that is replaced whole. */
public record KeyRecord(
        Phase phase, String token, String fingerprint, Duration lifetime, Optional<GivenAnswer> answer) {
    /** How far the execution is. */
    public enum Phase {
        /** Someone executes it. */
        IN_FLIGHT,
        /** It was executed and its answer is here. */
        COMPLETED,
        /** No one knows. */
        UNKNOWN
    }

    /** A key just taken. */
    public static KeyRecord reserved(String token, String fingerprint, Duration lifetime) {
        return new KeyRecord(Phase.IN_FLIGHT, token, fingerprint, lifetime, Optional.empty());
    }

    /** The same key, executed. */
    public KeyRecord completed(GivenAnswer result) {
        return new KeyRecord(Phase.COMPLETED, token, fingerprint, lifetime, Optional.of(result));
    }

    /** The same key, its execution in doubt. */
    public KeyRecord unknown() {
        return new KeyRecord(Phase.UNKNOWN, token, fingerprint, lifetime, Optional.empty());
    }

    /** Whether the token is the one of this reservation. */
    public boolean belongsTo(String presented) {
        return token.equals(presented);
    }

    /** What a caller with that fingerprint is told. */
    public Reservation seenBy(String presented) {
        if (!fingerprint.equals(presented)) {
            return new Conflict();
        }
        return switch (phase) {
            case IN_FLIGHT -> new InFlight();
            case UNKNOWN -> new Unknown();
            case COMPLETED -> answer.<Reservation>map(Completed::new).orElseGet(Unknown::new);
        };
    }
}
