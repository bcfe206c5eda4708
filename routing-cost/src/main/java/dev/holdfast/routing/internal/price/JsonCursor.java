package dev.holdfast.routing.internal.price;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Walks through a price file token by token, so that everything that is refused is named with its file and line. */
final class JsonCursor implements AutoCloseable {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000);
    private static final int MOST_DECIMALS = 12;
    private static final int MOST_COMPUTED_DECIMALS = 50;

    private final String file;
    private final JsonParser in;
    private String subject = "";

    JsonCursor(String file, InputStream content) throws IOException {
        this.file = file;
        this.in = JSON.createParser(content);
    }

    /** What to do with one member of an object; the cursor stands at its value, and at the value's end afterwards. */
    @FunctionalInterface
    interface Member {
        void read(String name) throws IOException;
    }

    /** What to do with one element of an array; the cursor stands at it, and at its end afterwards. */
    @FunctionalInterface
    interface Element {
        void read() throws IOException;
    }

    void toFirst() throws IOException {
        in.nextToken();
    }

    void expectEnd() throws IOException {
        if (in.nextToken() != null) {
            throw refused("file", "goes on after its end (expected: one value)");
        }
    }

    void object(String label, String expected, Member member) throws IOException {
        expect(JsonToken.START_OBJECT, label, expected);
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            member.read(name);
        }
    }

    void array(String label, String expected, Element element) throws IOException {
        expect(JsonToken.START_ARRAY, label, expected);
        while (in.nextToken() != JsonToken.END_ARRAY) {
            element.read();
        }
    }

    void skip() throws IOException {
        in.skipChildren();
    }

    boolean isObject() {
        return in.currentToken() == JsonToken.START_OBJECT;
    }

    boolean isNull() {
        return in.currentToken() == JsonToken.VALUE_NULL;
    }

    String text(String label) throws IOException {
        expect(JsonToken.VALUE_STRING, label, "a string");
        if (in.getText().isBlank()) {
            throw refused(label, "blank (expected: a name)");
        }
        return in.getText();
    }

    List<String> texts(String label) throws IOException {
        var texts = new ArrayList<String>();
        array(label, "an array of names", () -> texts.add(text(label)));
        return texts;
    }

    /** US dollars, exact. */
    BigDecimal price(String label) throws IOException {
        return checked(number(label), label);
    }

    /** US dollars in a file that was computed in binary fractions: what is beyond 12 decimals is a leftover of that. */
    BigDecimal computedPrice(String label) throws IOException {
        BigDecimal price = number(label);
        boolean leftover = price.scale() > MOST_DECIMALS && price.scale() <= MOST_COMPUTED_DECIMALS;
        return checked(leftover ? price.setScale(MOST_DECIMALS, RoundingMode.HALF_EVEN) : price, label);
    }

    private BigDecimal number(String label) throws IOException {
        JsonToken token = in.currentToken();
        if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
            throw refused(label, "no number (expected: US dollars per 1,000,000 tokens)");
        }
        try {
            return in.getDecimalValue();
        } catch (NumberFormatException e) {
            throw refused(label, in.getText() + " (expected: an exponent of at most 9 digits)");
        }
    }

    private BigDecimal checked(BigDecimal price, String label) throws IOException {
        if (price.signum() < 0 || price.compareTo(MOST) > 0 || price.scale() > MOST_DECIMALS) {
            throw refused(label, in.getText() + " (expected: 0 to 1000000, at most 12 decimals)");
        }
        return price;
    }

    /** A bound in tokens. */
    long tokens(String label) throws IOException {
        if (in.currentToken() != JsonToken.VALUE_NUMBER_INT
                || in.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                || in.getLongValue() < 0) {
            throw refused(label, in.getText() + " (expected: a whole number of tokens, >= 0)");
        }
        return in.getLongValue();
    }

    /** Whom what follows is about; empty for the file. Named where the file is no JSON. */
    void about(String changed) {
        subject = changed;
    }

    /** Refuses what is no JSON, with the subject and the names of the members it stands in. */
    IllegalArgumentException noJson(JsonProcessingException e) {
        var names = new ArrayList<String>();
        for (JsonStreamContext at = in.getParsingContext(); at != null; at = at.getParent()) {
            if (at.hasCurrentName() && !at.getCurrentName().equals("models")) {
                names.addFirst(at.getCurrentName());
            }
        }
        if (!subject.isEmpty()) {
            names.addFirst(subject);
        }
        int line = e.getLocation() == null ? line() : e.getLocation().getLineNr();
        String label = names.isEmpty() ? "file" : String.join(": ", names);
        return new IllegalArgumentException(
                file + ":" + line + ": " + label + ": no JSON: " + e.getOriginalMessage(), e);
    }

    int line() {
        return in.currentTokenLocation().getLineNr();
    }

    IllegalArgumentException refused(String label, String problem) {
        return refusedAt(line(), label, problem);
    }

    IllegalArgumentException refusedAt(int line, String label, String problem) {
        return new IllegalArgumentException(file + ":" + line + ": " + label + ": " + problem);
    }

    private void expect(JsonToken token, String label, String expected) {
        if (in.currentToken() != token) {
            throw refused(label, "something else (expected: " + expected + ")");
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
