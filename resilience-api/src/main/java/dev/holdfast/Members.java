package dev.holdfast;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object, in order, never to change: two arrays, a third of what a hash table takes. Few members are found
 * by comparing names; more have a table, so that a document with a million of them, or with names that collide, costs no
 * more than it should.
 */
final class Members extends AbstractMap<String, JsonValue> implements SequencedMap<String, JsonValue> {
    /** Up to here comparing is faster than hashing. */
    private static final int FEW = 8;

    private static final int SMALLEST = 4;

    static final Members NONE = new Members(new String[0], new JsonValue[0], 0, null);

    private final String[] names;
    private final JsonValue[] values;
    private final int size;
    private final @Nullable Map<String, Integer> positions;

    private Members(String[] names, JsonValue[] values, int size, @Nullable Map<String, Integer> positions) {
        this.names = names;
        this.values = values;
        this.size = size;
        this.positions = positions;
    }

    /** The members of a map, copied unless they are of this kind. */
    static Members of(Map<String, JsonValue> map) {
        if (map instanceof Members members) {
            return members;
        }
        var building = new Building(map.size());
        map.forEach(building::put);
        return building.finish();
    }

    /** These members and room for so many more, to go on with. */
    Building building(int more) {
        return new Building(this, more);
    }

    private static int indexOf(
            String[] names, int size, @Nullable Map<String, Integer> positions, @Nullable Object name) {
        if (positions != null) {
            return positions.getOrDefault(name, -1);
        }
        if (!(name instanceof String wanted)) {
            return -1;
        }
        for (int i = 0; i < size; i++) {
            if (names[i].length() == wanted.length() && names[i].equals(wanted)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public @Nullable JsonValue get(@Nullable Object name) {
        int at = indexOf(names, size, positions, name);
        return at < 0 ? null : values[at];
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return indexOf(names, size, positions, name) >= 0;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super JsonValue> action) {
        for (int i = 0; i < size; i++) {
            action.accept(names[i], values[i]);
        }
    }

    @Override
    public Collection<JsonValue> values() {
        return Collections.unmodifiableList(Arrays.asList(values).subList(0, size));
    }

    @Override
    public Set<Map.Entry<String, JsonValue>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public Iterator<Map.Entry<String, JsonValue>> iterator() {
                return entries();
            }
        };
    }

    private Iterator<Map.Entry<String, JsonValue>> entries() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public Map.Entry<String, JsonValue> next() {
                if (next >= size) {
                    throw new NoSuchElementException();
                }
                int at = next++;
                return Map.entry(names[at], values[at]);
            }
        };
    }

    @Override
    public SequencedMap<String, JsonValue> reversed() {
        var copy = new LinkedHashMap<String, JsonValue>();
        for (int i = size - 1; i >= 0; i--) {
            copy.put(names[i], values[i]);
        }
        return Collections.unmodifiableSequencedMap(copy);
    }

    /** Members that come one by one. Whoever has them when they are finished has them alone. */
    static final class Building {
        private String[] names;
        private JsonValue[] values;
        private int size;
        private @Nullable Map<String, Integer> positions;
        private boolean finished;

        Building(int expected) {
            int length = Math.max(SMALLEST, expected);
            this.names = new String[length];
            this.values = new JsonValue[length];
        }

        private Building(Members before, int more) {
            int length = Math.max(SMALLEST, before.size + more);
            Map<String, Integer> known = before.positions;
            this.names = Arrays.copyOf(before.names, length);
            this.values = Arrays.copyOf(before.values, length);
            this.size = before.size;
            this.positions = known == null ? null : new HashMap<>(known);
        }

        int size() {
            return size;
        }

        boolean contains(String name) {
            return indexOf(names, size, positions, name) >= 0;
        }

        /** Sets a member: in its old place if it is there, else at the end. */
        void put(String name, JsonValue value) {
            Objects.requireNonNull(name);
            Objects.requireNonNull(value);
            if (finished) {
                copy(names.length);
            }
            int at = indexOf(names, size, positions, name);
            if (at >= 0) {
                values[at] = value;
            } else {
                append(name, value);
            }
        }

        private void append(String name, JsonValue value) {
            if (size == names.length) {
                copy(2 * size);
            }
            names[size] = name;
            values[size] = value;
            size++;
            if (positions != null) {
                positions.put(name, size - 1);
            } else if (size > FEW) {
                positions = table();
            }
        }

        private Map<String, Integer> table() {
            var table = HashMap.<String, Integer>newHashMap(2 * size);
            for (int i = 0; i < size; i++) {
                table.put(names[i], i);
            }
            return table;
        }

        private void copy(int length) {
            names = Arrays.copyOf(names, length);
            values = Arrays.copyOf(values, length);
            if (finished && positions != null) {
                positions = new HashMap<>(positions);
            }
            finished = false;
        }

        /** The members so far. What is put later does not change them. */
        Members finish() {
            finished = true;
            return size == 0 ? NONE : new Members(names, values, size, positions);
        }
    }
}
