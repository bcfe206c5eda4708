package dev.holdfast.core.internal.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.holdfast.core.config.ConfigException;
import dev.holdfast.core.config.Place;
import dev.holdfast.core.internal.config.Node.Elements;
import dev.holdfast.core.internal.config.Node.Members;
import dev.holdfast.core.internal.config.Node.Scalar;
import dev.holdfast.core.internal.config.Node.Syntax;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads JSON with comments, or YAML where its reader is at hand, into nodes that know their lines. */
final class NodeReader {
    private static final int DEEPEST = 50;
    private static final int LONGEST_NAME = 80;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final int LONGEST = 4 * 1024 * 1024;
    private static final StreamReadConstraints BOUNDS = StreamReadConstraints.builder()
            .maxNestingDepth(DEEPEST)
            .maxDocumentLength(LONGEST)
            .build();
    private static final String JSON_EXPECTED = "JSON; comments and trailing commas may be in it";
    private static final String YAML_EXPECTED =
            "YAML; blanks and not tabs before keys, quotes around a text with \": \", \" #\" or \"{\" in it";
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .streamReadConstraints(BOUNDS)
            .build();

    private final String source;
    private final JsonParser parser;

    private NodeReader(String source, JsonParser parser) {
        this.source = source;
        this.parser = parser;
    }

    static Node json(String source, String text) {
        return read(source, text, JSON, JSON_EXPECTED);
    }

    static Node yaml(String source, String text) {
        return read(source, text, Yaml.factory(BOUNDS), YAML_EXPECTED);
    }

    private static Node read(String source, String text, JsonFactory factory, String expected) {
        if (text.length() > LONGEST) {
            throw new ConfigException(new Place(source, 1), "more than 4 MiB (expected: a configuration)");
        }
        String unmarked = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        try (JsonParser parser = factory.createParser(unmarked)) {
            return new NodeReader(source, parser).document();
        } catch (JsonProcessingException e) {
            // The cause would quote the text, which may hold a key.
            throw new ConfigException(
                    place(source, e.getLocation()), problem(e, unmarked) + " (expected: " + expected + ")");
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
    }

    /** What the parser says, less the text that it quotes. */
    private static String problem(JsonProcessingException e, String text) {
        String words = e.getOriginalMessage();
        int end = words.indexOf('\n');
        String first = end < 0 ? words : words.substring(0, end);
        return "cannot be read: " + Masks.hideQuoted(first.replaceAll("'[^']{4,}'|\"[^\"]{4,}\"", "…"), text);
    }

    private Node document() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            return new Members(new Place(source, 1), Map.of(), Map.of());
        }
        Node root = value(first);
        if (parser.nextToken() != null) {
            throw new ConfigException(here(), "a second document (expected: the end of the file)");
        }
        return root;
    }

    private Node value(JsonToken token) throws IOException {
        Place place = here();
        if (Yaml.isAlias(parser)) {
            throw new ConfigException(place, "an alias (expected: the value itself)");
        }
        return switch (token) {
            case START_OBJECT -> members(place);
            case START_ARRAY -> elements(place);
            case VALUE_STRING -> text(place, parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Scalar(place, parser.getText(), Syntax.NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> new Scalar(place, parser.getText(), Syntax.FLAG);
            case VALUE_NULL -> new Scalar(place, "null", Syntax.NOTHING);
            default -> throw new ConfigException(place, "cannot be read (expected: a value)");
        };
    }

    /** YAML's reader gives a key without a value as an empty text. */
    private static Scalar text(Place place, String text) {
        return new Scalar(place, text, text.isEmpty() ? Syntax.NOTHING : Syntax.TEXT);
    }

    private Members members(Place place) throws IOException {
        var members = new LinkedHashMap<String, Node>();
        var names = new LinkedHashMap<String, Place>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
            String name = parser.currentName();
            Place first = names.put(name, here());
            if (first != null) {
                throw new ConfigException(
                        here(), shown(name) + ": for the second time (the first is in line " + first.line() + ")");
            }
            members.put(name, value(parser.nextToken()));
        }
        return new Members(place, members, names);
    }

    private static String shown(String name) {
        return name.length() > LONGEST_NAME ? "a name of " + name.length() + " characters" : name;
    }

    private Elements elements(Place place) throws IOException {
        var elements = new ArrayList<Node>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            elements.add(value(token));
        }
        return new Elements(place, elements);
    }

    private Place here() {
        return place(source, parser.currentTokenLocation());
    }

    private static Place place(String source, JsonLocation location) {
        return new Place(source, location == null ? 1 : Math.max(1, location.getLineNr()));
    }
}
