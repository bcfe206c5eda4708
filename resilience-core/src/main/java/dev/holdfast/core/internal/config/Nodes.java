package dev.holdfast.core.internal.config;

/** Reads configurations. */
public final class Nodes {
    private Nodes() {}

    /** The nodes of a JSON text. */
    public static Node ofJson(String source, String text) {
        return NodeReader.json(source, text);
    }

    /** The nodes of a YAML text. */
    public static Node ofYaml(String source, String text) {
        return NodeReader.yaml(source, text);
    }
}
