package dev.holdfast.benchmarks.table;

import dev.holdfast.CallException;
import dev.holdfast.Endpoint;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Transport;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Calls through the client that a user would build. */
final class ClientCaller implements Caller, AutoCloseable {
    private static final Endpoint PROVIDER =
            Endpoint.builder("simulated", URI.create("http://localhost/v1")).build();

    /** Longer than any answer of a trace takes: the published strategies know no timeout. */
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private final ResilientClient client;
    private final ModelRequest request;

    ClientCaller(Strategy strategy, Timekeeper time, Transport transport, RandomGenerator random) {
        ClientBuilder builder = ResilientClient.builder()
                .endpoint(PROVIDER)
                .route(strategy.route().toArray(String[]::new))
                .retry(strategy.policy())
                .transport(transport)
                .timekeeper(time)
                .random(random)
                .logging(false)
                .discovery(false);
        client = (strategy.shipped() ? builder : builder.withoutBreaker().timeout(TIMEOUT)).build();
        request = ModelRequest.chat(strategy.route().getFirst()).user("Go on.").build();
    }

    @Override
    public Outcome call(int number) {
        var document = request.document().with("user", JsonValue.of("r" + number));
        try {
            ModelResponse response = client.call(request.withDocument(document));
            var attempts = response.attempts();
            return new Outcome(true, attempts.size(), Costs.billed(response.model(), attempts));
        } catch (CallException e) {
            return new Outcome(false, e.attempts().size(), Costs.billed(Optional.empty(), e.attempts()));
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
