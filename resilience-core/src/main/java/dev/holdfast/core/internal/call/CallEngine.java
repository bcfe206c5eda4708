package dev.holdfast.core.internal.call;

import dev.holdfast.CacheMode;
import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallResult;
import dev.holdfast.Delivery;
import dev.holdfast.Endpoint;
import dev.holdfast.Explanation;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.HealthReport;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Route;
import dev.holdfast.Target;
import dev.holdfast.core.ClientControl.Feature;
import dev.holdfast.core.internal.control.ControlBoard;
import dev.holdfast.core.internal.event.Audience;
import dev.holdfast.core.internal.event.Events;
import dev.holdfast.core.internal.health.Health;
import dev.holdfast.core.internal.health.HealthChange;
import dev.holdfast.core.internal.stream.SourceStream;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Interceptor.CallChain;
import dev.holdfast.spi.Interceptor.StreamChain;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a call, from outside to inside. Start reading here:
 *
 * <pre>
 * call -> admission (maxInFlight, maxInFlightBytes)
 *      -> Interceptor.aroundCall*      a cache may answer
 *      -> route                        the call's own, the router's, or the model and its fallbacks
 *      -> CallRun                      asks Moves after every outcome: failover, retry, fallback, wait, stop
 *           -> Clearance               the retry budget, the wait
 *           -> Admission               cooldown, breaker, limits: a permit or a rejection
 *           -> Sending                 on the call's thread, or hedged: two at once, each on its own
 *           -> Interceptor.aroundAttempt*
 *           -> Dialect, Transport      JSON and bytes
 *      <- ModelResponse | CallException | degraded reply
 * </pre>
 *
 * <p>A streamed call goes the same way, by {@code Interceptor.aroundStream}, until its stream has begun; the stream then holds
 * the permit, the limits and the place in flight, and gives them back at its end ({@link StreamSettlement}).
 */
