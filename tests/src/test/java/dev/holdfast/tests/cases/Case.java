package dev.holdfast.tests.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** One failure that was reported somewhere, as it was handed over: what is given and what is to be expected. */
record Case(String id, String title, String capability, JsonNode given, JsonNode expect) {
    private static final Instant ANY_TIME = Instant.parse("2026-01-05T10:00:00Z");

    static List<Case> all() {
        try (InputStream in = Case.class.getResourceAsStream("/cases/handed.json")) {
            return elements(new ObjectMapper().readTree(in)).map(Case::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Case of(JsonNode entry) {
        return new Case(
                entry.path("id").asText(),
                entry.path("source").asText().replaceFirst("^.*? - ", ""),
                entry.path("capability").asText(),
                entry.path("given"),
                entry.path("expect"));
    }

    /** How it is played. */
    String kind() {
        return given.path("kind").asText();
    }

    Instant now() {
        return given.has("now") ? Instant.parse(given.path("now").asText()) : ANY_TIME;
    }

    JsonNode config() {
        return given.path("config");
    }

    /** The case, and each of its variants as a case of its own. */
    Stream<Case> withVariants() {
        Stream<Case> variants = elements(given.path("variants")).map(this::variant);
        return Stream.concat(Stream.of(this), variants);
    }

    /** Takes from the variant what it says, from this case the rest; the expectation is the variant's, where it has one. */
    private Case variant(JsonNode variant) {
        int number = elements(given.path("variants")).toList().indexOf(variant);
        JsonNode server = given.path("server");
        boolean isReply = server.isArray() && !variant.has("server") && !variant.has("config") && !variant.has("steps");
        var merged = merge(given.deepCopy(), isReply ? asFirstReply(server, variant) : variant);
        JsonNode own = expect.path("variant_expect").path(number);
        return new Case(
                id, title + " (variant " + (number + 1) + ")", capability, merged, own.isMissingNode() ? expect : own);
    }

    private static JsonNode asFirstReply(JsonNode server, JsonNode reply) {
        var replies = (ArrayNode) server.deepCopy();
        merge(replies.get(0), reply);
        return new ObjectMapper().createObjectNode().set("server", replies);
    }

    private static JsonNode merge(JsonNode into, JsonNode from) {
        var target = (ObjectNode) into;
        from.properties().forEach(field -> {
            JsonNode old = target.get(field.getKey());
            boolean both = old != null && old.isObject() && field.getValue().isObject();
            target.set(field.getKey(), both ? merge(old, field.getValue()) : field.getValue());
        });
        return target;
    }

    String displayName() {
        return id + " " + title;
    }

    static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
