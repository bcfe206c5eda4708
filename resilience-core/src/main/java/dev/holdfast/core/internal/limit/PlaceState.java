package dev.holdfast.core.internal.limit;

import dev.holdfast.Priority;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bulkhead at one moment: either nobody waits and {@code open} counts the free places, or they are counted here.
 *
 * @param limit how many places there are
 * @param inFlight how many are taken; only where {@code open} is null
 * @param line who waits
 * @param open counts the free places; null where somebody waits, or more are taken than there are
 * @param served who was given a place by the very step that led here
 */
record PlaceState(
        int limit, int inFlight, Line line, @Nullable Slots open, List<Waiter> served) {
    static PlaceState initial(int limit) {
        return new PlaceState(limit, 0, Line.EMPTY, new Slots(limit), List.of());
    }

    /** {@return this state, counted here; what is open is sealed} */
    PlaceState counted() {
        if (open == null) {
            return new PlaceState(limit, inFlight, line, null, List.of());
        }
        open.seal();
        return new PlaceState(limit, limit - open.free(), line, null, List.of());
    }

    int taken() {
        return open == null ? inFlight : limit - open.free();
    }

    long lastIndexOf(Priority priority) {
        return line.lastIndex(priority);
    }

    PlaceState released(int places) {
        return new PlaceState(limit, inFlight - places, line, null, served).settled();
    }

    PlaceState resized(int most) {
        return new PlaceState(most, inFlight, line, null, served).settled();
    }

    PlaceState queued(Waiter waiter) {
        return new PlaceState(limit, inFlight, line.plus(waiter), null, served).settled();
    }

    PlaceState without(Waiter waiter, long index) {
        return new PlaceState(limit, inFlight, line.without(waiter.priority(), index), null, served).settled();
    }

    /** Gives free places to those who wait, and opens what is left when nobody does. */
    PlaceState settled() {
        var turns = new ArrayList<Waiter>(0);
        Line waiting = line;
        int running = inFlight;
        Waiter first = waiting.first();
        while (first != null && running < limit) {
            turns.add(first);
            waiting = waiting.served();
            running++;
            first = waiting.first();
        }
        Slots free = first == null && running <= limit ? new Slots(limit - running) : null;
        return new PlaceState(limit, running, waiting, free, List.copyOf(turns));
    }
}
