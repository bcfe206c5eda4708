package dev.holdfast.core.internal.form;

import dev.holdfast.Adjustment;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.DialectException;
import java.util.List;

/**
 * Says a request to whoever reads it. In the reader's own form it passes as it is, but for members that the reader's vendor
 * spells differently; from another form it is read and written anew.
 */
public final class Translation {
    private Translation() {}

    /**
     * A request as its addressee reads it.
     *
     * @param request the request, in the addressee's form
     * @param changes what had to change, by pointers into the request as it was
     */
    public record Said(ModelRequest request, List<Adjustment> changes) {
        /** Copies the list. */
        public Said {
            changes = List.copyOf(changes);
        }
    }

    /** Whether requests of one form can be said in the other. */
    public static boolean between(Form from, Form to) {
        return from == to || (from != Form.OPAQUE && to != Form.OPAQUE);
    }

    /**
     * Says a request to its addressee.
     *
     * @param request the request
     * @param addressee who reads it
     * @throws DialectException if the request must be translated and is none of its own form
     */
    public static Said say(ModelRequest request, Addressee addressee) throws DialectException {
        if (request.form() == Form.OPAQUE || addressee.form() == Form.OPAQUE) {
            return new Said(request, List.of());
        }
        if (request.form() == addressee.form()) {
            return Fitting.fit(request, addressee);
        }
        var changes = new Changes();
        Conversation read = read(request);
        Conversation crossing = read.toolChoice()
                .map(choice -> read.withToolChoice(ToolChoices.among(read.tools(), choice, changes)))
                .orElse(read);
        JsonObject document = writer(addressee.form()).write(crossing, addressee, changes);
        ModelRequest said =
                ModelRequest.of(addressee.form(), addressee.model(), document).withStreaming(request.streaming());
        return new Said(said, changes.list());
    }

    /**
     * What a request says.
     *
     * @param request the request, in any form but the opaque
     * @throws DialectException if it is none of its form; the message begins with a JSON pointer and quotes no content
     */
    public static Conversation read(ModelRequest request) throws DialectException {
        return reader(request.form()).read(request);
    }

    /**
     * Refuses what is no request of its form, as a server does.
     *
     * @param request the request
     * @throws DialectException if it is none; the message begins with a JSON pointer and quotes no content
     */
    public static void check(ModelRequest request) throws DialectException {
        read(request);
    }

    private static Reader reader(Form form) {
        return switch (form) {
            case OPENAI_CHAT -> new OpenAiReader();
            case ANTHROPIC_MESSAGES -> new AnthropicReader();
            case GEMINI_CONTENT -> new GeminiReader();
            case OPAQUE -> throw new IllegalArgumentException("form: OPAQUE (expected: one that can be read)");
        };
    }

    static Writer writer(Form form) {
        return switch (form) {
            case OPENAI_CHAT -> new OpenAiWriter();
            case ANTHROPIC_MESSAGES -> new AnthropicWriter();
            case GEMINI_CONTENT -> new GeminiWriter();
            case OPAQUE -> throw new IllegalArgumentException("form: OPAQUE (expected: one that can be written)");
        };
    }
}
