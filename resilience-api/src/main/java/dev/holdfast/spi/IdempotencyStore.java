package dev.holdfast.spi;

import dev.holdfast.ModelAnswer;
import java.time.Duration;

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
     * Stores the answer of a key.
     *
     * @param key the key
     * @param token the token of the reservation
     * @param answer the answer
     */
    void complete(Key key, String token, ModelAnswer answer);

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
    record Key(String scope, String value) {}

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
    record Completed(ModelAnswer answer) implements Reservation {}

    /** It may have been executed; no one knows. */
    record Unknown() implements Reservation {}

    /** It was used for another request. */
    record Conflict() implements Reservation {}
}
