package dev.holdfast.core.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.holdfast.Bytes;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.core.JsonTextException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The one place that knows Jackson: strict for documents, and as forgiving as can be for what an error body still says. */
public final class JsonReader {
    private static final int MAX_LENGTH = 64 * 1024 * 1024;
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    /** Stands for bytes that are not UTF-8, if it was not there itself: text without it was UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    /**
     * Names are neither pooled nor interned: a hostile document must not fill or overflow a table that outlives it. Buffers are
     * shared: kept for each thread they would cost 8 KiB for each of a million virtual threads that wait.
     */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(1000)
                    .maxNumberLength(1000)
                    .maxNameLength(1024 * 1024)
                    .maxStringLength(MAX_LENGTH)
                    .build())
            .build();

    /** What is refused. */
    private enum Strictness {
        /** Whatever two readers might understand in two ways: what a user or a client wrote is to mean one thing. */
        DOCUMENT,
        /** What is no JSON. Servers do say members twice, and every other client takes the last. */
        ANSWER,
        /** Nothing that can be read. */
        NONE
    }

    private JsonReader() {}

    /** The document, or a {@link JsonTextException}. */
    public static JsonValue read(byte[] utf8) {
        if (utf8.length > MAX_LENGTH) {
            throw new JsonTextException("more than 64 MiB", 1, 1);
        }
        String text = new String(utf8, StandardCharsets.UTF_8);
        return read(text.indexOf(REPLACEMENT) < 0 ? text : decode(utf8));
    }

    /** The document, or a {@link JsonTextException}. */
    public static JsonValue read(Bytes utf8) {
        if (utf8.size() > MAX_LENGTH) {
            throw new JsonTextException("more than 64 MiB", 1, 1);
        }
        String text = utf8.toUtf8();
        return read(text.indexOf(REPLACEMENT) < 0 ? text : decode(utf8.toByteArray()));
    }

    /** The document, or a {@link JsonTextException}. */
    public static JsonValue read(String text) {
        return read(text, Strictness.DOCUMENT);
    }

    private static JsonValue read(String text, Strictness strictness) {
        if (text.length() > MAX_LENGTH) {
            throw new JsonTextException("more than 64 MiB", 1, 1);
        }
        try (JsonParser parser = parser(text)) {
            var tree = new JsonTree();
            fill(tree, parser, strictness);
            return tree.take().orElseThrow(() -> new JsonTextException("empty (expected: a JSON document)", 1, 1));
        } catch (StreamConstraintsException e) {
            throw failure("too deep, or a number or name too long", e.getLocation());
        } catch (JsonProcessingException e) {
            throw failure("not JSON", e.getLocation());
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
    }

    /**
     * The document of a provider, or empty if it is none. Of a member that is said twice the last counts.
     *
     * @param utf8 the bytes
     * @param text the same as they were decoded, with what is no UTF-8 replaced
     */
    public static Optional<JsonValue> tryRead(Bytes utf8, String text) {
        try {
            String whole = utf8.size() > MAX_LENGTH ? "" : text;
            return tryRead(whole.indexOf(REPLACEMENT) < 0 ? whole : decode(utf8.toByteArray()));
        } catch (JsonTextException e) {
            return Optional.empty();
        }
    }

    /** The document of a provider, or empty if it is none. Of a member that is said twice the last counts. */
    public static Optional<JsonValue> tryRead(String text) {
        try {
            return Optional.of(read(text, Strictness.ANSWER));
        } catch (JsonTextException e) {
            return Optional.empty();
        }
    }

    /** Whether the text is the beginning of a document whose end is missing. */
    public static boolean endsEarly(String text) {
        try (JsonParser parser = parser(text)) {
            fill(new JsonTree(), parser, Strictness.NONE);
            return false;
        } catch (JsonEOFException e) {
            return true;
        } catch (JsonProcessingException e) {
            return breaksOff(text.stripTrailing(), e);
        } catch (IOException e) {
            return false;
        }
    }

    /** After a comma or a colon the parser speaks of a missing character and not of the end. */
    private static boolean breaksOff(String text, JsonProcessingException e) {
        boolean unfinished = text.endsWith(",") || text.endsWith(":");
        return unfinished && e.getLocation() != null && e.getLocation().getCharOffset() >= text.length();
    }

    /**
     * What can be read of a document that may be cut, followed by something else or say a member twice (the last counts):
     * an error is not to be missed because its body is broken.
     */
    public static Optional<JsonValue> salvage(String text) {
        var tree = new JsonTree();
        if (text.length() <= MAX_LENGTH) {
            salvageInto(tree, text);
        }
        return tree.take();
    }

    private static void salvageInto(JsonTree tree, String text) {
        try (JsonParser parser = parser(text)) {
            fill(tree, parser, Strictness.NONE);
        } catch (JsonProcessingException e) {
            // What came before the fault is in the tree, and that is all there is to have.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
    }

    private static JsonParser parser(String text) throws IOException {
        return FACTORY.createParser(!text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text);
    }

    private static String decode(byte[] utf8) {
        var decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer text = CharBuffer.allocate(utf8.length);
        try {
            return decoder.decode(ByteBuffer.wrap(utf8)).toString();
        } catch (CharacterCodingException e) {
            decoder.reset().decode(ByteBuffer.wrap(utf8), text, true);
            throw invalidUtf8(text.flip());
        }
    }

    private static JsonTextException invalidUtf8(CharSequence before) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < before.length(); i++) {
            boolean newLine = before.charAt(i) == '\n';
            line += newLine ? 1 : 0;
            column = newLine ? 1 : column + 1;
        }
        return new JsonTextException("not UTF-8", line, column);
    }

    private static void fill(JsonTree tree, JsonParser parser, Strictness strictness) throws IOException {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (tree.isWhole()) {
                if (strictness == Strictness.NONE) {
                    return;
                }
                throw failure("something after the document", parser.currentTokenLocation());
            }
            take(tree, token, parser, strictness);
        }
    }

    private static void take(JsonTree tree, JsonToken token, JsonParser parser, Strictness strictness)
            throws IOException {
        switch (token) {
            case START_OBJECT -> tree.start(true);
            case START_ARRAY -> tree.start(false);
            case END_OBJECT, END_ARRAY -> tree.end();
            case FIELD_NAME -> {
                if (!tree.name(parser.currentName()) && strictness == Strictness.DOCUMENT) {
                    throw failure("a member for the second time", parser.currentTokenLocation());
                }
            }
            case VALUE_STRING -> tree.add(new JsonString(parser.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> tree.add(new JsonNumber(parser.getText()));
            case VALUE_TRUE -> tree.add(new JsonBoolean(true));
            case VALUE_FALSE -> tree.add(new JsonBoolean(false));
            case VALUE_NULL -> tree.add(JsonNull.NULL);
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> throw failure("not JSON", parser.currentTokenLocation());
        }
    }

    private static JsonTextException failure(String problem, JsonLocation where) {
        return where == null
                ? new JsonTextException(problem, 1, 1)
                : new JsonTextException(problem, Math.max(1, where.getLineNr()), Math.max(1, where.getColumnNr()));
    }
}
