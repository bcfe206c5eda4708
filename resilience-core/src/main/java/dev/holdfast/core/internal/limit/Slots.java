package dev.holdfast.core.internal.limit;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The free places of a bulkhead that nobody waits for, in one word. Whoever wants to change anything else seals it first; what
 * was free then stands. The top bit is for sealed.
 */
final class Slots {
    private final AtomicInteger word;

    Slots(int free) {
        this.word = new AtomicInteger(free);
    }

    /** Takes a place, unless it is sealed or none is free. */
    boolean take() {
        int seen = word.get();
        while (seen > 0) {
            if (word.compareAndSet(seen, seen - 1)) {
                return true;
            }
            seen = word.get();
        }
        return false;
    }

    /** Gives a place back, unless it is sealed. */
    boolean giveBack() {
        int seen = word.get();
        while (seen >= 0) {
            if (word.compareAndSet(seen, seen + 1)) {
                return true;
            }
            seen = word.get();
        }
        return false;
    }

    void seal() {
        word.getAndUpdate(seen -> seen | Integer.MIN_VALUE);
    }

    boolean isSealed() {
        return word.get() < 0;
    }

    int free() {
        return word.get() & Integer.MAX_VALUE;
    }
}
