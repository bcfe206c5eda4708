package dev.holdfast.spi;

import dev.holdfast.ModelAnswer;
import dev.holdfast.Target;
import java.time.Duration;
import java.util.Optional;

/**
 * Remembers which keys are being executed and what came of them, so that one key is executed once.
 *
 * <p>Called by the thread of the call. {@link #reserve} is atomic: of several callers with one key, one is told that it is
 * {@link Reserved}. It may throw any unchecked exception; the configuration says whether the call then goes on.
 */
public interface IdempotencyStore {
    /**
     * Takes a key, or says who has it.
     *
     * @param key the key
     * @param fingerprint a digest of method, path and body
     * @param lifetime how long the key is remembered
     * @return what is known of it
     */
    Reservation reserve(Key key, String fingerprint, Duration lifetime);

    /**
     * Takes a key like {@link #reserve}, but also one of which no one knows whether it was executed: for callers whose
     * provider executes a key once, so that executing it again settles the question. It is as atomic, and begins a new
     * lifetime.
     *
     * <p>A store that does not offer this leaves such a key {@link Unknown}.
     *
     * @param key the key
     * @param fingerprint a digest of method, path and body
     * @param lifetime how long the key is remembered
     * @return what is known of it; never {@link Unknown} where the store offers this
     */
    default Reservation takeOver(Key key, String fingerprint, Duration lifetime) {
        return reserve(key, fingerprint, lifetime);
    }

    /**
     * Stores the answer of a key.
     *
     * @param key the key
     * @param token the token of the reservation
     * @param answer the answer
     */
    void complete(Key key, String token, GivenAnswer answer);

    /**
     * Frees a key whose execution never reached the provider.
     *
     * @param key the key
     * @param token the token of the reservation
     */
    void release(Key key, String token);

    /**
     * Says that no one knows whether the key was executed.
     *
     * @param key the key
     * @param token the token of the reservation
     */
    void markUnknown(Key key, String token);

    /**
     * A key within its scope.
     *
     * @param scope whose it is
     * @param value the key
     */
    record Key(String scope, String value) {
        @Override
        public String toString() {
            return "Key[" + value + "]";
        }
    }

    /**
     * An answer as it was given the first time.
     *
     * @param answer the answer
     * @param servedBy the target that gave it; empty where none did
     */
    record GivenAnswer(ModelAnswer answer, Optional<Target> servedBy) {}

    /** What a store knows of a key. */
    sealed interface Reservation {}

    /**
     * The key was free and is now the caller's.
     *
     * @param token proves it
     */
    record Reserved(String token) implements Reservation {}

    /** Another caller executes it. */
    record InFlight() implements Reservation {}

    /**
     * It was executed.
     *
     * @param answer what came of it
     */
    record Completed(GivenAnswer answer) implements Reservation {}

    /** It may have been executed; no one knows. */
    record Unknown() implements Reservation {}

    /** It was used for another request. */
    record Conflict() implements Reservation {}
}
