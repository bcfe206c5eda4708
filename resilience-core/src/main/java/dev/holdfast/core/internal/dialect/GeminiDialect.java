package dev.holdfast.core.internal.dialect;

import dev.holdfast.Adjustment;
import dev.holdfast.Bytes;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.DialectException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Speaks Gemini's {@code generateContent} at AI Studio, in both directions, and passes what else goes to such a server through
 * untouched. The path names the model and asks for a stream; a member {@code stream} of the document, by which a request of ours
 * asks for one, is not sent.
 */
public final class GeminiDialect implements Dialect {
    /** The dialect's name. */
    public static final String NAME = "gemini";

    private static final String VERSION = "v1beta";
    private static final Pattern VERSIONED = Pattern.compile("(.*/)?v[0-9][a-z0-9]*");
    private static final Pattern BEGINS_VERSIONED = Pattern.compile("/v\\d+[a-z0-9]*/.*");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Form form() {
        return Form.GEMINI_CONTENT;
    }

    @Override
    public WireRequest encodeRequest(OutgoingRequest outgoing) throws DialectException {
        Documents.expect(Form.GEMINI_CONTENT, outgoing.request());
        URI base = outgoing.endpoint().baseUrl();
        String root =
                isVersioned(base) ? "" : "/" + outgoing.endpoint().apiVersion().orElse(VERSION);
        return encode(outgoing, root, "models");
    }

    /** Whether the base URL ends in a version of the API. */
    static boolean isVersioned(URI base) {
        return VERSIONED.matcher(Uris.path(base)).matches();
    }

    /**
     * The request of one of Google's servers.
     *
     * @param outgoing the request
     * @param root what stands between the base URL and the models
     * @param models where the models are
     */
    static WireRequest encode(OutgoingRequest outgoing, String root, String models) throws DialectException {
        ModelRequest request = outgoing.request();
        Optional<String> path = request.path();
        String below = path.map(own -> own.startsWith("/") ? own : "/" + own)
                .orElseGet(() -> "/" + modelPath(models, outgoing.model()) + verb(request));
        boolean versioned = path.isPresent() && BEGINS_VERSIONED.matcher(below).matches();
        URI uri = Uris.below(outgoing.endpoint().baseUrl(), versioned ? below : root + below);
        return new WireRequest(
                "POST",
                uri,
                WireHeaders.withKeyOrToken(outgoing, "x-goog-api-key"),
                Bytes.utf8(document(outgoing).toJson()),
                List.of());
    }

    /** A name with a path of its own ({@code tunedModels/…}) is used as it is. */
    private static String modelPath(String models, String model) {
        var path = new StringBuilder();
        for (String step : List.of((model.contains("/") ? model : models + "/" + model).split("/"))) {
            path.append(path.isEmpty() ? "" : "/").append(Uris.segment(step));
        }
        return path.toString();
    }

    private static String verb(ModelRequest request) {
        return request.streaming() ? ":streamGenerateContent?alt=sse" : ":generateContent";
    }

    /** The path says both: the server knows no member for a stream, and none for the model but in its own spelling. */
    private static JsonObject document(OutgoingRequest outgoing) {
        return outgoing.request().form() == Form.OPAQUE
                ? Documents.withModel(outgoing.request(), outgoing.model())
                : outgoing.request().document().without("stream").without("model");
    }

    @Override
    public ModelAnswer decodeAnswer(ModelRequest request, JsonObject document) throws DialectException {
        return request.form() == Form.OPAQUE ? OpaqueAnswers.decode(document) : GeminiAnswers.decode(document);
    }

    @Override
    public ModelRequest decodeRequest(String path, JsonObject document) throws DialectException {
        return GeminiRequests.decode(path, document);
    }

    @Override
    public JsonObject encodeAnswer(ModelAnswer answer, String model) {
        return GeminiAnswers.encode(answer, model);
    }

    @Override
    public List<Adjustment> unsaid(ModelAnswer answer) {
        return Unsaid.inGemini(answer);
    }

    @Override
    public Optional<StreamCodec> streams() {
        return Optional.of(new Codec(GeminiStreamDecoder::new, GeminiStreamEncoder::new));
    }
}
