package dev.holdfast.core.internal.call;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelAnswer;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ProbePolicy;
import dev.holdfast.core.RetryPolicy;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Everything a client was built with.
 *
 * @param endpoints the endpoints, in the order they were given
 * @param models what is known of models, by name
 * @param router decides routes; empty for the model asked for and its fallbacks
 * @param retry the retry policy
 * @param breaker the breaker of targets whose model names none; empty for none
 * @param hedge when a second attempt is sent beside a slow one; empty for never
 * @param probes how endpoints are probed; empty for not at all
 * @param breakerStore shares the breakers' transitions with other clients; empty for none
 * @param endpointPolicy how the endpoints of models are chosen whose model does not say
 * @param healthPolicy when an endpoint is degraded or unhealthy
 * @param timeout how long an attempt may take where nothing else is said
 * @param streamTimeouts the timers of streams where nothing else is said
 * @param defaults the options of calls that set none
 * @param transport sends bytes
 * @param dialects the dialects, by name
 * @param credentialSources where the keys of endpoints come from, by endpoint
 * @param interceptors around calls and attempts, outermost first
 * @param listeners hear everything
 * @param carriers carry context to started threads
 * @param prices what models cost
 * @param estimator guesses tokens
 * @param spendGuard lets attempts through by what they may cost; empty for none
 * @param degradedReply the substitute for an error; empty for none
 * @param maxInFlight how many calls may be in flight
 * @param maxInFlightBytes how many bytes their requests may hold
 * @param closeGrace how long close waits for calls in flight
 * @param timekeeper time and threads
 * @param random randomness
 */
public record Setup(
        List<Endpoint> endpoints,
        Map<String, ModelSettings> models,
        Optional<ModelRouter> router,
        RetryPolicy retry,
        Optional<BreakerPolicy> breaker,
        Optional<HedgePolicy> hedge,
        Optional<ProbePolicy> probes,
        Optional<BreakerStore> breakerStore,
        EndpointPolicy endpointPolicy,
        HealthPolicy healthPolicy,
        Duration timeout,
        StreamTimeouts streamTimeouts,
        CallOptions defaults,
        Transport transport,
        Map<String, Dialect> dialects,
        Map<String, CredentialSource> credentialSources,
        List<Interceptor> interceptors,
        List<CallListener> listeners,
        List<ContextCarrier> carriers,
        PriceSource prices,
        TokenEstimator estimator,
        Optional<SpendGuard> spendGuard,
        Optional<Function<CallException, Optional<ModelAnswer>>> degradedReply,
        int maxInFlight,
        long maxInFlightBytes,
        Duration closeGrace,
        Timekeeper timekeeper,
        RandomGenerator random) {
    ModelSettings model(String name) {
        ModelSettings told = models.get(name);
        return told == null ? ModelSettings.of(name) : told;
    }

    /** One line that shows what a call passes, outermost first; what is off is not in it. */
    public String describeChain() {
        var chain = new StringBuilder("call");
        interceptors.forEach(each -> chain.append(" -> ").append(each.getClass().getSimpleName()));
        chain.append(" -> ").append(router.map(each -> "router").orElse("route"));
        chain.append(" -> retry(")
                .append(retry.backoff())
                .append(", ")
                .append(retry.maxAttempts())
                .append(" attempts)");
        hedge.ifPresent(policy -> chain.append(" -> hedge(").append(policy).append(")"));
        if (endpoints.size() > 1) {
            chain.append(" -> ").append(endpointPolicy);
        }
        breaker.ifPresent(policy -> chain.append(" -> breaker")
                .append(breakerStore.map(store -> "(shared)").orElse("")));
        spendGuard.ifPresent(
                guard -> chain.append(" -> ").append(guard.getClass().getSimpleName()));
        if (models.values().stream().anyMatch(model -> model.limits().isPresent())) {
            chain.append(" -> limiter");
        }
        chain.append(" -> ")
                .append(endpoints.stream().map(Endpoint::dialect).distinct().collect(Collectors.joining("|")));
        return chain.append(" -> ").append(transport.getClass().getSimpleName()).toString();
    }
}
