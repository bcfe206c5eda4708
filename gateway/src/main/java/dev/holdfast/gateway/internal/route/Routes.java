package dev.holdfast.gateway.internal.route;

import dev.holdfast.gateway.internal.access.AccessKey;
import dev.holdfast.gateway.internal.access.Doorkeeper;
import dev.holdfast.gateway.internal.api.ApiShape;
import dev.holdfast.gateway.internal.api.ProblemException;
import dev.holdfast.gateway.internal.call.Calls;
import dev.holdfast.gateway.internal.call.PassThrough;
import dev.holdfast.gateway.internal.http.Application;
import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import dev.holdfast.gateway.internal.status.ModelList;
import dev.holdfast.gateway.internal.status.StatusPage;
import dev.holdfast.spi.Dialect;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients are served: each path and what answers it. */
public final class Routes implements Application {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.gateway");
    private static final String OPENAI = "openai";
    private static final String ANTHROPIC = "anthropic";
    private static final String MESSAGES = "/v1/messages";
    private static final String MODELS = "/v1/models";
    private static final Set<String> CHATS = Set.of("/v1/chat/completions", MESSAGES);
    private static final Set<String> PASSED = Set.of("GET", "HEAD", "DELETE");

    private final Doorkeeper door;
    private final Stage stage;
    private final Calls calls;
    private final PassThrough passThrough;
    private final ModelList models;
    private final StatusPage status;
    private final Map<String, Dialect> dialects;

    /**
     * Creates the routes.
     *
     * @param door lets requests in
     * @param stage whether the gateway stops
     * @param calls makes calls
     * @param passThrough passes on what is for no model
     * @param models the models there are
     * @param status the page of the status
     * @param dialects the languages of clients, OpenAI's among them
     */
    public Routes(
            Doorkeeper door,
            Stage stage,
            Calls calls,
            PassThrough passThrough,
            ModelList models,
            StatusPage status,
            Map<String, Dialect> dialects) {
        this.door = door;
        this.stage = stage;
        this.calls = calls;
        this.passThrough = passThrough;
        this.models = models;
        this.status = status;
        this.dialects = Map.copyOf(dialects);
    }

    @Override
    public void serve(Exchange exchange) {
        ApiShape shape = shape(exchange.path());
        guarded(exchange, shape, () -> {
            if (exchange.path().startsWith("/health/")) {
                get(exchange, () -> health(exchange.path()));
                return;
            }
            door.checkHost(exchange.headers());
            Optional<AccessKey> key = door.admit(exchange.headers());
            if (!stage.enter()) {
                throw ProblemException.of(503, "server_error", "stopping", "the gateway stops")
                        .withHeader("connection", "close");
            }
            try {
                serve(exchange, shape, key);
            } finally {
                stage.leave();
            }
        });
    }

    private static ApiShape shape(String path) {
        if (path.startsWith("/api/")) {
            return ApiShape.PLAIN;
        }
        return path.equals(MESSAGES) || path.startsWith(MESSAGES + "/") ? ApiShape.ANTHROPIC : ApiShape.OPENAI;
    }

    private void serve(Exchange exchange, ApiShape shape, Optional<AccessKey> key) {
        String path = exchange.path();
        switch (path) {
            case MODELS -> get(exchange, () -> models.answer(key));
            case "/v1/route:explain" -> post(exchange, () -> exchange.answer(calls.explain(exchange, openAi(), key)));
            case "/api/chat" -> post(exchange, () -> calls.prompt(exchange, openAi(), usualModel(), key));
            case "/api/status" -> get(exchange, () -> status.answer(!stage.isReady(), false));
            default -> {
                if (path.startsWith(MODELS + "/")) {
                    get(exchange, () -> models.answer(path.substring(MODELS.length() + 1), key));
                } else if (path.startsWith("/v1/")) {
                    ofTheApi(exchange, shape, key);
                } else {
                    throw unknownPath();
                }
            }
        }
    }

    /** Chats are posted, and whatever names a model; what else the API has is read and deleted where it is. */
    private void ofTheApi(Exchange exchange, ApiShape shape, Optional<AccessKey> key) {
        Dialect dialect = dialect(shape == ApiShape.ANTHROPIC ? ANTHROPIC : OPENAI);
        boolean chat = CHATS.contains(exchange.path());
        if (!chat && PASSED.contains(exchange.method())) {
            passThrough.serve(exchange, dialect, key);
            return;
        }
        checkMethod(exchange, "POST", chat ? "POST" : "GET, HEAD, POST, DELETE");
        calls.serve(exchange, dialect, shape, key);
    }

    /** The articles' model where it is configured, else the first. */
    private String usualModel() {
        return models.models().contains("gpt-4.1") ? "gpt-4.1" : models.models().getFirst();
    }

    private Dialect openAi() {
        return dialect(OPENAI);
    }

    private Dialect dialect(String name) {
        Dialect dialect = dialects.get(name);
        if (dialect == null) {
            throw unknownPath();
        }
        return dialect;
    }

    private HttpAnswer health(String path) {
        return stage.health(path).orElseThrow(Routes::unknownPath);
    }

    static ProblemException unknownPath() {
        return ProblemException.of(404, "invalid_request_error", "unknown_url", "nothing is served at this path");
    }

    static void get(Exchange exchange, java.util.function.Supplier<HttpAnswer> answer) {
        // A HEAD is a GET of which only the head is answered (RFC 9110, section 9.3.2).
        checkMethod(exchange, exchange.method().equals("HEAD") ? "HEAD" : "GET", "GET, HEAD");
        exchange.answer(answer.get());
    }

    static void post(Exchange exchange, Runnable answer) {
        checkMethod(exchange, "POST");
        answer.run();
    }

    private static void checkMethod(Exchange exchange, String allowed) {
        checkMethod(exchange, allowed, allowed);
    }

    private static void checkMethod(Exchange exchange, String served, String allowed) {
        if (!exchange.method().equals(served)) {
            throw ProblemException.of(
                            405, "invalid_request_error", "method_not_supported", "only " + allowed + " is served here")
                    .withHeader("allow", allowed);
        }
    }

    /** Nothing but an answer comes out of a request, and no words of an unforeseen error. */
    static void guarded(Exchange exchange, ApiShape shape, Runnable work) {
        ProblemException problem;
        try {
            work.run();
            return;
        } catch (ProblemException e) {
            problem = e;
        } catch (IllegalStateException e) {
            LOG.debug("a request met the end of the client", e);
            problem = ProblemException.of(503, "server_error", "stopping", "the gateway stops");
        } catch (RuntimeException e) {
            if (exchange.isAbandoned()) {
                return;
            }
            LOG.error(
                    "a request to {} failed unforeseen: {}",
                    exchange.path(),
                    e.getClass().getName(),
                    e);
            problem = ProblemException.of(500, "server_error", "internal_error", "the gateway failed");
        }
        if (!exchange.isAbandoned()) {
            exchange.answer(shape.answer(problem));
        }
    }
}
