package dev.holdfast.gateway.internal.call;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.Usage;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.gateway.internal.access.AccessKey;
import dev.holdfast.gateway.internal.access.KeyLimits;
import dev.holdfast.gateway.internal.api.ApiShape;
import dev.holdfast.gateway.internal.api.Failures;
import dev.holdfast.gateway.internal.api.ProblemException;
import dev.holdfast.gateway.internal.http.EventOutput;
import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ModelRouter.LikelyRoute;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the calls that clients ask for. Safe for use by many threads. */
public final class Calls {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.gateway");

    private final ResilientClient client;
    private final Incoming incoming;
    private final RequestOptions wanted;
    private final AutoModel auto;
    private final KeyLimits limits;
    private final Failures failures;
    private final PromptLog prompts;

    /**
     * Creates the calls.
     *
     * @param client makes them
     * @param incoming reads what is asked
     * @param wanted reads what is asked for by header fields
     * @param auto chooses a model where none is named
     * @param limits the limits of each key
     * @param failures says what a client is told of a failure
     * @param prompts what is logged of them
     */
    public Calls(
            ResilientClient client,
            Incoming incoming,
            RequestOptions wanted,
            AutoModel auto,
            KeyLimits limits,
            Failures failures,
            PromptLog prompts) {
        this.client = client;
        this.incoming = incoming;
        this.wanted = wanted;
        this.auto = auto;
        this.limits = limits;
        this.failures = failures;
        this.prompts = prompts;
    }

    /**
     * Answers a request in the language it is in, whole or streamed.
     *
     * @param exchange the request
     * @param dialect its language
     * @param shape how its API says that something went wrong
     * @param key whose it is
     */
    public void serve(Exchange exchange, Dialect dialect, ApiShape shape, Optional<AccessKey> key) {
        JsonObject document = incoming.document(exchange);
        String path = exchange.query().isEmpty() ? exchange.path() : exchange.path() + "?" + exchange.query();
        ModelRequest request = incoming.request(dialect, path, document, key);
        serve(exchange, dialect, shape, key, request);
    }

    /**
     * Answers a request that was read already.
     *
     * @param exchange the request
     * @param dialect its language
     * @param shape how its API says that something went wrong
     * @param key whose it is
     * @param request what is asked
     */
    public void serve(
            Exchange exchange, Dialect dialect, ApiShape shape, Optional<AccessKey> key, ModelRequest request) {
        var watch = new CallWatch();
        CallOptions options =
                routed(request, wanted.of(exchange.headers(), key), key).withListener(watch);
        KeyLimits.Share share = limits.take(key, request);
        prompts.asked(request);
        Optional<Usage> used = Optional.empty();
        try {
            if (request.streaming()) {
                used = stream(exchange, dialect, shape, request, options, watch);
            } else {
                used = whole(exchange, dialect, request, options, watch);
            }
        } catch (CallException e) {
            if (e.attempts().isEmpty()) {
                share.giveBack();
            }
            throw problem(exchange, e)
                    .withHeader("x-request-id", e.callId())
                    .withHeader(
                            "x-holdfast-attempts", Integer.toString(e.attempts().size()))
                    .withHeader("idempotency-key", options.idempotencyKey().orElse(e.callId()));
        } finally {
            share.settle(used);
        }
    }

    /** The options of a call that lets the router choose, or as they are. */
    private CallOptions routed(ModelRequest request, CallOptions options, Optional<AccessKey> key) {
        return auto.isMeantBy(request.model())
                ? options.withRoute(auto.route(request, options, key).models())
                : options;
    }

    private Optional<Usage> whole(
            Exchange exchange, Dialect dialect, ModelRequest request, CallOptions options, CallWatch watch) {
        ModelResponse response = exchange.whileConnected(() -> client.call(request, options));
        prompts.answered(response);
        exchange.answer(HttpAnswer.json(200, document(dialect, request, response))
                .with(AnswerHeaders.of(response, watch, options.idempotencyKey())));
        return response.usage();
    }

