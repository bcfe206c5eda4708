package dev.holdfast.core;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelAnswer;
import dev.holdfast.Route;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.internal.call.CallEngine;
import dev.holdfast.core.internal.call.FixedRoute;
import dev.holdfast.core.internal.call.Setup;
import dev.holdfast.core.internal.discovery.Discovery;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.CallListener;
import dev.holdfast.spi.ContextCarrier;
import dev.holdfast.spi.CredentialSource;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.SpendGuard;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator;
import dev.holdfast.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link ResilientClient}. All but one endpoint may be left out; the defaults are {@link RetryPolicy#standard()}, a
 * breaker by {@link BreakerPolicy#adaptive()} for each target, idempotency keys on attempts, one line of log for each call,
 * and nothing else. Not safe for use by several threads.
 */
public final class ClientBuilder {
    private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
    private final Map<String, ModelSettings> models = new LinkedHashMap<>();
    private final Map<String, Dialect> dialects = new LinkedHashMap<>();
    private final Map<String, CredentialSource> credentialSources = new LinkedHashMap<>();
    private final List<Interceptor> interceptors = new ArrayList<>();
    private final List<CallListener> listeners = new ArrayList<>();
    private final List<ContextCarrier> carriers = new ArrayList<>();
    private Optional<ModelRouter> router = Optional.empty();
    private RetryPolicy retry = RetryPolicy.standard();
    private Optional<BreakerPolicy> breaker = Optional.of(BreakerPolicy.adaptive());
    private Optional<HedgePolicy> hedge = Optional.empty();
    private Optional<ProbePolicy> probes = Optional.empty();
    private Optional<BreakerStore> breakerStore = Optional.empty();
    private EndpointPolicy endpointPolicy = EndpointPolicy.failover();
    private HealthPolicy healthPolicy = HealthPolicy.defaults();
    private Duration timeout = Duration.ofSeconds(60);
    private StreamTimeouts streamTimeouts = StreamTimeouts.defaults();
    private CallOptions defaults = CallOptions.none();
    private @Nullable Transport transport;
    private @Nullable PriceSource prices;
    private Optional<SpendGuard> spendGuard = Optional.empty();
    private TokenEstimator estimator = TokenEstimator.lexical();
    private Optional<Function<CallException, Optional<ModelAnswer>>> degradedReply = Optional.empty();
    private boolean discovery = true;
    private boolean logging = true;
    private int maxInFlight = 10_000;
    private long maxInFlightBytes = Runtime.getRuntime().maxMemory() / 10;
    private Duration closeGrace = Duration.ofSeconds(5);
    private Timekeeper timekeeper = Timekeeper.system();
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    ClientBuilder() {}

    /**
     * Adds an endpoint. Where a model has several, they are tried in the order they are added.
     *
     * @param endpoint the endpoint
     * @return this builder
     * @throws IllegalArgumentException if there is one of that name
     */
    public ClientBuilder endpoint(Endpoint endpoint) {
        SetupCheck.once("endpoint", endpoint.name(), endpoints.putIfAbsent(endpoint.name(), endpoint));
        return this;
    }

    /**
     * Says what is known of a model.
     *
     * @param settings its endpoints, upstream name, timeout, window, breaker, limits and fallbacks
     * @return this builder
     * @throws IllegalArgumentException if the model was set before
     */
    public ClientBuilder model(ModelSettings settings) {
        SetupCheck.once("model", settings.name(), models.putIfAbsent(settings.name(), settings));
        return this;
    }

    /**
     * Sends every call along these models, best first, whatever model it asks for; a call's own route comes first.
     *
     * @param route the models
     * @return this builder
     */
    public ClientBuilder route(String... route) {
        return router(new FixedRoute(Route.of("the client's route", route)));
    }

    /**
     * Lets a router decide the models to try; a call's own route comes first.
     *
     * @param decides the router
     * @return this builder
     */
    public ClientBuilder router(ModelRouter decides) {
        this.router = Optional.of(decides);
        return this;
    }

    /**
     * Sets the retry policy.
     *
     * @param policy the policy
     * @return this builder
     */
    public ClientBuilder retry(RetryPolicy policy) {
        this.retry = policy;
        return this;
    }

    /**
     * Sets the breaker of every target whose model names none of its own.
     *
     * @param policy the policy
     * @return this builder
     */
    public ClientBuilder breaker(BreakerPolicy policy) {
        this.breaker = Optional.of(policy);
        return this;
    }

    /** {@return this builder, whose targets have no breaker unless their model names one} */
    public ClientBuilder withoutBreaker() {
        this.breaker = Optional.empty();
        return this;
    }

    /**
     * Hedges calls: sends a second attempt beside one that takes long. None is sent unless set.
     *
     * @param policy when
     * @return this builder
     */
    public ClientBuilder hedge(HedgePolicy policy) {
        this.hedge = Optional.of(policy);
        return this;
    }

    /** {@return this builder, which hedges nothing, as if {@link #hedge} had not been called} */
    public ClientBuilder withoutHedge() {
        this.hedge = Optional.empty();
        return this;
    }

    /**
     * Asks endpoints that calls use whether they are well. None is asked unless set.
     *
     * @param policy how
     * @return this builder
     */
    public ClientBuilder probes(ProbePolicy policy) {
        this.probes = Optional.of(policy);
        return this;
    }

    /**
     * Shares the transitions of breakers with other clients; see {@link BreakerFleet} for what that means.
     *
     * @param store where; not closed with the client, since others may use it
     * @return this builder
     */
    public ClientBuilder breakerStore(BreakerStore store) {
        this.breakerStore = Optional.of(store);
        return this;
    }

    /**
     * Chooses among the endpoints of models that do not say; {@link EndpointPolicy#failover()} unless set.
     *
     * @param policy how they are chosen
     * @return this builder
     */
    public ClientBuilder endpointPolicy(EndpointPolicy policy) {
        this.endpointPolicy = policy;
        return this;
    }

    /**
     * Judges the health of endpoints; {@link HealthPolicy#defaults()} unless set.
     *
     * @param policy when one is degraded or unhealthy
     * @return this builder
     */
    public ClientBuilder healthPolicy(HealthPolicy policy) {
        this.healthPolicy = policy;
        return this;
    }

    /**
     * Limits a model. The same as {@link ModelSettings#withLimits} where nothing else is said of the model.
     *
     * @param model the model
     * @param limits its limits
     * @return this builder
     */
    public ClientBuilder limits(String model, LimitPolicy limits) {
        models.put(model, models.getOrDefault(model, ModelSettings.of(model)).withLimits(limits));
        return this;
    }

    /**
     * Sets how long an attempt may take where neither call nor model says; 60 s unless set. An attempt that asks for many
     * output tokens gets at least 10 s and a second for every 30 of them.
     *
     * @param length the timeout
     * @return this builder
     */
    public ClientBuilder timeout(Duration length) {
        if (!length.isPositive()) {
            throw new IllegalArgumentException("timeout: " + length + " (expected: > 0)");
        }
        this.timeout = length;
        return this;
    }

    /**
     * The timers of streams, unless the call says otherwise: {@link StreamTimeouts#defaults()} by default. A timeout of the
     * call or of the model stands for {@code firstToken}.
     *
     * @param timeouts the timers
     * @return this builder
     */
    public ClientBuilder streamTimeouts(StreamTimeouts timeouts) {
        this.streamTimeouts = Objects.requireNonNull(timeouts);
        return this;
    }

    /**
     * Sets options that hold where a call sets none.
     *
     * @param options the options
     * @return this builder
     */
    public ClientBuilder defaults(CallOptions options) {
        this.defaults = options;
        return this;
    }

    /**
     * Sends bytes by this transport rather than by one that is found.
     *
     * @param sends the transport; closed with the client
     * @return this builder
     */
    public ClientBuilder transport(Transport sends) {
        this.transport = sends;
        return this;
    }

    /**
     * Adds a dialect, in place of a built-in or found one of its name; a found one never replaces a built-in one.
     *
     * @param dialect the dialect
     * @return this builder
     */
    public ClientBuilder dialect(Dialect dialect) {
        dialects.put(dialect.name(), dialect);
        return this;
    }

    /**
     * Takes the keys of an endpoint from a source.
     *
     * @param endpoint the endpoint's name
     * @param source issues its keys
     * @return this builder
     */
    public ClientBuilder credentials(String endpoint, CredentialSource source) {
        credentialSources.put(endpoint, source);
        return this;
    }

    /**
     * Adds an interceptor, inside those added before.
     *
     * @param interceptor the interceptor
     * @return this builder
     */
    public ClientBuilder interceptor(Interceptor interceptor) {
        interceptors.add(interceptor);
        return this;
    }

    /**
     * Adds a listener.
     *
     * @param listener hears every event
     * @return this builder
     */
    public ClientBuilder listener(CallListener listener) {
        listeners.add(listener);
        return this;
    }

    /**
     * Switches the client's own log lines off or on.
     *
     * @param on whether calls are logged; they are unless set
     * @return this builder
     */
    public ClientBuilder logging(boolean on) {
        this.logging = on;
        return this;
    }

    /**
     * Carries a context to the threads that the client starts.
     *
     * @param carrier the carrier
     * @return this builder
     */
    public ClientBuilder contextCarrier(ContextCarrier carrier) {
        carriers.add(carrier);
        return this;
    }

    /**
     * Takes prices from this source rather than from one that is found.
     *
     * @param source knows what models cost
     * @return this builder
     */
    public ClientBuilder prices(PriceSource source) {
        this.prices = source;
        return this;
    }

    /**
     * Guesses tokens by this estimator; {@link TokenEstimator#lexical()} unless set.
     *
     * @param guesses the estimator
     * @return this builder
     */
    public ClientBuilder tokenEstimator(TokenEstimator guesses) {
        this.estimator = guesses;
        return this;
    }

    /**
     * Lets attempts through by what they may cost.
     *
     * @param guard the budgets
     * @return this builder
     */
    public ClientBuilder spendGuard(SpendGuard guard) {
        this.spendGuard = Optional.of(guard);
        return this;
    }

    /**
     * Answers by a substitute when nothing served. The response says {@code degraded()}; the function decides by the error,
     * and an empty result throws it.
     *
     * @param reply makes the substitute
     * @return this builder
     */
    public ClientBuilder degradedReply(Function<CallException, Optional<ModelAnswer>> reply) {
        this.degradedReply = Optional.of(reply);
        return this;
    }

    /**
     * Switches the search for transports, dialects and price sources on the class path and module path off or on.
     *
     * @param on whether to search; it does unless set
     * @return this builder
     */
    public ClientBuilder discovery(boolean on) {
        this.discovery = on;
        return this;
    }

    /**
     * Bounds the calls in flight; 10,000 unless set. One more is refused at once.
     *
     * @param most how many, at least 1
     * @return this builder
     */
    public ClientBuilder maxInFlight(int most) {
        this.maxInFlight = BuiltIns.inRange("maxInFlight", most, 1, 1_000_000_000);
        return this;
    }

    /**
     * Bounds the memory that the requests of calls in flight hold, by an estimate; a tenth of the heap unless set. One more is
     * refused at once.
     *
     * @param most how many bytes, at least 1
     * @return this builder
     */
    public ClientBuilder maxInFlightBytes(long most) {
        this.maxInFlightBytes = BuiltIns.atLeastOne("maxInFlightBytes", most);
        return this;
    }

    /**
     * Sets how long closing waits for calls in flight; 5 s unless set.
     *
     * @param grace how long, not negative
     * @return this builder
     */
    public ClientBuilder closeGrace(Duration grace) {
        this.closeGrace = BuiltIns.atMostADay("closeGrace", grace);
        return this;
    }

    /**
     * Takes time, waits and threads from here; a simulation brings its own.
     *
     * @param keeper the timekeeper
     * @return this builder
     */
    public ClientBuilder timekeeper(Timekeeper keeper) {
        this.timekeeper = keeper;
        return this;
    }

    /**
     * Takes randomness (jitter, ids) from here.
     *
     * @param generator a generator that many threads may use
     * @return this builder
     */
    public ClientBuilder random(RandomGenerator generator) {
        this.random = generator;
        return this;
    }

    /**
     * {@return the client}
     *
     * @throws IllegalStateException if there is no endpoint or no transport; the message says what to add
     * @throws IllegalArgumentException if settings name an endpoint, a dialect or a source that is not there
     */
    public ResilientClient build() {
        return build(Optional.empty());
    }

    ResilientClient build(Optional<CallEngine> earlier) {
        SetupCheck.checkThereIsOne(endpoints);
        var found = discovery ? Discovery.onThePath() : Discovery.none();
        Map<String, Dialect> spoken = BuiltIns.dialects(found, dialects);
        new SetupCheck(endpoints, models, spoken.keySet(), credentialSources.keySet()).check(interceptors);
        Transport sends = transport != null ? transport : found.transport();
        var engine = new CallEngine(
                new Setup(
                        List.copyOf(endpoints.values()),
                        new LinkedHashMap<>(models),
                        router,
                        retry,
                        breaker,
                        hedge,
                        probes,
                        breakerStore,
                        endpointPolicy,
                        healthPolicy,
                        timeout,
                        streamTimeouts,
                        CallOptions.none(),
                        sends,
                        spoken,
                        Map.copyOf(credentialSources),
                        List.copyOf(interceptors),
                        BuiltIns.listeners(logging, timekeeper, listeners),
                        List.copyOf(carriers),
                        prices != null ? prices : found.prices(),
                        estimator,
                        spendGuard,
                        degradedReply,
                        maxInFlight,
                        maxInFlightBytes,
                        closeGrace,
                        timekeeper,
                        random),
                earlier);
        return new ResilientClient(engine, defaults);
    }
}
