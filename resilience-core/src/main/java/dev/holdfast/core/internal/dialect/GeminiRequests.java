package dev.holdfast.core.internal.dialect;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.DialectException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a client of Gemini sent to a server of ours: the path names the model, and whether a stream is asked for. */
final class GeminiRequests {
    /** {@code /v1beta/models/MODEL:generateContent}, and what Vertex puts before it. */
    private static final Pattern PATH = Pattern.compile("(/v[0-9][a-z0-9]*)?(/.*?)([^/:]+):([A-Za-z]+)(\\?.*)?");

    private static final Pattern GOOGLE =
            Pattern.compile("(?:/projects/[^/]+/locations/[^/]+)?/(?:publishers/google/)?models/");

    private GeminiRequests() {}

    static ModelRequest decode(String path, JsonObject document) throws DialectException {
        Matcher named = PATH.matcher(path);
        if (!named.matches()) {
            String below = path.replaceFirst("^/v[0-9][a-z0-9]*(?=/)", "");
            return Documents.opaque(below, Documents.model(document), document);
        }
        String model = model(named.group(2), named.group(3));
        return switch (named.group(4)) {
            case "generateContent" -> chat(model, document, false);
            case "streamGenerateContent" -> chat(model, document, true);
            default -> Documents.opaque(named.group(2) + named.group(3) + ":" + named.group(4), model, document);
        };
    }

    /** The bare name; of tuned models and other publishers the whole path. */
    private static String model(String before, String last) {
        String name = URLDecoder.decode(last.replace("+", "%2B"), StandardCharsets.UTF_8);
        return GOOGLE.matcher(before).matches() ? name : before.substring(1) + name;
    }

    private static ModelRequest chat(String model, JsonObject document, boolean stream) throws DialectException {
        List<JsonValue> contents = Documents.some(document, "contents", "contents");
        for (int i = 0; i < contents.size(); i++) {
            check("/contents/" + i, contents.get(i));
        }
        return Documents.readable(ModelRequest.of(Form.GEMINI_CONTENT, model, document.without("stream"))
                .withStreaming(stream));
    }

    private static void check(String pointer, JsonValue value) throws DialectException {
        if (!(value instanceof JsonObject content)) {
            throw new DialectException(pointer + ": no object (expected: a content)");
        }
        List<JsonValue> parts = content.list("parts");
        if (parts.isEmpty()) {
            throw new DialectException(pointer + "/parts: missing or empty (expected: an array of parts)");
        }
        for (int i = 0; i < parts.size(); i++) {
            if (!(parts.get(i) instanceof JsonObject)) {
                throw new DialectException(pointer + "/parts/" + i + ": no object (expected: a part)");
            }
        }
    }
}
