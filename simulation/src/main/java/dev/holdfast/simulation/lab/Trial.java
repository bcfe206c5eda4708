package dev.holdfast.simulation.lab;

import dev.holdfast.core.ClientBuilder;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.simulation.Weather;
import dev.holdfast.simulation.internal.lab.Recorder;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/** One policy under the weather of one seed, from the first arrival to the last answer, on virtual time. */
public final class Trial {
    /** Where its provider is. */
    public static final URI ROOT = URI.create("http://localhost/");

    private final VirtualTime time = new VirtualTime();
    private final Places places;
    private final ProfileWeather weather;
    private final Weather provider;
    private final Optional<Recorder> recorder;
    private final long[] latencyNanos;
    private int successes;
    private int attempts;
    private double billed;

    private Trial(ProfileWeather weather, Weather provider, OptionalInt places, Optional<Recorder> recorder) {
        this.weather = weather;
        this.provider = provider;
        this.recorder = recorder;
        this.places = new Places(time, places.orElse(Integer.MAX_VALUE));
        this.latencyNanos = new long[weather.requests()];
    }

    /**
     * {@return what a run gave}
     *
     * @param profile the weather
     * @param policy what the client is told
     * @param seed what weather and jitter are drawn from
     * @param requests how many calls are made
     * @throws InterruptedException if the thread is interrupted; the run is given up
     * @throws IllegalArgumentException if the policy does not go with the profile
     */
    public static Outcome run(Profile profile, LabPolicy policy, long seed, int requests) throws InterruptedException {
        ProfileWeather weather = profile.weather(seed, requests);
        return run(weather, profile.places(), policy.builder(profile, ROOT), new CallRandom(seed));
    }

    /**
     * {@return what a run gave}
     *
     * @param weather what the calls meet
     * @param places how many of them may be under way at once, their waits to try again included; empty for all
     * @param client what the client is told: {@link LabPolicy#builder} with {@link #ROOT}
     * @param random what jitter is drawn from
     * @throws InterruptedException if the thread is interrupted; the run is given up
     */
    public static Outcome run(ProfileWeather weather, OptionalInt places, ClientBuilder client, RandomGenerator random)
            throws InterruptedException {
        return run(weather, weather, places, client, random);
    }

    /**
     * {@return what a run gave whose provider does something beside the weather}
     *
     * @param weather when calls arrive
     * @param provider what they meet: the weather with something around it
     * @param places how many of them may be under way at once, their waits to try again included; empty for all
     * @param client what the client is told: {@link LabPolicy#builder} with {@link #ROOT}
     * @param random what jitter is drawn from
     * @throws InterruptedException if the thread is interrupted; the run is given up
     */
    public static Outcome run(
            ProfileWeather weather, Weather provider, OptionalInt places, ClientBuilder client, RandomGenerator random)
            throws InterruptedException {
        return new Trial(weather, provider, places, Optional.empty()).run(client, random);
    }

    /** The same, while somebody takes down what happens. */
    static Outcome recorded(Profile profile, LabPolicy policy, long seed, int requests, Recorder recorder)
            throws InterruptedException {
        ProfileWeather weather = profile.weather(seed, requests);
        return new Trial(weather, weather, profile.places(), Optional.of(recorder))
                .run(policy.builder(profile, ROOT), new CallRandom(seed));
    }

    private Outcome run(ClientBuilder builder, RandomGenerator random) throws InterruptedException {
        var transport = new SimulatedTransport(time, provider);
        time.run(() -> {
            var world = new LabClient.World(time, transport, ROOT, random, recorder.map(each -> each.listener(time)));
            try (var client = new LabClient(builder, weather, world)) {
                letArrive(client);
            }
        });
        return Outcome.of(latencyNanos, successes, attempts, transport.sends(), billed);
    }

    /** Starts each call when it arrives, after what else happens at that instant; returns when the last has ended. */
    private void letArrive(LabClient client) throws InterruptedException {
        var last = new Countdown(time, latencyNanos.length);
        for (int i = 0; i < latencyNanos.length; i++) {
            int request = i;
            time.sleepLast(weather.arrival(request).minus(time.elapsed()));
            time.start("holdfast-call", () -> {
                call(client, request);
                last.countDown();
            });
        }
        last.await();
    }

    private void call(LabClient client, int request) {
        try {
            places.acquire();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the calls of a run", e);
        }
        tellQueue();
        boolean served = false;
        try {
            LabClient.Ending ending = client.call(request);
            served = ending.served();
            successes += served ? 1 : 0;
            attempts += ending.attempts();
            billed += ending.billed();
        } finally {
            latencyNanos[request] =
                    time.elapsed().minus(weather.arrival(request)).toNanos();
            places.release();
            tellQueue();
            boolean answered = served;
            recorder.ifPresent(each -> each.ended(time.elapsed(), answered));
        }
    }

    private void tellQueue() {
        recorder.ifPresent(each -> each.queue(time.elapsed(), places.taken(), places.waiting()));
    }
}
