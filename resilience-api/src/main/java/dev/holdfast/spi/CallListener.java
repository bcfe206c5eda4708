package dev.holdfast.spi;

import dev.holdfast.CallEvent;

/**
 * Hears everything that happens, in order.
 *
 * <p>Called by the thread that caused the event, often inside a call: it must not block. What it throws is logged and
 * changes nothing.
 */
@FunctionalInterface
public interface CallListener {
    /**
     * Hears an event.
     *
     * @param event what happened
     */
    void onEvent(CallEvent event);
}