public final class CallEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallEngine.class);
    /** "No deadline", far enough away that sums with it do not overflow. */
    private static final long NO_DEADLINE_NANOS = Long.MAX_VALUE / 4;

    private final Setup setup;
    private final Services services;
    private final Breakers breakers;
    private final ControlBoard board;
    private final Health health;
    private final Events events;
    private final Audience audience;
    private final Consumer<CallEvent> toAll;
    private final InFlight inFlight;
    private final CallIds ids;
    private final Timekeeper time;
    private final Async async;
    private final CallChain calls;
    private final Optional<EndpointProbes> probes;
    private final HealthReporter reporter;
    private final Queue<Runnable> closing = new ConcurrentLinkedQueue<>();

    /**
     * Creates the engine.
     *
     * @param setup everything the client was built with
     * @param earlier whose breakers, limits, cooldowns, health and orders it goes on with
     */
    public CallEngine(Setup setup, Optional<CallEngine> earlier) {
        this.setup = setup;
        this.time = setup.timekeeper();
        this.events = new Events(setup.listeners());
        this.toAll = events::emit;
        this.audience = earlier.map(each -> each.audience).orElseGet(() -> new Audience(events));
        this.breakers = new Breakers(setup, audience);
        this.board = earlier.map(CallEngine::board)
                .orElseGet(() -> new ControlBoard(
                        time, order -> audience.emit(new CallEvent.ControlChanged(time.now(), order))));
        this.health = new Health(setup.healthPolicy(), time, this::tell);
        earlier.ifPresent(each -> {
            breakers.continueFrom(each.breakers);
            health.continueFrom(each.health);
        });
        this.services = new Services(setup, breakers, board, health, earlier.map(each -> each.services));
        this.inFlight = new InFlight(setup.maxInFlightBytes(), time);
        this.ids = new CallIds(setup.random());
        this.async = services.async();
        this.probes = setup.probes().map(policy -> new EndpointProbes(policy, services, health, board, events, ids));
        this.reporter = new HealthReporter(services, breakers, health, probes);
        this.calls = chain(setup.interceptors());
        audience.becomes(events);
        LOG.info("{}", setup.describeChain());
    }

    private void tell(HealthChange change) {
        events.emit(new CallEvent.HealthChanged(
                time.now(),
                change.endpoint(),
                change.model(),
                change.from(),
                change.to(),
                change.because().words()));
    }

    private CallChain chain(List<Interceptor> interceptors) {
        CallChain chain = this::runCall;
        for (Interceptor interceptor : interceptors.reversed()) {
            CallChain inner = chain;
            chain = call -> interceptor.aroundCall(call, inner);
        }
        return chain;
    }

    /**
     * Makes a call on the calling thread.
     *
     * @param request the request
     * @param own the call's own options
     * @return the response
     */
    public ModelResponse call(ModelRequest request, CallOptions own) {
        Call call = begin(request, own.orElse(setup.defaults()));
        try {
            ModelResponse response = answerOrDegrade(call);
            finished(call, response.attempts().size(), Optional.of(response), Optional.empty());
            return response;
        } catch (CallException e) {
            finished(call, e.attempts().size(), Optional.empty(), Optional.of(e.failure()));
            throw e;
        } catch (ClosedClientException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            finished(call, 0, Optional.empty(), Optional.of(broken(e)));
            throw e;
        }
    }

    /** A part that was plugged in threw. */
    private static Failure broken(Throwable thrown) {
        return Failure.of(
                FailureKind.LOCAL,
                FailureScope.REQUEST,
                Delivery.NEVER_SENT,
                "a plugged-in part threw " + thrown.getClass().getSimpleName());
    }

    private Call begin(ModelRequest request, CallOptions options) {
        Consumer<CallEvent> heard =
                options.listener().isPresent() ? events.with(options.listener().get())::emit : toAll;
        return callOf(ids.next(), request, options, heard);
    }

    private Call callOf(String id, ModelRequest request, CallOptions options, Consumer<CallEvent> heard) {
        long now = time.nanoTime();
        long length = options.deadline()
                .or(() -> setup.retry().deadline())
                .map(CallEngine::nanos)
                .orElse(NO_DEADLINE_NANOS);
        return new Call(id, request, allowed(options), now, now + length, heard);
    }

    /** The options, less what someone switched off. */
    private CallOptions allowed(CallOptions options) {
        CallOptions allowed = board.isOff(Feature.RETRY) ? options.withRetry(false) : options;
        allowed = board.isOff(Feature.FALLBACK) ? allowed.withFallback(false) : allowed;
        allowed = board.isOff(Feature.HEDGE) ? allowed.withHedge(false) : allowed;
        return board.isOff(Feature.CACHE) ? allowed.withCacheMode(CacheMode.OFF) : allowed;
    }

    private InFlight.Stay enter(Call call) {
        int most = board.cap(setup.maxInFlight());
        return inFlight.tryEnter(most, RequestSize.of(call.request())).orElseThrow(() -> {
            if (inFlight.isClosed()) {
                return new ClosedClientException();
            }
            return Endings.refused(call.id(), FailureKind.CLIENT_OVERLOADED, inFlight.fullness(most));
        });
    }

    private ModelResponse answerOrDegrade(Call call) {
        try {
            return answer(call);
        } catch (CallException e) {
            return degraded(call, e);
        }
    }

    private ModelResponse answer(Call call) {
        InFlight.Stay stay = enter(call);
        try {
            return calls.proceed(call);
        } finally {
            stay.leave();
        }
    }

    /** A call of a closed client is a mistake in the program, and no call at all. */
    private static final class ClosedClientException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        ClosedClientException() {
            super("the client is closed");
        }
    }

    /** A function that fails must not hide why the call did. */
    private Optional<ModelAnswer> substitute(CallException error) {
        try {
            return setup.degradedReply().flatMap(reply -> reply.apply(error));
        } catch (RuntimeException e) {
            LOG.warn("the degraded reply threw, or returned null; the call fails as it would without one", e);
            return Optional.empty();
        }
    }

    private ModelResponse degraded(Call call, CallException error) {
        ModelAnswer substitute = substitute(error).orElseThrow(() -> error);
        return new ModelResponse(
                substitute,
                Optional.empty(),
                error.attempts(),
                Optional.empty(),
                false,
                true,
                Optional.empty(),
                call.id(),
                Optional.empty(),
                List.of());
    }

    private ModelResponse runCall(Call call) {
        if (call.request().streaming()) {
            throw Endings.refused(
                    call.id(),
                    FailureKind.INVALID_REQUEST,
                    "/stream: true (expected: absent or false, since a call answers in one piece; stream() streams)");
        }
        return runOf(call).answer();
    }

    /**
     * Says what a call would do, and does nothing.
     *
     * @param request the request
     * @param own the call's own options
     * @return what would be tried, in which order, and why
     */
    public Explanation explain(ModelRequest request, CallOptions own) {
        Call call = callOf("explain", request, own.orElse(setup.defaults()), event -> {});
        return new Explainer(setup, services, health).explain(call);
    }

    /** The call on its route. */
    private CallRun runOf(Call call) {
        Route route = services.routes().routeOf(call);
        call.events().accept(new CallEvent.CallStarted(time.now(), call.id(), route));
        List<Candidate> candidates = services.routes().candidates(route, call.request(), call.options());
        if (candidates.isEmpty()) {
            throw Endings.refused(
                    call.id(),
                    FailureKind.POLICY_REFUSED,
                    "no endpoint that the call may use serves " + route.models() + " in the form "
                            + call.request().form());
        }
        probes.ifPresent(each -> each.used(candidates, call.startedNanos()));
        CallState begun = CallState.begin(call.id(), candidates, time.nanoTime(), call.deadlineNanos());
        return new CallRun(call, begun, services);
    }

    /**
     * Makes a streamed call on the calling thread, until its stream has begun.
     *
     * @param request the request
     * @param own the call's own options
     * @return the stream
     */
    public ModelStream stream(ModelRequest request, CallOptions own) {
        Call call = begin(StreamRequests.of(request), own.orElse(setup.defaults()));
        var opening = new Opening();
        try {
            return openOrDegrade(call, opening);
        } catch (CallException e) {
            opening.failed(() -> finished(call, e.attempts().size(), Optional.empty(), Optional.of(e.failure())));
            throw e;
        } catch (ClosedClientException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            opening.failed(() -> finished(call, 0, Optional.empty(), Optional.of(broken(e))));
            throw e;
        }
    }

    private ModelStream openOrDegrade(Call call, Opening opening) {
        try {
            return open(call, opening);
        } catch (CallException e) {
            if (opening.isLive()) {
                throw e;
            }
            ModelResponse substitute = degraded(call, e);
            finished(call, substitute.attempts().size(), Optional.of(substitute), Optional.empty());
            return SourceStream.replayed(time, work -> async.start("holdfast-stream", work), substitute);
        }
    }

    private ModelStream open(Call call, Opening opening) {
        InFlight.Stay stay = enter(call);
        try {
            StreamChain chain = link(opening, each -> opening.opened(() -> runStream(each, stay)));
            for (Interceptor interceptor : setup.interceptors().reversed()) {
                StreamChain inner = chain;
                chain = link(opening, each -> interceptor.aroundStream(each, inner));
            }
            ModelStream stream = chain.proceed(call);
            if (!opening.isLive()) {
                int attempts =
                        opening.whole().map(whole -> whole.attempts().size()).orElse(0);
                finished(call, attempts, opening.whole(), Optional.empty());
            }
            return stream;
        } finally {
            if (!opening.isLive()) {
                stay.leave();
            }
        }
    }

    private StreamChain link(Opening opening, StreamChain on) {
        return new StreamChain() {
            @Override
            public ModelStream proceed(Call call) {
                return on.proceed(call);
            }

            @Override
            public ModelStream replay(Call call, ModelResponse response) {
                SourceStream whole =
                        SourceStream.replayed(time, work -> async.start("holdfast-stream", work), response);
                return opening.opened(() -> new CallRun.Opened(whole, Optional.of(response)));
            }
        };
    }

    private CallRun.Opened runStream(Call call, InFlight.Stay stay) {
        Call asked = call.withRequest(StreamRequests.of(call.request()));
        return runOf(asked).open(stay, (attempts, response, failure) -> finished(asked, attempts, response, failure));
    }

    private void finished(Call call, int attempts, Optional<ModelResponse> response, Optional<Failure> failure) {
        call.events()
                .accept(new CallEvent.CallFinished(
                        time.now(),
                        call.id(),
                        Duration.ofNanos(time.nanoTime() - call.startedNanos()),
                        attempts,
                        response.flatMap(ModelResponse::servedBy),
                        failure,
                        response.flatMap(ModelResponse::cost)));
    }

    /**
     * Makes a call on a thread of its own.
     *
     * @param request the request
     * @param own the call's own options
     * @return ends with the response or the {@link CallException}; a future that ends otherwise ends the call
     */
    public CompletableFuture<ModelResponse> callAsync(ModelRequest request, CallOptions own) {
        return async.supply("holdfast-call", () -> call(request, own), unwanted -> {});
    }

    /**
     * Opens a stream on a thread of its own.
     *
     * @param request the request
     * @param own the call's own options
     * @return ends with the stream once it has begun, or with the {@link CallException}; a future that ends otherwise ends the call
     */
    public CompletableFuture<ModelStream> streamAsync(ModelRequest request, CallOptions own) {
        return async.supply("holdfast-call", () -> stream(request, own), ModelStream::close);
    }

    /**
     * Makes many calls, a few at once.
     *
     * @param <I> the type of the ids
     * @param requests the requests by id
     * @param own the options of each call
     * @param concurrency how many at once
     * @return the results in the order of the requests
     */
    public <I> List<CallResult<I>> callAll(Map<I, ModelRequest> requests, CallOptions own, int concurrency) {
        return new Batch<I>(requests, request -> call(request, own)).run(async, concurrency);
    }

    /** {@return what providers last said of their limits} */
    public Map<Target, RateLimitSnapshot> rateLimits() {
        return services.rateLimits().byTarget();
    }

    /** {@return how everything does now} */
    public HealthReport report() {
        return reporter.report();
    }

    /** {@return what someone ordered} */
    public ControlBoard board() {
        return board;
    }

    /** {@return the breakers} */
    public Breakers breakers() {
        return breakers;
    }

    /** {@return how many calls are in flight} */
    public int callsInFlight() {
        return inFlight.count();
    }

    /** Refuses the name of an endpoint that the client does not have. */
    public void requireEndpoint(String name) {
        List<String> names = setup.endpoints().stream().map(Endpoint::name).toList();
        if (!names.contains(name)) {
            throw new IllegalArgumentException("endpoint: " + name + " (expected: one of " + names + ")");
        }
    }

    /** Has something done when the client is closed, or now if it is. */
    public void whenClosed(Runnable action) {
        closing.add(action);
        if (inFlight.isClosed() && closing.remove(action)) {
            action.run();
            throw new IllegalStateException("the client is closed");
        }
    }

    /** {@return the line that shows the chain} */
    public String describe() {
        return setup.describeChain();
    }

    @Override
    public void close() {
        if (!inFlight.close()) {
            return;
        }
        probes.ifPresent(EndpointProbes::close);
        try {
            if (!inFlight.awaitDrained(setup.closeGrace())) {
                LOG.warn(
                        "closing with calls in flight after {} ms",
                        setup.closeGrace().toMillis());
                inFlight.evict();
            }
        } catch (InterruptedException e) {
            inFlight.evict();
            Thread.currentThread().interrupt();
        } finally {
            for (Runnable next = closing.poll(); next != null; next = closing.poll()) {
                next.run();
            }
            breakers.close();
            setup.transport().close();
        }
    }

    private static long nanos(Duration length) {
        return length.compareTo(Duration.ofNanos(NO_DEADLINE_NANOS)) < 0 ? length.toNanos() : NO_DEADLINE_NANOS;
    }
}
