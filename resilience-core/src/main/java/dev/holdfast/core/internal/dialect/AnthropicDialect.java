package dev.holdfast.core.internal.dialect;

import dev.holdfast.Adjustment;
import dev.holdfast.Bytes;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.DialectException;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Speaks Anthropic Messages, in both directions, and passes what else goes to such a server through untouched. The base URL may
 * end in {@code /v1} or before it.
 */
public final class AnthropicDialect implements Dialect {
    /** The dialect's name. */
    public static final String NAME = "anthropic";

    private static final String MESSAGES = "/messages";
    private static final String ROOT = "/v1";
    private static final String VERSION_FIELD = "anthropic-version";
    private static final String VERSION = "2023-06-01";
    /** What access tokens of subscriptions begin with; keys begin with {@code sk-ant-api}. */
    private static final String TOKEN = "sk-ant-oat";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Form form() {
        return Form.ANTHROPIC_MESSAGES;
    }

    @Override
    public WireRequest encodeRequest(OutgoingRequest outgoing) throws DialectException {
        ModelRequest request = outgoing.request();
        Documents.expect(Form.ANTHROPIC_MESSAGES, request);
        JsonObject document = Documents.withModel(request, outgoing.model());
        return new WireRequest("POST", uri(outgoing), headers(outgoing), Bytes.utf8(document.toJson()), List.of());
    }

    private static URI uri(OutgoingRequest outgoing) throws DialectException {
        URI base = outgoing.endpoint().baseUrl();
        String path = outgoing.request().path().orElse(MESSAGES);
        String rooted = path.startsWith("/") ? path : "/" + path;
        boolean versioned = Uris.path(base).endsWith(ROOT) || rooted.startsWith(ROOT + "/");
        return Uris.below(base, versioned ? rooted : ROOT + rooted);
    }

    private static Headers headers(OutgoingRequest outgoing) {
        Endpoint endpoint = outgoing.endpoint();
        Headers headers = WireHeaders.of(outgoing);
        if (headers.first(VERSION_FIELD).isEmpty()) {
            headers = headers.with(VERSION_FIELD, endpoint.apiVersion().orElse(VERSION));
        }
        if (outgoing.credential().isEmpty()) {
            return headers;
        }
        Credential credential = outgoing.credential().get();
        boolean token =
                WireHeaders.isToken(credential) || credential.secret().reveal().startsWith(TOKEN);
        return token
                ? WireHeaders.bearer(headers, credential)
                : headers.with("x-api-key", credential.secret().reveal());
    }

    @Override
    public ModelAnswer decodeAnswer(ModelRequest request, JsonObject document) throws DialectException {
        return request.form() == Form.OPAQUE ? OpaqueAnswers.decode(document) : AnthropicAnswers.decode(document);
    }

    @Override
    public ModelRequest decodeRequest(String path, JsonObject document) throws DialectException {
        String own = Documents.belowVersion(path);
        if (Documents.withoutQuery(own).endsWith(MESSAGES)) {
            AnthropicRequests.check(document);
            return Documents.readable(ModelRequest.of(Form.ANTHROPIC_MESSAGES, document));
        }
        return Documents.opaque(own, Documents.model(document), document);
    }

    @Override
    public JsonObject encodeAnswer(ModelAnswer answer, String model) {
        return AnthropicAnswers.encode(answer, model);
    }

    @Override
    public List<Adjustment> unsaid(ModelAnswer answer) {
        return Unsaid.inAnthropic(answer);
    }

    @Override
    public Optional<StreamCodec> streams() {
        return Optional.of(new Codec(request -> new AnthropicStreamDecoder(), AnthropicStreamEncoder::new));
    }
}
