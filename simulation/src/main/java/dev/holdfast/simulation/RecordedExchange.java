package dev.holdfast.simulation;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.JsonTextException;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.simulation.internal.provider.Pieces;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A request to a real provider and what it answered. {@link FaultScript#recorded} plays it again.
 *
 * <p>As text it is a JSON object: {@code id}, {@code provider}, {@code request} with {@code method}, {@code uri}, {@code headers} and
 * {@code body}, {@code response} with {@code status}, {@code headers} and {@code body}, or {@code bodyBase64} where it is no text. Headers
 * are pairs of name and value. Bodies are those behind transfer and content coding.
 *
 * @param id what it is called
 * @param provider who answered
 * @param method the request's method
 * @param uri where it was sent
 * @param requestHeaders the request's header fields
 * @param requestBody the request's body
 * @param status the answer's status
 * @param headers the answer's header fields, as recorded
 * @param body the answer's body, its codings undone
 */
public record RecordedExchange(
        String id,
        String provider,
        String method,
        URI uri,
        Headers requestHeaders,
        Bytes requestBody,
        int status,
        Headers headers,
        Bytes body) {
    /** What says how the body was carried, which is told anew. */
    private static final Set<String> OF_CARRIAGE =
            Set.of("connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding");

    /**
     * {@return the exchanges of a file, one on each line}
     *
     * @param file the file, in UTF-8
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if a line is no exchange
     */
    public static List<RecordedExchange> read(Path file) throws IOException {
        var exchanges = new ArrayList<RecordedExchange>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (!line.isBlank()) {
                exchanges.add(parse(line, file.getFileName() + ":" + number));
            }
        }
        return exchanges;
    }

    /**
     * {@return an exchange}
     *
     * @param json the JSON object
     * @throws IllegalArgumentException if it is no exchange
     */
    public static RecordedExchange parse(String json) {
        return parse(json, "exchange");
    }

    private static RecordedExchange parse(String json, String where) {
        JsonObject whole = object(json, where);
        JsonObject request = whole.object("request").orElseThrow(() -> missing(where, "request"));
        JsonObject response = whole.object("response").orElseThrow(() -> missing(where, "response"));
        return new RecordedExchange(
                whole.text("id").orElse(""),
                whole.text("provider").orElse(""),
                request.text("method").orElse("POST"),
                uri(request, where),
                headers(request, where),
                body(request),
                status(response, where),
                headers(response, where),
                body(response));
    }

    private static JsonObject object(String json, String where) {
        try {
            return JsonText.parse(json).asObject().orElseThrow(() -> missing(where, "object"));
        } catch (JsonTextException e) {
            throw new IllegalArgumentException(where + ": not JSON (expected: a recorded exchange)", e);
        }
    }

    private static URI uri(JsonObject request, String where) {
        String text = request.text("uri").orElseThrow(() -> missing(where, "request.uri"));
        return URI.create(text.replace("<", "%3C").replace(">", "%3E"));
    }

    private static int status(JsonObject response, String where) {
        return response.get("status")
                .map(JsonValue::toJson)
                .filter(text -> text.matches("[1-5][0-9]{2}"))
                .map(Integer::parseInt)
                .orElseThrow(() -> missing(where, "response.status"));
    }

    private static Headers headers(JsonObject message, String where) {
        var fields = new ArrayList<Map.Entry<String, String>>();
        for (JsonValue field : message.list("headers")) {
            if (field.asList().size() != 2) {
                throw missing(where, "headers as pairs of name and value");
            }
            fields.add(new SimpleImmutableEntry<>(
                    field.asList().getFirst().asText().orElse(""),
                    field.asList().getLast().asText().orElse("")));
        }
        return Headers.of(fields);
    }

    private static Bytes body(JsonObject message) {
        return message.text("bodyBase64")
                .map(text -> Bytes.of(Base64.getDecoder().decode(text)))
                .orElseGet(() -> Bytes.utf8(message.text("body").orElse("")));
    }

    private static IllegalArgumentException missing(String where, String what) {
        return new IllegalArgumentException(where + ": " + what + " missing (expected: a recorded exchange)");
    }

    /**
     * {@return whether a request asks for the same: method and path, and the body as JSON if it is JSON, else byte for byte}
     *
     * @param request the request
     */
    public boolean answers(ProviderRequest request) {
        String path = request.path().replaceFirst("\\?.*", "");
        return method.equals(request.method()) && path.equals(uri.getRawPath()) && sameBody(request);
    }

    private boolean sameBody(ProviderRequest request) {
        if (requestBody.equals(request.body())) {
            return true;
        }
        return request.json()
                .map(json -> new ProviderRequest(1, method, "/", requestHeaders, requestBody)
                        .json()
                        .filter(json::equals)
                        .isPresent())
                .orElse(false);
    }

    /**
     * {@return the answer, carried as it was: chunked or with a length, compressed or not; the events of a stream each in a piece}
     */
    public Reply reply() {
        Headers kept = Headers.of(headers.fields().stream()
                .filter(field -> !OF_CARRIAGE.contains(field.getKey().toLowerCase(Locale.ROOT)))
                .toList());
        Reply plain = Reply.of(status, kept, body);
        if (isStream()) {
            plain = plain.withChunks(Pieces.events(body));
        }
        boolean compressed = headers.first("Content-Encoding")
                .filter("gzip"::equalsIgnoreCase)
                .isPresent();
        boolean chunked = headers.first("Transfer-Encoding").isPresent() || isStream();
        return (compressed ? plain.gzipped() : plain).withFraming(chunked ? Framing.CHUNKED : Framing.CONTENT_LENGTH);
    }

    /** {@return whether the answer is a stream of events} */
    public boolean isStream() {
        return headers.first("Content-Type")
                .filter(type -> type.startsWith("text/event-stream"))
                .isPresent();
    }

    @Override
    public String toString() {
        return "RecordedExchange[" + provider + " " + id + ", " + status + ", " + body + "]";
    }
}
