package dev.holdfast.core;

import dev.holdfast.core.internal.discovery.Discovery;
import dev.holdfast.spi.Dialect;
import java.util.Map;

/** The languages of providers that Holdfast speaks, for servers of your own in front of a client. */
public final class Dialects {
    private Dialects() {}

    /** {@return the built-in dialects by name, those that a client has without being given any} */
    public static Map<String, Dialect> builtIn() {
        return Map.copyOf(BuiltIns.dialects(Discovery.none(), Map.of()));
    }
}
