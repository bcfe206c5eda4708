package dev.holdfast.core;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallResult;
import dev.holdfast.Endpoint;
import dev.holdfast.Explanation;
import dev.holdfast.HealthReport;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Secret;
import dev.holdfast.Target;
import dev.holdfast.core.internal.call.CallEngine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Makes calls that keep working while providers fail.
 *
 * <pre>{@code
 * try (ResilientClient client = ResilientClient.openAi(System.getenv("OPENAI_API_KEY"))) {
 *     ModelResponse response = client.call(ModelRequest.chat("gpt-4.1").user("Name three rivers.").build());
 *     System.out.println(response.text().orElse("") + " " + response.attempts());
 * }
 * }</pre>
 *
 * <p>Blocking calls run on the caller's thread and start no other, unless they may be hedged; virtual threads are welcome. Interrupting the thread ends
 * the call at once. A client is safe for use by many threads; build one and keep it, since it is where breakers, limits and
 * budgets live.
 */
public final class ResilientClient implements AutoCloseable {
    private static final int DEFAULT_CONCURRENCY = 5;

    private final CallEngine engine;
    private final CallOptions options;

    ResilientClient(CallEngine engine, CallOptions options) {
        this.engine = engine;
        this.options = options;
    }

    /**
     * {@return a client of OpenAI's own endpoint, with every default}
     *
     * @param key the API key
     * @throws IllegalArgumentException if the key cannot be one
     */
    public static ResilientClient openAi(String key) {
        return builder().endpoint(Endpoint.openAi(Secret.of(key))).build();
    }

    /** {@return a builder} */
    public static ClientBuilder builder() {
        return new ClientBuilder();
    }

    /**
     * Makes a call.
     *
     * @param request what is asked
     * @return the answer and how it was come by
     * @throws CallException if no answer came
     * @throws IllegalStateException if the client is closed
     */
    public ModelResponse call(ModelRequest request) {
        return call(request, CallOptions.none());
    }

    /**
     * Makes a call with options of its own.
     *
     * @param request what is asked
     * @param own what this call wants otherwise
     * @return the answer and how it was come by
     * @throws CallException if no answer came
     * @throws IllegalStateException if the client is closed
     */
    public ModelResponse call(ModelRequest request, CallOptions own) {
        return engine.call(request, own.orElse(options));
    }

    /**
     * Makes a call whose answer is read as it is written. Returns when the first meaningful event has come; until then, whatever
     * fails is tried again or elsewhere as in any call. The deadline binds until then; after it the stream's own timeouts do.
     *
     * <pre>{@code
     * try (ModelStream stream = client.stream(request)) {
     *     stream.forEach(event -> print(event));
     *     System.out.println(stream.toResponse().usage());
     * }
     * }</pre>
     *
     * <p>The request need not say that it wants a stream. It also asks for the usage at the end ({@code
     * stream_options.include_usage}), unless it has {@code stream_options} of its own.
     *
     * @param request what is asked
     * @return the answer as it comes; read it to its end, or close it
     * @throws CallException if no stream began
     * @throws IllegalStateException if the client is closed
     */
    public ModelStream stream(ModelRequest request) {
        return stream(request, CallOptions.none());
    }

    /**
     * Makes a call whose answer is read as it is written, with options of its own.
     *
     * @param request what is asked
     * @param own what this call wants otherwise
     * @return the answer as it comes; read it to its end, or close it
     * @throws CallException if no stream began
     * @throws IllegalStateException if the client is closed
     */
    public ModelStream stream(ModelRequest request, CallOptions own) {
        return engine.stream(request, own.orElse(options));
    }

    /**
     * Makes a call on a virtual thread of its own.
     *
     * @param request what is asked
     * @return ends with the response or a {@link CallException}; cancelling it, or ending it in any other way, ends the
     *     call
     */
    public CompletableFuture<ModelResponse> callAsync(ModelRequest request) {
        return callAsync(request, CallOptions.none());
    }

    /**
     * Makes a call with options of its own on a virtual thread of its own.
     *
     * @param request what is asked
     * @param own what this call wants otherwise
     * @return ends with the response or a {@link CallException}; cancelling it, or ending it in any other way, ends the
     *     call
     */
    public CompletableFuture<ModelResponse> callAsync(ModelRequest request, CallOptions own) {
        return engine.callAsync(request, own.orElse(options));
    }

