package dev.holdfast.core.config;

import dev.holdfast.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a setting takes. {@link Kinds} has those there are.
 *
 * @param <T> what its value is in the program
 */
public interface Kind<T> {
    /**
     * {@return the value}
     *
     * @param value as the file has it
     * @throws ConfigException if it does not fit
     */
    T read(Value value);

    /**
     * Finds everything that does not fit, and not only the first.
     *
     * @param value as the file has it
     * @param found is given each mistake
     */
    default void check(Value value, Consumer<ConfigException> found) {
        try {
            read(value);
        } catch (ConfigException e) {
            found.accept(e);
        }
    }

    /** {@return what it takes, in words: {@code a duration, as in 1.5s}} */
    String form();

    /** {@return what it takes, as a JSON Schema} */
    JsonObject schema();

    /** {@return whether its value is kept out of every report} */
    default boolean secret() {
        return false;
    }

    /** {@return the keys of the sections that it takes, for documents about them} */
    default Optional<Schema> inner() {
        return Optional.empty();
    }

    /**
     * {@return this kind, with what a reader makes of its values}
     *
     * @param <U> what the reader makes
     * @param reader makes it; an {@link IllegalArgumentException} refuses the value, its message says why
     */
    default <U> Kind<U> as(Function<? super T, ? extends U> reader) {
        Kind<T> before = this;
        return new Kind<>() {
            @Override
            public U read(Value value) {
                T read = before.read(value);
                try {
                    return reader.apply(read);
                } catch (ConfigException e) {
                    throw e;
                } catch (IllegalArgumentException e) {
                    throw value.refused(e);
                }
            }

            @Override
            public void check(Value value, Consumer<ConfigException> found) {
                var own = new ArrayList<ConfigException>();
                before.check(value, own::add);
                own.forEach(found);
                if (own.isEmpty()) {
                    Kind.super.check(value, found);
                }
            }

            @Override
            public String form() {
                return before.form();
            }

            @Override
            public JsonObject schema() {
                return before.schema();
            }

            @Override
            public boolean secret() {
                return before.secret();
            }

            @Override
            public Optional<Schema> inner() {
                return before.inner();
            }
        };
    }
}
