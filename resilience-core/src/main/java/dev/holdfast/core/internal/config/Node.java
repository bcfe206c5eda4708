package dev.holdfast.core.internal.config;

import dev.holdfast.core.config.Place;
import java.util.List;
import java.util.Map;

/** A value of a configuration, with the place where it stands. */
public sealed interface Node {
    /** {@return where it stands} */
    Place place();

    /** {@return what it is, in words} */
    String kind();

    /**
     * Members by name, in the order of the file.
     *
     * @param place where it begins
     * @param members the members
     * @param names where each name stands
     */
    record Members(Place place, Map<String, Node> members, Map<String, Place> names) implements Node {
        @Override
        public String kind() {
            return "a section";
        }
    }

    /**
     * Values one after the other.
     *
     * @param place where it begins
     * @param elements the values
     */
    record Elements(Place place, List<Node> elements) implements Node {
        @Override
        public String kind() {
            return "a list";
        }
    }

    /**
     * One value.
     *
     * @param place where it stands
     * @param text its text, variables not yet filled in
     * @param syntax what the file's syntax made of it
     */
    record Scalar(Place place, String text, Syntax syntax) implements Node {
        @Override
        public String kind() {
            return switch (syntax) {
                case TEXT -> "a text";
                case NUMBER -> "a number";
                case FLAG -> text;
                case NOTHING -> "nothing";
            };
        }
    }

    /** What a file's syntax tells apart. */
    enum Syntax {
        /** Quoted, or what is neither number nor flag. */
        TEXT,
        /** A number. */
        NUMBER,
        /** {@code true} or {@code false}. */
        FLAG,
        /** {@code null}, or a key without a value. */
        NOTHING
    }
}
