package dev.holdfast.spi;

import dev.holdfast.Adjustment;
import dev.holdfast.ModelAnswer;
import dev.holdfast.Target;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Remembers which keys are being executed and what came of them, so that one key is executed once.
 *
 * <p>Called by the thread of the call, but for {@link #renew}. {@link #reserve} is atomic: of several callers with one key,
 * one is told that it is {@link Reserved}. It may throw any unchecked exception; the configuration says whether the call then
 * goes on.
 *
 * <p><b>Leases.</b> A store that outlives the processes that use it must not keep a key in flight for one that has died. Such a
 * store says how long its {@linkplain #lease() lease} is: a reservation that is not renewed for so long is in doubt, as if it
 * had been {@linkplain #markUnknown marked} so. It never becomes free by itself before the key is forgotten, since nobody can say
 * whether it was executed. A store that ends with its process needs none of this.
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
     * {@return how long a reservation holds without being renewed; empty for a store that ends with its process} Asked once, by
     * whoever is going to reserve; positive, and the same at any time. Ten seconds are a good lease.
     */
    default Optional<Duration> lease() {
        return Optional.empty();
    }

    /**
     * Says that a key is still being executed, so that its lease begins anew. Called about three times in a lease for each key
     * in flight, by a thread of its own, and only where there is a {@link #lease()}. The key's lifetime stays as it is. A
     * reservation whose lease has passed, and which nobody took over, holds again; a token that is not the reservation's
     * changes nothing.
     *
     * @param key the key
     * @param token the token of the reservation
     */
    default void renew(Key key, String token) {}

    /**
     * Stores the answer of a key. One that comes after its lease has passed settles the doubt, unless the key was taken over.
     *
     * @param key the key
     * @param token the token of the reservation
     * @param answer the answer
     */
    void complete(Key key, String token, GivenAnswer answer);

    /**
     * Frees a key whose execution never reached the provider, also after its lease has passed.
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
     * @param adjusted what was changed in the request for that target, which a replay tells again
     */
    record GivenAnswer(ModelAnswer answer, Optional<Target> servedBy, List<Adjustment> adjusted) {
        /** Copies the list. */
        public GivenAnswer {
            adjusted = List.copyOf(adjusted);
        }

        /**
         * An answer to a request that was not changed.
         *
         * @param answer the answer
         * @param servedBy the target that gave it; empty where none did
         */
        public GivenAnswer(ModelAnswer answer, Optional<Target> servedBy) {
            this(answer, servedBy, List.of());
        }
    }

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

    /** It may have been executed; no one knows. Said so by {@link #markUnknown}, or by a lease that has passed. */
    record Unknown() implements Reservation {}

    /** It was used for another request. */
    record Conflict() implements Reservation {}
}
