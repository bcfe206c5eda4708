package dev.holdfast.core.internal.dialect;

import dev.holdfast.Adjustment;
import dev.holdfast.Bytes;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.DialectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Speaks OpenAI's chat completions, in both directions, and passes what else goes to such a server through untouched. */
public final class OpenAiDialect implements Dialect {
    /** The dialect's name. */
    public static final String NAME = "openai";

    private static final String CHAT_PATH = "/chat/completions";
    private static final int MOST_BASES = 1_000;
    private static final String OPTIONS = "stream_options";
    private static final JsonObject WITH_USAGE = JsonObject.of("include_usage", JsonValue.of(true));
    private static final List<Adjustment> USAGE_ASKED_FOR =
            List.of(new Adjustment("/" + OPTIONS, "added, so that the usage is known"));

    /** Where chats go for each base URL: found once, and the same for each call. */
    private final ConcurrentHashMap<URI, URI> chatUris = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Form form() {
        return Form.OPENAI_CHAT;
    }

    @Override
    public WireRequest encodeRequest(OutgoingRequest outgoing) throws DialectException {
        ModelRequest request = outgoing.request();
        URI uri = uri(outgoing.endpoint().baseUrl(), request);
        boolean asksForUsage = request.form() == Form.OPENAI_CHAT
                && request.streaming()
                && !request.document().members().containsKey(OPTIONS);
        JsonObject document = document(request, outgoing.model());
        Bytes body = Bytes.utf8((asksForUsage ? document.with(OPTIONS, WITH_USAGE) : document).toJson());
        return new WireRequest("POST", uri, headers(outgoing), body, asksForUsage ? USAGE_ASKED_FOR : List.of());
    }

    private static String path(ModelRequest request) throws DialectException {
        return switch (request.form()) {
            case OPENAI_CHAT -> CHAT_PATH;
            case OPAQUE -> request.path().orElse(CHAT_PATH);
            case ANTHROPIC_MESSAGES, GEMINI_CONTENT ->
                throw new DialectException("/: a request in the form " + request.form() + " (expected: OPENAI_CHAT)");
        };
    }

    private static JsonObject document(ModelRequest request, String model) {
        JsonObject document = request.document();
        boolean named =
                request.form() == Form.OPENAI_CHAT || document.get("model").isPresent();
        boolean same = document.text("model").filter(model::equals).isPresent();
        return named && !same ? document.with("model", JsonValue.of(model)) : document;
    }

    private static Headers headers(OutgoingRequest outgoing) {
        Headers headers = outgoing.endpoint().headers();
        if (headers.first("Content-Type").isEmpty()) {
            headers = headers.with("Content-Type", "application/json");
        }
        if (headers.first("Accept").isEmpty()) {
            headers = headers.with("Accept", outgoing.request().streaming() ? "text/event-stream" : "application/json");
        }
        return outgoing.credential().isEmpty()
                ? headers
                : headers.with(
                        "Authorization",
                        "Bearer " + outgoing.credential().get().secret().reveal());
    }

    private URI uri(URI base, ModelRequest request) throws DialectException {
        String path = path(request);
        if (!path.equals(CHAT_PATH)) {
            return uri(base, path);
        }
        URI known = chatUris.get(base);
        if (known != null) {
            return known;
        }
        URI uri = uri(base, path);
        if (chatUris.size() < MOST_BASES) {
            chatUris.put(base, uri);
        }
        return uri;
    }

    /** The base URL's own query stays, as some gateways want one; a path must not lead out of the base URL. */
    private static URI uri(URI base, String path) throws DialectException {
        String rooted = path.startsWith("/") ? path : "/" + path;
        String basePath = base.getRawPath() == null ? "" : base.getRawPath();
        int question = rooted.indexOf('?');
        String ownQuery = question < 0 ? "" : rooted.substring(question + 1);
        String ownPath = question < 0 ? rooted : rooted.substring(0, question);
        String query = base.getRawQuery() == null ? ownQuery : join(base.getRawQuery(), ownQuery);
        try {
            URI uri = new URI(base.getScheme() + "://" + base.getRawAuthority() + basePath + ownPath
                    + (query.isEmpty() ? "" : "?" + query));
            if (leadsOut(ownPath) || uri.getRawFragment() != null) {
                throw new DialectException("/: a path that leads elsewhere (expected: one below the base URL)");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new DialectException("/: a path that no URI can hold (expected: one below the base URL)");
        }
    }

    private static boolean leadsOut(String path) {
        boolean plain = path.indexOf('%') < 0 && path.indexOf('\\') < 0;
        if (plain && !path.contains("..")) {
            return false;
        }
        String decoded = path.replaceAll("(?i)%2e", ".").replaceAll("(?i)%2f|%5c|\\\\", "/");
        return List.of(decoded.split("/")).contains("..");
    }

    private static String join(String first, String second) {
        return second.isEmpty() ? first : first + "&" + second;
    }

    @Override
    public ModelAnswer decodeAnswer(ModelRequest request, JsonObject document) throws DialectException {
        return request.form() == Form.OPAQUE ? OpenAiAnswers.decodeOpaque(document) : OpenAiAnswers.decode(document);
    }

    @Override
    public ModelRequest decodeRequest(String path, JsonObject document) throws DialectException {
        String own = path.startsWith("/v1/") ? path.substring(3) : path;
        if (own.endsWith(CHAT_PATH)) {
            OpenAiRequests.check(document);
            return ModelRequest.of(Form.OPENAI_CHAT, document);
        }
        String model = OpenAiRequests.model(document);
        if (own.isBlank() || leadsOut(own)) {
            throw new DialectException("/: no path (expected: one below the base URL)");
        }
        return ModelRequest.opaque(own, model, document);
    }

    @Override
    public JsonObject encodeAnswer(ModelAnswer answer, String model) {
        return OpenAiAnswers.encode(answer, model);
    }

    @Override
    public Optional<StreamCodec> streams() {
        return Optional.of(new StreamCodec() {
            @Override
            public StreamDecoder decoder(ModelRequest request) {
                return new OpenAiStreamDecoder(request);
            }

            @Override
            public StreamEncoder encoder(ModelRequest request) {
                return new OpenAiStreamEncoder(request);
            }
        });
    }
}
