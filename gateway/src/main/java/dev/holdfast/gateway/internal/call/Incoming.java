package dev.holdfast.gateway.internal.call;

import dev.holdfast.Bytes;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.JsonTextException;
import dev.holdfast.gateway.internal.access.AccessKey;
import dev.holdfast.gateway.internal.access.Doorkeeper;
import dev.holdfast.gateway.internal.api.ProblemException;
import dev.holdfast.gateway.internal.http.BodyRefusedException;
import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.DialectException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads what clients ask for, and refuses what would fail everywhere. Safe for use by many threads. */
public final class Incoming {
    private static final List<String> CAPS = List.of("max_completion_tokens", "max_tokens");

    private final long maxBody;
    private final Set<String> models;
    private final AutoModel auto;

    /**
     * Creates a reader.
     *
     * @param maxBody how large a body may be, in bytes
     * @param models the models there are
     * @param auto whether the router may be asked to choose
     */
    public Incoming(long maxBody, List<String> models, AutoModel auto) {
        this.maxBody = maxBody;
        this.models = Set.copyOf(models);
        this.auto = auto;
    }

    /**
     * {@return the body's document}
     *
     * @param exchange the request
     */
    public JsonObject document(Exchange exchange) {
        Doorkeeper.checkContent(exchange.headers());
        try {
            Bytes body = exchange.body(maxBody);
            return JsonText.parse(body)
                    .asObject()
                    .orElseThrow(() -> ProblemException.invalid("the body is no JSON object (expected: one)"));
        } catch (BodyRefusedException e) {
            String code = e.status() == 413 ? "request_too_large" : "invalid_request";
            throw ProblemException.of(e.status(), "invalid_request_error", code, e.getMessage());
        } catch (JsonTextException e) {
            throw ProblemException.invalid("the body is no JSON: " + e.getMessage());
        }
    }

    /**
     * {@return the request that a document is, as far as the key allows it}
     *
     * @param dialect the client's language
     * @param path where it came to
     * @param document the document
     * @param key whose it is
     */
    public ModelRequest request(Dialect dialect, String path, JsonObject document, Optional<AccessKey> key) {
        ModelRequest request;
        try {
            request = dialect.decodeRequest(path, document);
        } catch (DialectException e) {
            String words = String.valueOf(e.getMessage());
            String pointer = words.split(":", 2)[0];
            throw ProblemException.invalid(words).withParam(pointer.replaceFirst("^/", ""));
        }
        if (request.path().isPresent() || !auto.isMeantBy(request.model())) {
            check(request.model(), key);
        }
        return key.flatMap(each -> capped(request, each)).orElse(request);
    }

    private void check(String model, Optional<AccessKey> key) {
        if (!models.contains(model)) {
            throw ProblemException.of(
                            404, "invalid_request_error", "model_not_found", "this model is not configured here")
                    .withParam("model");
        }
        if (key.isPresent() && !key.get().allows(model)) {
            throw ProblemException.of(403, "permission_error", "model_not_allowed", "your key is not for this model")
                    .withParam("model");
        }
    }

    /** The request with a cap on its output that is no higher than the key's. */
    private static Optional<ModelRequest> capped(ModelRequest request, AccessKey key) {
        if (key.maxTokens().isEmpty() || request.path().isPresent()) {
            return Optional.empty();
        }
        long most = key.maxTokens().getAsLong();
        JsonObject document = request.document();
        boolean named = false;
        for (String cap : CAPS) {
            if (document.get(cap).filter(value -> !value.isNull()).isPresent()) {
                named = true;
                if (document.longValue(cap).orElse(Long.MAX_VALUE) > most) {
                    document = document.with(cap, JsonValue.of(most));
                }
            }
        }
        return Optional.of(request.withDocument(named ? document : document.with(CAPS.getFirst(), JsonValue.of(most))));
    }
}
