package dev.holdfast.core.internal.stream;

import dev.holdfast.spi.ServerSentEvent;
import java.util.Locale;
import java.util.Set;

/** Events that only keep a connection alive, in the forms that are no document of any dialect. */
final class KeepAlives {
    private static final Set<String> NAMES = Set.of("ping", "keepalive", "keep-alive", "heartbeat");

    private KeepAlives() {}

    /** Whether an event says nothing: no data, a comment sent as data, or a ping whose data is no object. */
    static boolean isOne(ServerSentEvent event) {
        String name = event.event().toLowerCase(Locale.ROOT);
        if (name.equals("error") || name.endsWith("exception")) {
            return false;
        }
        String data = event.data();
        int first = 0;
        while (first < data.length() && Character.isWhitespace(data.charAt(first))) {
            first++;
        }
        return first == data.length()
                || data.charAt(first) == ':'
                || (NAMES.contains(name) && data.charAt(first) != '{');
    }
}
