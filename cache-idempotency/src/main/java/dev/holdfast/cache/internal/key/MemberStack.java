package dev.holdfast.cache.internal.key;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object and of those it stands in, one object above the other, each in the order of RFC 8785: by the UTF-16
 * code units of their names, as {@link String#compareTo} has it. Few are sorted in place as they come. For one thread.
 */
final class MemberStack implements BiConsumer<String, JsonValue> {
    private static final int FEW = 16;
    private static final int ROOM = 16;

    @SuppressWarnings("UnnecessaryLambda") // made once, not for each object
    private static final BiPredicate<String, JsonValue> EVERY_MEMBER = (name, value) -> true;

    private @Nullable String[] names = new String[ROOM];
    private @Nullable JsonValue[] values = new JsonValue[ROOM];
    private BiPredicate<String, JsonValue> counts = EVERY_MEMBER;
    private boolean few;
    private int base;
    private int top;

    /** Puts the members of an object on top. {@return where they begin; they end at {@link #top}} */
    int push(JsonObject object) {
        return push(object, EVERY_MEMBER);
    }

    /** Puts those members of an object on top that count. {@return where they begin} */
    int push(JsonObject object, BiPredicate<String, JsonValue> counting) {
        Map<String, JsonValue> members = object.members();
        int size = members.size();
        if (names.length - top < size) {
            int length = Math.max(2 * names.length, top + size);
            names = Arrays.copyOf(names, length);
            values = Arrays.copyOf(values, length);
        }
        counts = counting;
        few = size <= FEW;
        base = top;
        members.forEach(this);
        if (!few) {
            sort(members);
        }
        return base;
    }

    /** Takes everything from there on away. */
    void pop(int from) {
        top = from;
    }

    int top() {
        return top;
    }

    @SuppressWarnings("NullAway") // below the top nothing is null
    String name(int index) {
        return names[index];
    }

    @SuppressWarnings("NullAway") // below the top nothing is null
    JsonValue value(int index) {
        return values[index];
    }

    @Override
    @SuppressWarnings("NullAway") // below the top nothing is null
    public void accept(String name, JsonValue value) {
        if (!counts.test(name, value)) {
            return;
        }
        int at = top++;
        if (few) {
            while (at > base && names[at - 1].compareTo(name) > 0) {
                names[at] = names[at - 1];
                values[at] = values[at - 1];
                at--;
            }
        }
        names[at] = name;
        values[at] = value;
    }

    /** Many: names first, then their values again. */
    private void sort(Map<String, JsonValue> members) {
        Arrays.sort(names, base, top);
        for (int i = base; i < top; i++) {
            values[i] = members.get(names[i]);
        }
    }
}
