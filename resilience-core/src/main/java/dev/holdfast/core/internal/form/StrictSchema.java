package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The schemas that OpenAI promises to keep to (platform.openai.com, "Structured outputs", "Supported schemas"): each property is
 * required, each object is closed, and some words are not among them. Any other is refused where {@code strict} is set.
 */
final class StrictSchema {
    private static final Set<String> UNKNOWN =
            Set.of("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas");

    private StrictSchema() {}

    /** {@return the schema with its objects closed, if it can be kept to; empty if it would be refused} */
    static Optional<JsonValue> of(JsonValue schema) {
        boolean object = schema.asObject()
                .flatMap(root -> root.text("type"))
                .filter("object"::equals)
                .isPresent();
        return object && fits(schema) ? Optional.of(Schemas.closed(schema)) : Optional.empty();
    }

    private static boolean fits(JsonValue value) {
        return switch (value) {
            case JsonObject schema -> fits(schema);
            case JsonArray(List<JsonValue> elements) -> elements.stream().allMatch(StrictSchema::fits);
            default -> true;
        };
    }

    private static boolean fits(JsonObject schema) {
        if (schema.members().keySet().stream().anyMatch(UNKNOWN::contains) || !isWhole(schema)) {
            return false;
        }
        return schema.members().entrySet().stream().allMatch(member -> switch (member.getKey()) {
            case "properties", "$defs", "definitions" -> eachFits(member.getValue());
            case "items", "anyOf" -> fits(member.getValue());
            default -> true;
        });
    }

    /** No object is open, none leaves a property out, and none takes whatever comes. */
    private static boolean isWhole(JsonObject schema) {
        if (!Schemas.isOfObjects(schema)) {
            return true;
        }
        Optional<JsonValue> more = schema.get("additionalProperties");
        boolean closed = more.filter(said -> said.equals(JsonValue.of(false))).isPresent();
        Optional<JsonObject> properties = schema.object("properties");
        return (closed || (more.isEmpty() && properties.isPresent()))
                && properties
                        .map(each -> schema.list("required")
                                .containsAll(each.members().keySet().stream()
                                        .map(JsonValue::of)
                                        .toList()))
                        .orElse(true);
    }

    private static boolean eachFits(JsonValue schemas) {
        return schemas.asObject()
                .map(object -> object.members().values().stream().allMatch(StrictSchema::fits))
                .orElse(true);
    }
}
