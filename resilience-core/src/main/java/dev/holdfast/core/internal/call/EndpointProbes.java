package dev.holdfast.core.internal.call;

import dev.holdfast.CacheMode;
import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import dev.holdfast.ModelRequest;
import dev.holdfast.Target;
import dev.holdfast.core.ProbePolicy;
import dev.holdfast.core.internal.control.ControlBoard;
import dev.holdfast.core.internal.event.Events;
import dev.holdfast.core.internal.health.Health;
import dev.holdfast.core.internal.health.Sign;
import dev.holdfast.core.internal.health.Source;
import dev.holdfast.core.internal.probe.Prober;
import dev.holdfast.core.internal.probe.RequestProbe;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Dialect.OutgoingRequest;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.HealthProbe;
import dev.holdfast.spi.HealthProbe.ProbeRequest;
import dev.holdfast.spi.HealthProbe.ProbeResult;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the endpoints of a client whether they are well, and tells the health of it. An endpoint that someone isolated, and one that a
 * call has just shown to be well, is left alone.
 */
final class EndpointProbes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointProbes.class);
    private static final int FEW_TOKENS = 16;
    private static final Set<String> OF_A_CALL = Set.of("content-type", "accept");

    private final Services services;
    private final ProbePolicy policy;
    private final Health health;
    private final ControlBoard board;
    private final Events events;
    private final CallIds ids;
    private final Timekeeper time;
    private final HealthProbe probe;
    private final Map<String, Endpoint> endpoints;
    private final Map<String, Instant> asked = new ConcurrentHashMap<>();
    private final Prober prober;

    EndpointProbes(
            ProbePolicy policy, Services services, Health health, ControlBoard board, Events events, CallIds ids) {
        Setup setup = services.setup();
        this.services = services;
        this.policy = policy;
        this.health = health;
        this.board = board;
        this.events = events;
        this.ids = ids;
        this.time = setup.timekeeper();
        this.endpoints =
                setup.endpoints().stream().collect(Collectors.toUnmodifiableMap(Endpoint::name, Function.identity()));
        this.probe = policy.own().orElseGet(() -> new RequestProbe(policy.path(), this::authentication, time));
        this.prober = new Prober(policy, endpoints.keySet(), time, setup.random(), this::ask);
    }

    /** A call may go to these. */
    void used(List<Candidate> candidates, long nowNanos) {
        for (Candidate candidate : candidates) {
            prober.used(candidate.endpoint().name(), nowNanos);
        }
    }

    /** When an endpoint was probed last. */
    Optional<Instant> lastAsked(String endpoint) {
        return Optional.ofNullable(asked.get(endpoint));
    }

    private void ask(String name) throws InterruptedException {
        if (health.isVouchedFor(name) || board.closedFor(name, true).isPresent()) {
            return;
        }
        Endpoint endpoint = Objects.requireNonNull(endpoints.get(name));
        Optional<ProbeResult> result = policy.completion().isPresent()
                ? completion(endpoint, policy.completion().get())
                : Optional.of(heard(endpoint));
        result.ifPresent(seen -> {
            Instant now = time.now();
            asked.put(name, now);
            events.emit(new CallEvent.EndpointProbed(now, name, seen.healthy(), seen.took(), seen.detail()));
        });
    }

    /** Its thresholds are the policy's: one probe decides nothing. */
    private ProbeResult heard(Endpoint endpoint) throws InterruptedException {
        ProbeResult result = probed(endpoint);
        Optional<Sign> sign = result.kind().isPresent()
                ? Sign.of(result.kind().get())
                : Optional.of(result.healthy() ? Sign.GOOD : Sign.BROKEN);
        sign.ifPresent(seen -> health.heard(endpoint.name(), seen, result.took(), Source.PROBE));
        return result;
    }

    private ProbeResult probed(Endpoint endpoint) throws InterruptedException {
        long startNanos = time.nanoTime();
        try {
            Optional<Credential> key =
                    services.probeKey(endpoint, startNanos + policy.timeout().toNanos());
            return probe.probe(new ProbeRequest(endpoint, key, services.setup().transport(), policy.timeout()));
        } catch (Keys.NoKeyException e) {
            return new ProbeResult(true, since(startNanos), "no key", Optional.of(FailureKind.AUTH));
        } catch (RuntimeException e) {
            LOG.warn("the probe of endpoint {} threw", endpoint.name(), e);
            return new ProbeResult(false, since(startNanos), "the probe threw");
        }
    }

    private Duration since(long startNanos) {
        return Duration.ofNanos(time.nanoTime() - startNanos);
    }

    /** The fields by which the dialect would authenticate a call. */
    private Headers authentication(ProbeRequest request) {
        @Nullable
        Dialect dialect = services.setup().dialects().get(request.endpoint().dialect());
        Headers bearer = request.credential()
                .map(key -> Headers.of("Authorization", "Bearer " + key.secret().reveal()))
                .orElseGet(Headers::empty);
        if (dialect == null) {
            return bearer;
        }
        try {
            var some = new OutgoingRequest(ping("probe"), "probe", request.endpoint(), request.credential());
            return Headers.of(dialect.encodeRequest(some).headers().fields().stream()
                    .filter(field -> !OF_A_CALL.contains(field.getKey().toLowerCase(Locale.ROOT)))
                    .toList());
        } catch (DialectException e) {
            return bearer;
        }
    }

    private static ModelRequest ping(String model) {
        return ModelRequest.chat(model).user("ping").maxTokens(FEW_TOKENS).build();
    }

    /** A call of one attempt, on that endpoint alone. Empty where the endpoint does not serve the model, or nothing was sent. */
    private Optional<ProbeResult> completion(Endpoint endpoint, String model) {
        CallOptions options = CallOptions.none()
                .withRetry(false)
                .withFallback(false)
                .withHedge(false)
                .withCacheMode(CacheMode.OFF)
                .withTag("holdfast.probe", "completion");
        ModelRequest request = ping(model);
        long startNanos = time.nanoTime();
        var call = new Call(
                ids.next(),
                request,
                options,
                startNanos,
                startNanos + policy.timeout().toNanos(),
                events::emit);
        List<Candidate> candidates =
                services.routes().candidates(new Target(model, endpoint.name()), request, options).stream()
                        .limit(1)
                        .toList();
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        CallState begun = CallState.begin(call.id(), candidates, startNanos, call.deadlineNanos());
        try {
            new CallRun(call, begun, services).answer();
            return Optional.of(new ProbeResult(true, since(startNanos), "answered"));
        } catch (CallException e) {
            boolean lives = Sign.of(e.kind()).filter(Sign::isFailure).isEmpty();
            return e.attempts().isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new ProbeResult(lives, since(startNanos), e.kind().wireName(), Optional.of(e.kind())));
        }
    }

    @Override
    public void close() {
        prober.close();
    }
}
