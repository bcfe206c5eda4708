package dev.holdfast.core.internal.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.util.ServiceLoader;

/** Finds the YAML reader among the formats on the path: users bring it if they write YAML. */
final class Yaml {
    private Yaml() {}

    static JsonFactory factory(StreamReadConstraints bounds) {
        JsonFactory found = ServiceLoader.load(JsonFactory.class).stream()
                .filter(format -> format.type().getSimpleName().equals("YAMLFactory"))
                .findFirst()
                .map(ServiceLoader.Provider::get)
                .orElseThrow(() -> new IllegalStateException("YAML needs"
                        + " com.fasterxml.jackson.dataformat:jackson-dataformat-yaml: add it, or write JSON"));
        return found.setStreamReadConstraints(bounds);
    }

    /**
     * Whether the token refers to another place of the file: no reader of JSON has that, and it can make a small file huge. Only
     * YAML's own parser can tell, which core does not depend on.
     */
    static boolean isAlias(JsonParser parser) {
        if (!parser.canReadObjectId()) {
            return false;
        }
        try {
            return Boolean.TRUE.equals(
                    parser.getClass().getMethod("isCurrentAlias").invoke(parser));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("jackson-dataformat-yaml does not tell aliases: use 2.22 or newer", e);
        }
    }
}
