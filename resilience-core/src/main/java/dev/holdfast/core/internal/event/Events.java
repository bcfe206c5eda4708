package dev.holdfast.core.internal.event;

import dev.holdfast.CallEvent;
import dev.holdfast.spi.CallListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands events to listeners, one by one; what a listener throws is logged and changes nothing. */
public final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);

    private final List<CallListener> listeners;

    /**
     * Creates the dispatcher.
     *
     * @param listeners who hears every event, in this order
     */
    public Events(List<CallListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /**
     * {@return these listeners and one more}
     *
     * @param listener hears the events of one call
     */
    public Events with(Consumer<? super CallEvent> listener) {
        var all = new ArrayList<>(listeners);
        all.add(listener::accept);
        return new Events(all);
    }

    /**
     * Hands out an event.
     *
     * @param event what happened
     */
    public void emit(CallEvent event) {
        for (CallListener listener : listeners) {
            tell(listener, event);
        }
    }

    private static void tell(CallListener listener, CallEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) {
            LOG.warn(
                    "a listener failed on {}; the call goes on",
                    event.getClass().getSimpleName(),
                    e);
        }
    }
}
