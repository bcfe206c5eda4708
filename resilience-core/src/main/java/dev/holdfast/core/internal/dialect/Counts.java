package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue.JsonObject;
import java.util.OptionalLong;

/** Reads counts of tokens: whole numbers that are not negative; anything else is no count. */
final class Counts {
    /** No answer has more tokens than this; sums of such counts do not overflow. */
    private static final long MOST = 1_000_000_000_000_000L;

    private Counts() {}

    static OptionalLong of(JsonObject object, String name) {
        OptionalLong count = object.longValue(name);
        return count.isPresent() && count.getAsLong() >= 0
                ? OptionalLong.of(Math.min(MOST, count.getAsLong()))
                : OptionalLong.empty();
    }

    /** The count, 0 where it is missing. */
    static long or0(JsonObject object, String name) {
        return of(object, name).orElse(0);
    }
}
