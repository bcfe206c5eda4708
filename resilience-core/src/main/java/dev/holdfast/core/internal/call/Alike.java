package dev.holdfast.core.internal.call;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Keeps one of many values that say the same, since a million calls that wait may each hold one: the header fields of one
 * endpoint, the failure that all had there. It remembers a few; who comes with another has his own. Safe for use by any number
 * of threads.
 *
 * @param <T> what it keeps; equal ones are never told apart
 */
final class Alike<T> {
    private static final int PLACES = 64;

    private final AtomicReferenceArray<T> kept = new AtomicReferenceArray<>(PLACES);

    /** {@return an equal value, the same as for others before where that is known still} */
    T same(T value) {
        int hash = value.hashCode();
        int place = (hash ^ hash >>> 16) & (PLACES - 1);
        T known = kept.get(place);
        if (value.equals(known)) {
            return known;
        }
        kept.set(place, value);
        return value;
    }
}
