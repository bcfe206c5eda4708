package dev.holdfast.cache.internal.key;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

/**
 * The members of an object that count, in the order of RFC 8785: by the UTF-16 code units of their names, as
 * {@link String#compareTo} has it. Few are sorted in place as they come.
 */
final class SortedMembers implements BiConsumer<String, JsonValue> {
    private static final int FEW = 16;

    private final BiPredicate<String, JsonValue> counts;
    private final String[] names;
    private final JsonValue[] values;
    private int count;

    private SortedMembers(int size, BiPredicate<String, JsonValue> counts) {
        this.counts = counts;
        this.names = new String[size];
        this.values = new JsonValue[size];
    }

    static SortedMembers of(JsonObject object, BiPredicate<String, JsonValue> counts) {
        Map<String, JsonValue> members = object.members();
        var sorted = new SortedMembers(members.size(), counts);
        members.forEach(sorted);
        if (sorted.names.length > FEW) {
            sorted.sort(members);
        }
        return sorted;
    }

    int count() {
        return count;
    }

    String name(int index) {
        return names[index];
    }

    JsonValue value(int index) {
        return values[index];
    }

    @Override
    public void accept(String name, JsonValue value) {
        if (!counts.test(name, value)) {
            return;
        }
        int at = count++;
        if (names.length <= FEW) {
            while (at > 0 && names[at - 1].compareTo(name) > 0) {
                names[at] = names[at - 1];
                values[at] = values[at - 1];
                at--;
            }
        }
        names[at] = name;
        values[at] = value;
    }

    /** Many: names first, then their values again. */
    @SuppressWarnings("NullAway") // the names are those of the members
    private void sort(Map<String, JsonValue> members) {
        Arrays.sort(names, 0, count);
        for (int i = 0; i < count; i++) {
            values[i] = members.get(names[i]);
        }
    }
}
