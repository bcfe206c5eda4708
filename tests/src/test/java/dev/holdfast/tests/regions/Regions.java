package dev.holdfast.tests.regions;

import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Secret;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Three regions on virtual time, and a client that calls them twice a second for five minutes. */
final class Regions implements Transport {
    private static final int CALLS = 600;
    private static final Duration APART = Duration.ofMillis(500);
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final VirtualTime time = new VirtualTime();
    private final Map<Region, SimulatedTransport> providers = new EnumMap<>(Region.class);
    private final List<CallEvent> events = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();

    /** How a call ended. */
    record Outcome(Duration took, Optional<ModelResponse> response, int attempts) {}

    private Regions() {}

    static String keyOf(Region region) {
        return "sk-test-0123456789abcdef0123456789abcdef-" + region.endpoint();
    }

    static Regions run(Climate climate, Tactic tactic, long seed) {
        var regions = new Regions();
        try {
            regions.play(climate, tactic, seed);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return regions;
    }

    private void play(Climate climate, Tactic tactic, long seed) throws InterruptedException {
        var quota = new Climate.Quota();
        for (Region region : Region.values()) {
            providers.put(region, new SimulatedTransport(time, climate.weather(region, seed, quota)));
        }
        var builder = ResilientClient.builder()
                .transport(this)
                .timekeeper(time)
                .random(new Random(seed))
                .discovery(false)
                .logging(false)
                .timeout(Duration.ofSeconds(8))
                .listener(events::add);
        for (Region region : Region.values()) {
            builder.endpoint(endpoint(climate, region));
        }
        ResilientClient client = tactic.on(builder).build();
        time.run(() -> {
            var calls = new ArrayList<dev.holdfast.spi.Timekeeper.Task>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(time.start("holdfast-test-call", () -> call(client)));
                time.sleep(APART);
            }
            for (var call : calls) {
                call.join();
            }
            client.close();
        });
    }

    private static Endpoint endpoint(Climate climate, Region region) {
        var endpoint = Endpoint.builder(region.endpoint(), URI.create("https://" + region.endpoint() + ".test/v1"));
        List<String> keys = climate.keys(region);
        for (int i = 0; i < keys.size(); i++) {
            endpoint.credential(new Credential("key-" + (i + 1), Secret.of(keys.get(i))));
        }
        return endpoint.build();
    }

    private void call(ResilientClient client) {
        Duration began = time.elapsed();
        ModelRequest request =
                ModelRequest.chat("gpt-4.1").user("Name three rivers.").build();
        try {
            ModelResponse response = client.call(request, CallOptions.none().withDeadline(DEADLINE));
            outcomes.add(new Outcome(
                    time.elapsed().minus(began),
                    Optional.of(response),
                    response.attempts().size()));
        } catch (CallException e) {
            outcomes.add(new Outcome(
                    time.elapsed().minus(began), Optional.empty(), e.attempts().size()));
        }
    }

    List<Outcome> outcomes() {
        return outcomes;
    }

    <E extends CallEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    int open() {
        return providers.values().stream().mapToInt(SimulatedTransport::open).sum();
    }

    @Override
    public TransportReply send(TransportCall call) throws TransportException, InterruptedException {
        String host = call.uri().getHost();
        for (Map.Entry<Region, SimulatedTransport> provider : providers.entrySet()) {
            if (host.equals(provider.getKey().endpoint() + ".test")) {
                return provider.getValue().send(call);
            }
        }
        throw new AssertionError("no region at " + host);
    }

    @Override
    public void close() {
        providers.values().forEach(SimulatedTransport::close);
    }
}
