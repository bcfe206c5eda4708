package dev.holdfast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * HTTP header fields in the order they were added; names are compared without regard to case (RFC 9110, section 5.1).
 *
 * <p>{@code toString} hides the values of fields that carry secrets: a fixed list ({@code authorization},
 * {@code api-key}, {@code x-api-key}, {@code x-goog-api-key}, {@code cookie} …) and every name that ends in
 * {@code -token}, {@code -key} or {@code -secret}, apart from {@code idempotency-key}. {@link #toString(Set)} takes
 * further names.
 */
public final class Headers {
    private static final Headers EMPTY = new Headers(List.of());
    private static final Set<String> SECRET_NAMES =
            Set.of("authorization", "proxy-authorization", "cookie", "set-cookie", "api-key", "apikey");

    private final List<Map.Entry<String, String>> fields;

    private Headers(List<Map.Entry<String, String>> fields) {
        this.fields = fields;
    }

    /** {@return no fields} */
    public static Headers empty() {
        return EMPTY;
    }

    /**
     * {@return these fields}
     *
     * @param namesAndValues a name, its value, the next name, its value …
     * @throws IllegalArgumentException if a name lacks its value
     */
    public static Headers of(String... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("namesAndValues: odd count (expected: a value for each name)");
        }
        var fields = new ArrayList<Map.Entry<String, String>>(namesAndValues.length / 2);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(Map.entry(namesAndValues[i], namesAndValues[i + 1]));
        }
        return new Headers(Collections.unmodifiableList(fields));
    }

    /**
     * {@return these fields}
     *
     * @param fields names and values, in order; a name may occur more than once
     */
    public static Headers of(List<? extends Map.Entry<String, String>> fields) {
        var copy = new ArrayList<Map.Entry<String, String>>(fields.size());
        fields.forEach(field -> copy.add(Map.Entry.copyOf(field)));
        return copy.isEmpty() ? EMPTY : new Headers(Collections.unmodifiableList(copy));
    }

    /**
     * {@return the first value of the field, else empty}
     *
     * @param name the field's name, in any case
     */
    public Optional<String> first(String name) {
        for (var field : fields) {
            if (field.getKey().equalsIgnoreCase(name)) {
                return Optional.of(field.getValue());
            }
        }
        return Optional.empty();
    }

    /**
     * {@return all values of the field, in order}
     *
     * @param name the field's name, in any case
     */
    public List<String> all(String name) {
        return fields.stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** {@return every field, in order} */
    public List<Map.Entry<String, String>> fields() {
        return fields;
    }

    /**
     * {@return these fields with the given one instead of any of that name}
     *
     * @param name the field's name
     * @param value its only value
     */
    public Headers with(String name, String value) {
        var copy = new ArrayList<Map.Entry<String, String>>(fields.size() + 1);
        for (var field : fields) {
            if (!field.getKey().equalsIgnoreCase(name)) {
                copy.add(field);
            }
        }
        copy.add(Map.entry(name, value));
        return new Headers(Collections.unmodifiableList(copy));
    }

    /**
     * {@return these fields and, after them, others, which replace those of the same names}
     *
     * @param namesAndValues a name, its value, the next name, and so on; each name once
     * @throws IllegalArgumentException if the last name has no value
     */
    public Headers withAll(String... namesAndValues) {
        Headers others = of(namesAndValues);
        var all = new ArrayList<Map.Entry<String, String>>(fields.size() + others.fields.size());
        for (var field : fields) {
            if (!others.has(field.getKey())) {
                all.add(field);
            }
        }
        all.addAll(others.fields);
        return new Headers(Collections.unmodifiableList(all));
    }

    private boolean has(String name) {
        for (var field : fields) {
            if (field.getKey().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@return the fields as text, secrets hidden}
     *
     * @param alsoSecret further names whose values are hidden, in any case
     */
    public String toString(Set<String> alsoSecret) {
        var out = new StringBuilder("Headers[");
        for (var field : fields) {
            out.append(out.length() == 8 ? "" : ", ").append(field.getKey()).append(": ");
            boolean hidden = isSecret(field.getKey()) || alsoSecret.stream().anyMatch(field.getKey()::equalsIgnoreCase);
            out.append(hidden ? "***" : field.getValue());
        }
        return out.append(']').toString();
    }

    private static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return SECRET_NAMES.contains(lower)
                || lower.endsWith("-token")
                || lower.endsWith("-secret")
                || (lower.endsWith("-key") && !lower.equals("idempotency-key"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Headers that && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return toString(Set.of());
    }
}
