package dev.holdfast.core.config;

import dev.holdfast.core.internal.config.Reading;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A section of a configuration, whose keys are known to be in its {@link Schema}. What is asked of it stands in the
 * configuration's report. Used by one thread.
 */
public final class Section {
    private final Value value;
    private final Schema schema;
    private final Map<String, Value> members;
    private final Reading reading;

    Section(Value value, Schema schema, Map<String, Value> members, Reading reading) {
        this.value = value;
        this.schema = schema;
        this.members = members;
        this.reading = reading;
    }

    /** {@return where it stands} */
    public Place place() {
        return value.place();
    }

    /** {@return the way to it: {@code models.gpt-4.1}; empty for the whole} */
    public String path() {
        return value.path();
    }

    /**
     * {@return whether the key is set}
     *
     * @param key the key
     */
    public boolean has(Key<?> key) {
        return members.containsKey(key.name());
    }

    /**
     * {@return the setting, or empty where it is not set}
     *
     * @param <T> what it is in the program
     * @param key the key; one of the schema's
     * @throws ConfigException if its value does not fit
     * @throws IllegalArgumentException if the schema has no such key
     */
    public <T> Optional<T> get(Key<T> key) {
        if (schema.key(key.name()).isEmpty()) {
            throw new IllegalArgumentException("key " + key.name() + ": not in the schema of " + schema.title());
        }
        Value member = members.get(key.name());
        String path = value.path().isEmpty() ? key.name() : value.path() + "." + key.name();
        if (member == null) {
            if (!isPreset()) {
                key.usual().ifPresent(text -> reading.usual(path, text));
            }
            return Optional.empty();
        }
        return attempt(() -> read(key, member, path));
    }

    /** Whether a preset says what holds where nothing else does; then the usual values do not. */
    private boolean isPreset() {
        return schema.shorthand()
                .filter(key -> key.name().equals("preset") && has(key))
                .isPresent();
    }

    private <T> T read(Key<T> key, Value member, String path) {
        T read = key.kind().read(member);
        // A section tells its own keys; so does one that a single value stands for.
        if (key.kind().inner().isEmpty()) {
            reading.set(path, key.kind().secret() ? "(hidden)" : member.asWritten(), member.place());
        }
        return read;
    }

    /**
     * {@return what is read, or empty where it was refused and {@link Configuration#read(Schema, Function)} tells it later, with all
     * that is refused}
     *
     * @param <T> what is read
     * @param work reads it
     * @throws ConfigException if it is refused and nobody tells it later
     */
    public <T> Optional<T> attempt(Supplier<T> work) {
        if (!reading.isCollecting()) {
            return Optional.of(work.get());
        }
        try {
            return Optional.of(work.get());
        } catch (ConfigException e) {
            reading.refuse(e);
            return Optional.empty();
        }
    }

    /** {@return whether nothing was refused so far} */
    public boolean isSoundSoFar() {
        return reading.refused().isEmpty();
    }

    /**
     * {@return the setting}
     *
     * @param <T> what it is in the program
     * @param key the key
     * @throws ConfigException if it is missing or does not fit
     */
    public <T> T require(Key<T> key) {
        if (has(key) && reading.isCollecting()) {
            Value member = members.getOrDefault(key.name(), value);
            return read(key, member, path().isEmpty() ? key.name() : path() + "." + key.name());
        }
        return get(key).orElseThrow(() -> new ConfigException(
                place(),
                (path().isEmpty() ? "" : path() + ": ") + "without " + key.name() + " (expected: "
                        + key.kind().form() + ")"));
    }

    /**
     * {@return a policy, changed if the setting is set}
     *
     * @param <P> the policy
     * @param <T> what the setting is in the program
     * @param policy the policy so far
     * @param key the key
     * @param change the policy with the setting; its {@link IllegalArgumentException} is told with file and line
     */
    public <P, T> P change(P policy, Key<T> key, BiFunction<P, T, P> change) {
        Optional<T> set = get(key);
        if (set.isEmpty()) {
            return policy;
        }
        return attempt(() -> changed(policy, key, set.orElseThrow(), change)).orElse(policy);
    }

    private <P, T> P changed(P policy, Key<T> key, T set, BiFunction<P, T, P> change) {
        try {
            return change.apply(policy, set);
        } catch (ConfigException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            Value member = members.getOrDefault(key.name(), value);
            throw member.refused(e);
        }
    }

    /**
     * {@return an error about a setting of this section}
     *
     * @param key the key
     * @param problem what is wrong with it and what was expected
     */
    public ConfigException refused(Key<?> key, String problem) {
        Value member = members.getOrDefault(key.name(), value);
        return new ConfigException(member.place(), member.path() + ": " + problem);
    }

    /** A name in an error, hidden if a variable brought it. */
    String shown(String name) {
        return reading.shown(name);
    }
}
