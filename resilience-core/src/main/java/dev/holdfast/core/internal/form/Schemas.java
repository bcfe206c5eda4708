package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.core.internal.form.Conversation.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Schemas of arguments and answers: JSON Schema, and the OpenAPI subset that Gemini began with. */
final class Schemas {
    private static final JsonString OBJECT = JsonValue.of("object");
    private static final JsonObject ANY_OBJECT = JsonObject.builder()
            .with("type", OBJECT)
            .with("properties", JsonObject.empty())
            .build();

    /** Limits that protocol buffers in JSON write as text, since they are 64 bits wide. */
    private static final Set<String> WIDE =
            Set.of("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties");

    private Schemas() {}

    /** As JSON Schema. */
    static JsonValue json(JsonValue schema, Spelling spelled) {
        return spelled == Spelling.JSON_SCHEMA ? schema : fromOpenApi(schema);
    }

    /** A schema of arguments, as JSON Schema of an object: vendors refuse a tool without. */
    static JsonObject ofArguments(JsonValue schema, Spelling spelled) {
        JsonObject json = json(schema, spelled).asObject().orElse(ANY_OBJECT);
        return json.get("type").isPresent() || json.get("$ref").isPresent() ? json : with("type", OBJECT, json);
    }

    static JsonObject ofAnyArguments() {
        return ANY_OBJECT;
    }

    private static JsonObject with(String name, JsonValue value, JsonObject after) {
        JsonObject.Builder builder = JsonObject.builder().with(name, value);
        after.members().forEach(builder::with);
        return builder.build();
    }

    private static JsonValue fromOpenApi(JsonValue value) {
        if (!(value instanceof JsonObject schema)) {
            return value;
        }
        boolean nullable = schema.get("nullable").map(JsonValue::isTrue).orElse(false);
        JsonObject.Builder json = JsonObject.builder();
        schema.members().forEach((name, member) -> {
            switch (name) {
                case "type" -> json.with(name, type(member, nullable));
                case "nullable" -> {
                    // Said by the type.
                }
                case "properties" -> json.with(name, each(ordered(member, schema)));
                case "items", "additionalProperties" -> json.with(name, fromOpenApi(member));
                case "anyOf", "any_of", "prefixItems" -> json.with(name.equals("any_of") ? "anyOf" : name, all(member));
                case "propertyOrdering", "property_ordering" -> {
                    // Said by the order of the properties: models answer in it.
                }
                default -> json.with(name, WIDE.contains(name) ? number(member) : member);
            }
        });
        return json.build();
    }

    /** The properties, first those that the schema puts in an order. */
    private static JsonValue ordered(JsonValue properties, JsonObject schema) {
        List<JsonValue> order = schema.list("propertyOrdering");
        List<JsonValue> names = order.isEmpty() ? schema.list("property_ordering") : order;
        if (names.isEmpty() || !(properties instanceof JsonObject object)) {
            return properties;
        }
        JsonObject.Builder sorted = JsonObject.builder();
        names.forEach(name ->
                name.asText().ifPresent(text -> object.get(text).ifPresent(schemaOf -> sorted.with(text, schemaOf))));
        object.members().forEach(sorted::with);
        return sorted.build();
    }

    private static JsonValue type(JsonValue said, boolean nullable) {
        if (!(said instanceof JsonString(String word))) {
            return said;
        }
        JsonString type = JsonValue.of(word.toLowerCase(Locale.ROOT));
        return nullable ? JsonArray.of(type, JsonValue.of("null")) : type;
    }

    private static JsonValue number(JsonValue said) {
        try {
            return said instanceof JsonString(String digits) ? new JsonNumber(digits) : said;
        } catch (IllegalArgumentException e) {
            return said;
        }
    }

    private static JsonValue each(JsonValue properties) {
        if (!(properties instanceof JsonObject object)) {
            return properties;
        }
        JsonObject.Builder json = JsonObject.builder();
        object.members().forEach((name, schema) -> json.with(name, fromOpenApi(schema)));
        return json.build();
    }

    private static JsonValue all(JsonValue schemas) {
        return schemas instanceof JsonArray(List<JsonValue> elements)
                ? new JsonArray(elements.stream().map(Schemas::fromOpenApi).toList())
                : schemas;
    }

    /** The schema with every object closed, as Anthropic's structured outputs want it. */
    static JsonValue closed(JsonValue value) {
        return switch (value) {
            case JsonObject schema -> closed(schema);
            case JsonArray(List<JsonValue> elements) -> {
                var closed = new ArrayList<JsonValue>(elements.size());
                elements.forEach(each -> closed.add(closed(each)));
                yield new JsonArray(closed);
            }
            default -> value;
        };
    }

    private static JsonObject closed(JsonObject schema) {
        JsonObject.Builder json = JsonObject.builder();
        schema.members().forEach((name, member) -> {
            switch (name) {
                case "properties", "$defs", "definitions" -> json.with(name, closedEach(member));
                case "items", "anyOf", "allOf", "oneOf" -> json.with(name, closed(member));
                default -> json.with(name, member);
            }
        });
        if (isOfObjects(schema) && schema.get("additionalProperties").isEmpty()) {
            json.with("additionalProperties", JsonValue.of(false));
        }
        return json.build();
    }

    /** Whether what the schema describes is an object, or may be one. */
    static boolean isOfObjects(JsonObject schema) {
        return schema.text("type").filter("object"::equals).isPresent()
                || schema.list("type").contains(OBJECT);
    }

    private static JsonValue closedEach(JsonValue schemas) {
        if (!(schemas instanceof JsonObject object)) {
            return schemas;
        }
        JsonObject.Builder json = JsonObject.builder();
        object.members().forEach((name, schema) -> json.with(name, closed(schema)));
        return json.build();
    }
}
