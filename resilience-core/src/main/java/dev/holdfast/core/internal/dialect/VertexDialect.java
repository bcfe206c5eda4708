package dev.holdfast.core.internal.dialect;

import dev.holdfast.Adjustment;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.DialectException;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Gemini's documents at Vertex AI: models are those of a publisher, below a project and a location that the base URL names, and
 * keys are tokens of Google's OAuth that a credential source issues. An API key (express mode) needs neither project nor location.
 */
public final class VertexDialect implements Dialect {
    /** The dialect's name. */
    public static final String NAME = "vertex";

    private static final String VERSION = "v1";
    private static final String MODELS = "publishers/google/models";

    private final GeminiDialect documents = new GeminiDialect();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Form form() {
        return Form.GEMINI_CONTENT;
    }

    /** What an endpoint lacks to be one of Vertex; empty if nothing. */
    static Optional<String> lack(Endpoint endpoint) {
        boolean express = endpoint.credentials().stream().anyMatch(key -> !WireHeaders.isToken(key));
        return express || isLocated(endpoint.baseUrl())
                ? Optional.empty()
                : Optional.of("base-url of endpoint " + endpoint.name()
                        + ": no project and location (expected: Endpoint.vertex(project, location), or"
                        + " https://LOCATION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/LOCATION)");
    }

    private static boolean isLocated(URI base) {
        return Uris.path(base).contains("/projects/") && Uris.path(base).contains("/locations/");
    }

    @Override
    public WireRequest encodeRequest(OutgoingRequest outgoing) throws DialectException {
        Documents.expect(Form.GEMINI_CONTENT, outgoing.request());
        URI base = outgoing.endpoint().baseUrl();
        boolean whole = isLocated(base) || GeminiDialect.isVersioned(base);
        String root = whole ? "" : "/" + outgoing.endpoint().apiVersion().orElse(VERSION);
        return GeminiDialect.encode(outgoing, root, MODELS);
    }

    @Override
    public ModelAnswer decodeAnswer(ModelRequest request, JsonObject document) throws DialectException {
        return documents.decodeAnswer(request, document);
    }

    @Override
    public ModelRequest decodeRequest(String path, JsonObject document) throws DialectException {
        return documents.decodeRequest(path, document);
    }

    @Override
    public JsonObject encodeAnswer(ModelAnswer answer, String model) {
        return documents.encodeAnswer(answer, model);
    }

    @Override
    public List<Adjustment> unsaid(ModelAnswer answer) {
        return documents.unsaid(answer);
    }

    @Override
    public Optional<StreamCodec> streams() {
        return documents.streams();
    }
}