    /**
     * Opens a stream on a virtual thread of its own.
     *
     * @param request what is asked
     * @return ends with the stream once it has begun, or with a {@link CallException}; cancelling it before, or ending it in any other
     *     way, ends the call. The stream is its receiver's to read or to close
     */
    public CompletableFuture<ModelStream> streamAsync(ModelRequest request) {
        return streamAsync(request, CallOptions.none());
    }

    /**
     * Opens a stream with options of its own on a virtual thread of its own.
     *
     * @param request what is asked
     * @param own what this call wants otherwise
     * @return ends with the stream once it has begun, or with a {@link CallException}; cancelling it before, or ending it in any other
     *     way, ends the call. The stream is its receiver's to read or to close
     */
    public CompletableFuture<ModelStream> streamAsync(ModelRequest request, CallOptions own) {
        return engine.streamAsync(request, own.orElse(options));
    }

    /**
     * Makes many calls, 5 at once.
     *
     * @param <I> the type of the ids
     * @param requests the requests by id, in the order of the map
     * @return one result for each request, in their order; failures stand in their places
     */
    public <I> List<CallResult<I>> callAll(Map<I, ModelRequest> requests) {
        return callAll(requests, DEFAULT_CONCURRENCY);
    }

    /**
     * Makes many calls, so many at once. Interrupting the calling thread cancels those in flight and those to come.
     *
     * @param <I> the type of the ids
     * @param requests the requests by id, in the order of the map
     * @param concurrency how many calls are in flight at once, at least 1
     * @return one result for each request, in their order; failures stand in their places
     */
    public <I> List<CallResult<I>> callAll(Map<I, ModelRequest> requests, int concurrency) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency: " + concurrency + " (expected: >= 1)");
        }
        return engine.callAll(new LinkedHashMap<>(requests), options, concurrency);
    }

    /**
     * {@return what each target's provider last said of its limits, in the headers of any answer, good or bad; targets that
     * said nothing are not in it}
     */
    public Map<Target, RateLimitSnapshot> rateLimits() {
        return engine.rateLimits();
    }

    /**
     * {@return how models, targets and endpoints do now: cheap enough for a readiness probe, and nothing is sent}
     */
    public HealthReport health() {
        return engine.report();
    }

    /**
     * {@return what a call would try, in which order, and why, as things stand}
     *
     * <p>Nothing is sent, no key is asked for, and nothing changes. A router is asked as for a call. Limits and budgets of the
     * client are not asked, since asking takes from them; where chance decides, the most likely is shown.
     *
     * @param request what would be asked
     */
    public Explanation explain(ModelRequest request) {
        return explain(request, CallOptions.none());
    }

    /**
     * {@return what a call with options of its own would try, in which order, and why, as things stand}
     *
     * @param request what would be asked
     * @param own what the call would want otherwise
     */
    public Explanation explain(ModelRequest request, CallOptions own) {
        return engine.explain(request, own.orElse(options));
    }

    /**
     * {@return this client with other default options; it shares everything else, and closing either closes both}
     *
     * @param defaults what every call of the returned client wants, unless it says otherwise
     */
    public ResilientClient with(CallOptions defaults) {
        return new ResilientClient(engine, defaults.orElse(options));
    }

    /**
     * Builds a client that goes on where this one is, as a program does whose configuration changed: with its cooldowns, latencies
     * and orders; with its breakers whose policy is the same; with what counts under its limits, also where those changed; with its
     * health and retry budgets where those policies are the same. A shared store of breakers remembers for itself.
     *
     * <p>Both work at once: calls of this client finish as they began, and each hears of the other's outcomes. Transitions and
     * orders are told to the listeners of the new one. Close this one when its calls are over.
     *
     * @param builder what the new client is built of; on the same timekeeper
     * @return the new client
     * @throws IllegalStateException if there is no endpoint or no transport
     * @throws IllegalArgumentException if settings name an endpoint, a dialect or a source that is not there
     */
    public ResilientClient continueAs(ClientBuilder builder) {
        return builder.build(Optional.of(engine));
    }

    /** {@return what steers this client, and those made from it by {@link #with}, while it runs} */
    public ClientControl control() {
        return new ClientControl(engine);
    }

    /** Lets no call in, waits for those in flight for the grace the builder was given, then ends them. */
    @Override
    public void close() {
        engine.close();
    }

    @Override
    public String toString() {
        return "ResilientClient[" + engine.describe() + "]";
    }
}
