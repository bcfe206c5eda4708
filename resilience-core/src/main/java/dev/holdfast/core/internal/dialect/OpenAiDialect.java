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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Speaks OpenAI's chat completions, in both directions, and passes what else goes to such a server through untouched. Those who
 * speak almost like OpenAI (DeepSeek, Mistral, Groq, OpenRouter, xAI, Together) are understood as well.
 */
public final class OpenAiDialect implements Dialect {
    /** The dialect's name. */
    public static final String NAME = "openai";

    static final String CHAT_PATH = "/chat/completions";
    private static final int MOST_BASES = 1_000;
    private static final String OPTIONS = "stream_options";
    private static final JsonObject WITH_USAGE = JsonObject.of("include_usage", JsonValue.of(true));
    private static final List<Adjustment> USAGE_ASKED_FOR =
            List.of(new Adjustment("/" + OPTIONS, "added, so that the usage is known"));
    private static final List<Adjustment> OPTIONS_DROPPED =
            List.of(new Adjustment("/" + OPTIONS, "dropped: this server refuses it and says the usage unasked"));

    /** Servers that answer 422 to {@code stream_options}, and send the usage with the last chunk whoever asks. */
    private static final Set<String> WITHOUT_OPTIONS = Set.of("api.mistral.ai", "codestral.mistral.ai");

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
        Documents.expect(Form.OPENAI_CHAT, outgoing.request());
        URI uri = uri(outgoing.endpoint().baseUrl(), outgoing.request());
        Headers headers = WireHeaders.of(outgoing);
        if (outgoing.credential().isPresent()) {
            headers = WireHeaders.bearer(headers, outgoing.credential().get());
        }
        return encode(outgoing, uri, headers);
    }

    /** The request at a URI and with header fields that another speaker of OpenAI's documents has. */
    static WireRequest encode(OutgoingRequest outgoing, URI uri, Headers headers) {
        ModelRequest request = outgoing.request();
        JsonObject document = Documents.withModel(request, outgoing.model());
        boolean streamedChat = request.form() == Form.OPENAI_CHAT && request.streaming();
        boolean says = document.members().containsKey(OPTIONS);
        boolean takes = !WITHOUT_OPTIONS.contains(String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT));
        if (streamedChat && takes && !says) {
            return wire(uri, headers, document.with(OPTIONS, WITH_USAGE), USAGE_ASKED_FOR);
        }
        if (streamedChat && !takes && says) {
            return wire(uri, headers, document.without(OPTIONS), OPTIONS_DROPPED);
        }
        return wire(uri, headers, document, List.of());
    }

    private static WireRequest wire(URI uri, Headers headers, JsonObject document, List<Adjustment> adjusted) {
        return new WireRequest("POST", uri, headers, Bytes.utf8(document.toJson()), adjusted);
    }

    private URI uri(URI base, ModelRequest request) throws DialectException {
        String path = request.path().orElse(CHAT_PATH);
        if (!path.equals(CHAT_PATH)) {
            return Uris.below(base, path);
        }
        URI known = chatUris.get(base);
        if (known != null) {
            return known;
        }
        URI uri = Uris.below(base, path);
        if (chatUris.size() < MOST_BASES) {
            chatUris.put(base, uri);
        }
        return uri;
    }

    @Override
    public ModelAnswer decodeAnswer(ModelRequest request, JsonObject document) throws DialectException {
        return request.form() == Form.OPAQUE ? OpaqueAnswers.decode(document) : OpenAiAnswers.decode(document);
    }

    @Override
    public ModelRequest decodeRequest(String path, JsonObject document) throws DialectException {
        String own = Documents.belowVersion(path);
        if (Documents.withoutQuery(own).endsWith(CHAT_PATH)) {
            OpenAiRequests.check(document);
            return Documents.readable(ModelRequest.of(Form.OPENAI_CHAT, document));
        }
        return Documents.opaque(own, Documents.model(document), document);
    }

    @Override
    public JsonObject encodeAnswer(ModelAnswer answer, String model) {
        return OpenAiAnswers.encode(answer, model);
    }

    @Override
    public List<Adjustment> unsaid(ModelAnswer answer) {
        return Unsaid.inOpenAi(answer);
    }

    @Override
    public Optional<StreamCodec> streams() {
        return Optional.of(new Codec(OpenAiStreamDecoder::new, OpenAiStreamEncoder::new));
    }
}