    private JsonObject document(Dialect dialect, ModelRequest request, ModelResponse response) {
        if (request.path().isPresent()) {
            return response.document();
        }
        try {
            String model = auto.isMeantBy(request.model()) ? response.model().orElse(request.model()) : request.model();
            return dialect.encodeAnswer(response.answer(), model);
        } catch (DialectException e) {
            throw ProblemException.of(
                    502,
                    "server_error",
                    "malformed_response",
                    "the answer cannot be told in your API: " + e.getMessage());
        }
    }

    private Optional<Usage> stream(
            Exchange exchange,
            Dialect dialect,
            ApiShape shape,
            ModelRequest request,
            CallOptions options,
            CallWatch watch) {
        Dialect.StreamEncoder encoder = dialect.streams()
                .orElseThrow(() -> ProblemException.invalid("no streams in this API (expected: stream: false)"))
                .encoder(request);
        return exchange.whileConnected(() -> {
            try (ModelStream stream = client.stream(request, options)) {
                EventOutput out = exchange.events(watch.headers(options.idempotencyKey()));
                return copy(exchange, stream, encoder, shape, out);
            }
        });
    }

    /** Passes the events on. What breaks off says so in the stream, and never looks like an end. */
    private Optional<Usage> copy(
            Exchange exchange, ModelStream stream, Dialect.StreamEncoder encoder, ApiShape shape, EventOutput out) {
        Optional<Usage> used = Optional.empty();
        try {
            try {
                for (StreamEvent event : stream) {
                    if (event instanceof StreamEvent.UsageReported(Usage usage)) {
                        used = Optional.of(usage);
                    }
                    out.write(encoder.encode(event));
                    if (!stream.isReady()) {
                        out.flush();
                    }
                }
                out.remark(AnswerHeaders.atTheEnd(stream.toResponse()));
                out.write(encoder.end());
            } catch (CallException e) {
                if (exchange.isAbandoned()) {
                    LOG.debug("call={} the client hung up", e.callId());
                    return used;
                }
                out.write(List.of(shape.event(problem(exchange, e))));
            }
            out.end();
        } catch (IOException e) {
            LOG.debug("the client hung up while it was written to");
        }
        return used;
    }

    /**
     * {@return what a call would try, as things stand}
     *
     * @param exchange the request, of a chat in OpenAI's form
     * @param dialect its language
     * @param key whose it is
     */
    public HttpAnswer explain(Exchange exchange, Dialect dialect, Optional<AccessKey> key) {
        JsonObject document = incoming.document(exchange);
        ModelRequest request = incoming.request(dialect, "/v1/chat/completions", document, key);
        CallOptions options = wanted.of(exchange.headers(), key);
        if (!auto.isMeantBy(request.model())) {
            return HttpAnswer.json(200, ExplanationJson.of(client.explain(request, options)));
        }
        List<LikelyRoute> routes = auto.likely(request, options, key);
        return HttpAnswer.json(
                200, ExplanationJson.of(routes, route -> client.explain(request, options.withRoute(route.models()))));
    }

    /**
     * Answers the articles' {@code POST /api/chat}: a prompt and perhaps a model.
     *
     * @param exchange the request
     * @param dialect OpenAI's
     * @param usual the model that is asked where none is named
     * @param key whose it is
     */
    public void prompt(Exchange exchange, Dialect dialect, String usual, Optional<AccessKey> key) {
        JsonObject document = incoming.document(exchange);
        String prompt = document.text("prompt")
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> ProblemException.invalid("prompt: missing (expected: a text)"));
        JsonObject chat = ModelRequest.chat(document.text("model").orElse(usual))
                .user(prompt)
                .build()
                .document();
        if (document.get("stream").map(JsonValue::isTrue).orElse(false)) {
            chat = chat.with("stream", JsonValue.of(true));
        }
        serve(exchange, dialect, ApiShape.PLAIN, key, incoming.request(dialect, "/v1/chat/completions", chat, key));
    }

    private ProblemException problem(Exchange exchange, CallException e) {
        if (e instanceof CallCancelledException && !exchange.isAbandoned()) {
            return ProblemException.of(503, "server_error", "stopping", "the gateway stops");
        }
        return failures.problem(e);
    }
}
