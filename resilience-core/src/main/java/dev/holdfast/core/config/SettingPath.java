package dev.holdfast.core.config;

import dev.holdfast.core.config.Nested.ByName;
import dev.holdfast.core.config.Nested.OfKeys;
import dev.holdfast.core.internal.config.Node;
import dev.holdfast.core.internal.config.Node.Members;
import dev.holdfast.core.internal.config.Node.Scalar;
import dev.holdfast.core.internal.config.Node.Syntax;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sets one value of a configuration by the way to it, as in {@code models.gpt-4.1.breaker.open-for}: sections that are not there
 * are made, and one that was given as a single value becomes the section that this stands for.
 *
 * @param whole the way to it
 * @param value the value
 */
record SettingPath(String whole, Node value) {
    /** The configuration with the value. */
    Node setIn(Node root, Schema schema) {
        return inSection(root, schema, whole);
    }

    private Node inSection(Node node, Schema schema, String rest) {
        String name = firstName(rest);
        Key<?> key = schema.key(name).orElseThrow(() -> unknown(name, schema));
        Members section = section(node, schema);
        if (name.equals(rest)) {
            return with(section, name, value);
        }
        Node before = section.members().getOrDefault(name, nothing());
        return with(section, name, within(before, key.kind(), name, rest.substring(name.length() + 1)));
    }

    private Node within(Node node, Kind<?> kind, String name, String rest) {
        if (kind instanceof OfKeys section) {
            return inSection(node, section.keys(), rest);
        }
        if (kind instanceof ByName<?> named) {
            return inNames(node, named, rest);
        }
        throw new ConfigException(
                value.place(),
                whole + ": " + name + " has no keys of its own (expected: " + name + " itself, which takes "
                        + kind.form() + ")");
    }

    /** A name may have dots, and so it ends where what follows begins with a key; the shortest such name, if none is there. */
    private Node inNames(Node node, ByName<?> kind, String rest) {
        Members named = node instanceof Members members ? members : new Members(value.place(), Map.of(), Map.of());
        Optional<Schema> inner = kind.inner();
        if (inner.isEmpty() || named.members().containsKey(rest)) {
            return with(named, rest, value);
        }
        String found = "";
        for (int dot = rest.indexOf('.'); dot > 0; dot = rest.indexOf('.', dot + 1)) {
            String name = rest.substring(0, dot);
            boolean fits = inner.get().key(firstName(rest.substring(dot + 1))).isPresent();
            if (fits && (found.isEmpty() || named.members().containsKey(name))) {
                found = name;
            }
        }
        if (found.isEmpty()) {
            throw new ConfigException(
                    value.place(),
                    whole + ": no key of " + inner.get().title()
                            + " after its name (expected: a name, a dot and one of "
                            + inner.get().names() + ")");
        }
        Node before = named.members().getOrDefault(found, nothing());
        return with(named, found, inSection(before, inner.get(), rest.substring(found.length() + 1)));
    }

    private ConfigException unknown(String name, Schema schema) {
        String near = Similar.nearest(name, schema.keyNames())
                .map(each -> "perhaps " + each + "; ")
                .orElse("");
        return new ConfigException(
                value.place(),
                whole + ": unknown key " + name + " (expected: " + near + "one of " + schema.names() + ")");
    }

    private Members section(Node node, Schema schema) {
        if (node instanceof Members members) {
            return members;
        }
        boolean single = node instanceof Scalar scalar && scalar.syntax() != Syntax.NOTHING;
        if (single && schema.shorthand().isPresent()) {
            String name = schema.shorthand().get().name();
            return new Members(node.place(), Map.of(name, node), Map.of(name, node.place()));
        }
        return new Members(value.place(), Map.of(), Map.of());
    }

    private Members with(Members section, String name, Node member) {
        var members = new LinkedHashMap<>(section.members());
        var names = new LinkedHashMap<>(section.names());
        members.put(name, member);
        names.putIfAbsent(name, value.place());
        return new Members(section.place(), members, names);
    }

    private Scalar nothing() {
        return new Scalar(value.place(), "null", Syntax.NOTHING);
    }

    private static String firstName(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }
}
