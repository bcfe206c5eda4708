package dev.holdfast.core;

import dev.holdfast.core.internal.dialect.BuiltInDialects;
import dev.holdfast.core.internal.discovery.Discovery;
import dev.holdfast.core.internal.event.LoggingListener;
import dev.holdfast.spi.CallListener;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a client has beside what its builder was given, and the checks of what that was. */
final class BuiltIns {
    private BuiltIns() {}

    /** The built-in dialects, those found beside them, and those given in the place of either. */
    static Map<String, Dialect> dialects(Discovery found, Map<String, Dialect> given) {
        var all = new LinkedHashMap<String, Dialect>();
        BuiltInDialects.all().forEach(dialect -> all.put(dialect.name(), dialect));
        found.dialects().forEach(dialect -> all.putIfAbsent(dialect.name(), dialect));
        all.putAll(given);
        return all;
    }

    static List<CallListener> listeners(boolean logging, Timekeeper timekeeper, List<CallListener> given) {
        Stream<CallListener> own = logging ? Stream.of(new LoggingListener(timekeeper)) : Stream.empty();
        return Stream.concat(own, given.stream()).toList();
    }

    static int inRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
        return value;
    }

    static long atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
        }
        return value;
    }

    static Duration atMostADay(String name, Duration value) {
        if (value.isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 0 to PT24H)");
        }
        return value;
    }
}
