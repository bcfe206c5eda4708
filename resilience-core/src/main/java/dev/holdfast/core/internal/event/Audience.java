package dev.holdfast.core.internal.event;

import dev.holdfast.CallEvent;
import java.util.concurrent.atomic.AtomicReference;

/** Who hears what happens to breakers and orders, which may outlive the client that made them: the latest client's listeners. */
public final class Audience {
    private final AtomicReference<Events> current;

    /**
     * Creates an audience.
     *
     * @param first who hears until others do
     */
    public Audience(Events first) {
        this.current = new AtomicReference<>(first);
    }

    /**
     * From now on others hear.
     *
     * @param next who
     */
    public void becomes(Events next) {
        current.set(next);
    }

    /**
     * Hands out an event.
     *
     * @param event what happened
     */
    public void emit(CallEvent event) {
        current.get().emit(event);
    }
}
