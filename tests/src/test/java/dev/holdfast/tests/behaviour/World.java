package dev.holdfast.tests.behaviour;

import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * A small world on virtual time: providers by name, each an endpoint with a script, and the list of everything that reached
 * them. What a test asserts is what the providers saw and what the caller got, nothing in between.
 */
public final class World {
    /** A model that every provider serves. */
    public static final String MODEL = "gpt-4.1";

    private static final String KEY = "sk-test-0123456789abcdef0123456789abcdef-";

    private final VirtualTime time;
    private final Map<String, SimulatedTransport> providers = new LinkedHashMap<>();
    private final Map<String, UnaryOperator<Endpoint.Builder>> endpoints = new LinkedHashMap<>();
    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private final List<CallEvent> events = new CopyOnWriteArrayList<>();

    /** A request as it reached a provider. */
    public record Sent(String provider, Duration at, TransportCall call, int openBefore) {
        public String header(String name) {
            return call.headers().first(name).orElse("");
        }

        public String body() {
            return call.body().toUtf8();
        }
    }

    /** How a call ended, and when. */
    public record Ended(
            Optional<ModelResponse> response,
            Optional<CallException> error,
            Duration began,
            Duration at,
            boolean interrupted) {
        public CallException failure() {
            return error.orElseThrow(() -> new AssertionError("the call was answered: " + response));
        }

        public ModelResponse answer() {
            return response.orElseThrow(() -> new AssertionError("the call failed", error.orElse(null)));
        }

        public Duration took() {
            return at.minus(began);
        }
    }

    public World() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    public World(Instant start) {
        this.time = new VirtualTime(start, -5_000_000_000L);
    }

    /** A world with one provider, called "p1", that plays these replies and is healthy afterwards. */
    public static World of(Reply... replies) {
        return new World().provider("p1", FaultScript.of(replies));
    }

    /** A world with one provider, called "p1", that answers everything alike. */
    public static World always(Reply reply) {
        return new World().provider("p1", FaultScript.always(reply));
    }

    /** A script of a provider of this world that is down until a time. */
    FaultScript downUntil(Duration end) {
        return FaultScript.answering(
                request -> time.elapsed().compareTo(end) < 0 ? Reply.status(503) : Reply.completion("ok"));
    }

    public World provider(String name, FaultScript script) {
        return provider(name, Weather.of(script), UnaryOperator.identity());
    }

    public World provider(String name, FaultScript script, UnaryOperator<Endpoint.Builder> endpoint) {
        return provider(name, Weather.of(script), endpoint);
    }

    public World provider(String name, Weather weather, UnaryOperator<Endpoint.Builder> endpoint) {
        providers.put(name, new SimulatedTransport(time, weather));
        endpoints.put(name, endpoint);
        return this;
    }

    public VirtualTime time() {
        return time;
    }

    /** A builder that knows every provider, waits exactly one second before a retry, and has no breaker and no budget. */
    public ClientBuilder builder() {
        ClientBuilder builder = ResilientClient.builder()
                .transport(new Wire())
                .timekeeper(time)
                .random(new Random(42))
                .discovery(false)
                .withoutBreaker()
                .retry(retry())
                .listener(events::add);
        endpoints.forEach((name, change) -> builder.endpoint(endpoint(name, change)));
        return builder;
    }

    /** The policy of {@link #builder}. */
    public static RetryPolicy retry() {
        return RetryPolicy.standard()
                .withBackoff(Backoff.fixed(Duration.ofSeconds(1)))
                .withoutBudget();
    }

    public static ModelRequest request() {
        return ModelRequest.chat(MODEL).user("Name three rivers.").build();
    }

    /** Lets time pass while no task runs. */
    public void pass(Duration length) {
        time.run(() -> sleep(length));
    }

    /** Sleeps on the current task, which nobody interrupts. */
    public void sleep(Duration length) {
        try {
            time.sleep(length);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits on the current task, which nobody interrupts. */
    public static void join(Timekeeper.Task task) {
        try {
            task.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes one call in a task of its own. */
    public Ended call(ResilientClient client) {
        return call(client, request(), CallOptions.none());
    }

    public Ended call(ResilientClient client, CallOptions options) {
        return call(client, request(), options);
    }

    public Ended call(ResilientClient client, ModelRequest request, CallOptions options) {
        return time.call(() -> callHere(client, request, options));
    }

    /** Makes one call on the current task. */
    public Ended callHere(ResilientClient client) {
        return callHere(client, request(), CallOptions.none());
    }

    public Ended callHere(ResilientClient client, ModelRequest request, CallOptions options) {
        Duration began = time.elapsed();
        Optional<ModelResponse> response = Optional.empty();
        Optional<CallException> error = Optional.empty();
        try {
            response = Optional.of(client.call(request, options));
        } catch (CallException e) {
            error = Optional.of(e);
        }
        return new Ended(
                response, error, began, time.elapsed(), Thread.currentThread().isInterrupted());
    }

    /** Starts a call in a task; the result is in the list when the task has ended. */
    public Timekeeper.Task startCall(ResilientClient client, List<Ended> results) {
        return time.start("holdfast-test-call", () -> results.add(callHere(client)));
    }

    public List<Sent> sent() {
        return sent;
    }

    public List<Sent> sentTo(String provider) {
        return sent.stream().filter(one -> one.provider().equals(provider)).toList();
    }

    /** Where the requests went, in order. */
    public List<String> path() {
        return sent.stream().map(Sent::provider).toList();
    }

    /** When the requests were sent. */
    public List<Duration> times() {
        return sent.stream().map(Sent::at).toList();
    }

    /** How many exchanges are open. */
    public int open() {
        return providers.values().stream().mapToInt(SimulatedTransport::open).sum();
    }

    public List<CallEvent> events() {
        return events;
    }

    public <E extends CallEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The wire that the clients of this world send by. */
    public Transport wire() {
        return new Wire();
    }

    /** The key of a provider's endpoint: each has an account of its own. */
    public static String keyOf(String provider) {
        return KEY + provider;
    }

    private static Endpoint endpoint(String name, UnaryOperator<Endpoint.Builder> change) {
        Endpoint.Builder builder = Endpoint.builder(name, URI.create("https://" + name + ".test/v1"));
        return change.apply(builder.credential(Credential.of(keyOf(name)))).build();
    }

    private final class Wire implements Transport {
        @Override
        public TransportReply send(TransportCall call) throws TransportException, InterruptedException {
            String name = call.uri().getHost().replace(".test", "");
            sent.add(new Sent(name, time.elapsed(), call, open()));
            return providers.get(name).send(call);
        }

        @Override
        public void close() {
            providers.values().forEach(SimulatedTransport::close);
        }
    }
}
