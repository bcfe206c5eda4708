package dev.holdfast.simulation.lab;

import dev.holdfast.CallException;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.spi.CallListener;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Transport;
import java.net.URI;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The client of a run, built from a {@link LabPolicy} as a user builds one: on virtual time ({@link Trial}), or wherever else the
 * transport leads. Safe for use by many threads.
 */
public final class LabClient implements AutoCloseable {
    private final ProfileWeather weather;
    private final CallCosts costs;
    private final Optional<CallRandom> chance;
    private final ResilientClient client;
    private final ModelRequest request;

    /**
     * Where a client stands.
     *
     * @param time its time
     * @param transport where it sends
     * @param root the URL of the provider
     * @param random what jitter is drawn from; a {@link CallRandom} is told which call a thread makes
     * @param listener hears what happens; empty for nobody
     */
    public record World(
            Timekeeper time, Transport transport, URI root, RandomGenerator random, Optional<CallListener> listener) {
        /**
         * Creates a world in which nobody listens.
         *
         * @param time its time
         * @param transport where it sends
         * @param root the URL of the provider
         * @param random what jitter is drawn from
         */
        public World(Timekeeper time, Transport transport, URI root, RandomGenerator random) {
            this(time, transport, root, random, Optional.empty());
        }
    }

    /**
     * How a call ended.
     *
     * @param served whether it was answered
     * @param attempts after how many attempts
     * @param billed what it was billed, in answers of the first model
     */
    public record Ending(boolean served, int attempts, double billed) {}

    /**
     * Builds the client.
     *
     * @param policy what it is told
     * @param weather what it meets
     * @param world where it stands
     * @throws IllegalArgumentException if the policy does not go with the profile
     */
    public LabClient(LabPolicy policy, ProfileWeather weather, World world) {
        this(policy.builder(weather.profile(), world.root()), weather, world);
    }

    /**
     * Builds the client.
     *
     * @param builder what it is told, with its route and endpoints: {@link LabPolicy#builder}
     * @param weather what it meets
     * @param world where it stands
     */
    public LabClient(ClientBuilder builder, ProfileWeather weather, World world) {
        this.weather = weather;
        this.costs = new CallCosts(weather.profile());
        this.chance = world.random() instanceof CallRandom own ? Optional.of(own) : Optional.empty();
        builder.transport(world.transport())
                .timekeeper(world.time())
                .random(world.random())
                .logging(false)
                .discovery(false);
        world.listener().ifPresent(builder::listener);
        this.client = builder.build();
        this.request = ModelRequest.chat(weather.profile().modelNames().getFirst())
                .user("Go on.")
                .build();
    }

    /**
     * {@return how the call of a request ended; made on this thread}
     *
     * @param number which request, from 0
     */
    public Ending call(int number) {
        var own = request.withDocument(request.document().with("user", JsonValue.of("r" + number)));
        chance.ifPresent(each -> each.begin(number));
        try {
            ModelResponse response = weather.isStreamed(number) ? streamed(own) : client.call(own);
            var attempts = response.attempts();
            return new Ending(true, attempts.size(), costs.billed(response.model(), attempts));
        } catch (CallException e) {
            return new Ending(false, e.attempts().size(), costs.billed(Optional.empty(), e.attempts()));
        } finally {
            chance.ifPresent(CallRandom::end);
        }
    }

    private ModelResponse streamed(ModelRequest own) {
        try (ModelStream stream = client.stream(own)) {
            return stream.toResponse();
        }
    }

    @Override
    public void close() {
        client.close();
    }

    /** {@return the client's own words} */
    @Override
    public String toString() {
        return client.toString();
    }
}
