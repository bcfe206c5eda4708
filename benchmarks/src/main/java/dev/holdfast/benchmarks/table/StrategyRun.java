package dev.holdfast.benchmarks.table;

import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import dev.holdfast.simulation.lab.CallRandom;
import dev.holdfast.simulation.lab.Outcome;
import dev.holdfast.simulation.lab.Trial;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** One strategy under the weather of one seed, from the first arrival to the last answer, on virtual time. */
public final class StrategyRun {
    /** Longer than any call of a run waits for a place. */
    private static final Duration LONG = Duration.ofHours(1);

    private StrategyRun() {}

    /**
     * Runs it.
     *
     * @throws InterruptedException if the thread is interrupted; the run is given up
     */
    public static Outcome of(Strategy strategy, long seed, ProfileWeather weather, Slots slots)
            throws InterruptedException {
        Profile profile = weather.profile();
        OptionalInt places = slots == Slots.PROGRAM ? profile.places() : OptionalInt.empty();
        // Jitter is the strategy's own chance, not the weather's.
        return Trial.run(weather, places, client(strategy, profile, slots), new SplittableRandom(seed));
    }

    /** The same with the client and the jitter of {@link RealRun}, which is drawn for each call by itself. */
    static Outcome asOverSockets(Strategy strategy, long seed, ProfileWeather weather) throws InterruptedException {
        return asOverSockets(strategy, seed, weather, weather);
    }

    /**
     * The same on a machine that is never twice the same: answers come earlier or later.
     *
     * @param most by how much at most
     * @param chance where how much is drawn from
     */
    static Outcome asOverSockets(
            Strategy strategy, long seed, ProfileWeather weather, Duration most, RandomGenerator chance)
            throws InterruptedException {
        return asOverSockets(strategy, seed, weather, (request, at) -> {
            Reply reply = weather.reply(request, at);
            long nanos = Math.round((2 * chance.nextDouble() - 1) * most.toNanos());
            return reply.withDelay(Duration.ofNanos(Math.max(0, reply.delay().toNanos() + nanos)));
        });
    }

    private static Outcome asOverSockets(Strategy strategy, long seed, ProfileWeather weather, Weather provider)
            throws InterruptedException {
        Profile profile = weather.profile();
        ClientBuilder client = strategy.policy().builder(profile, Trial.ROOT);
        return Trial.run(weather, provider, profile.places(), client, new CallRandom(seed));
    }

    private static ClientBuilder client(Strategy strategy, Profile profile, Slots slots) {
        ClientBuilder builder = strategy.policy().builder(profile, Trial.ROOT);
        if (strategy.published().isPresent()) {
            builder.withoutBreaker(); // one that is off admits all too, but draws a number, after which jitter would
            // be another's
        }
        if (slots == Slots.LIMITER && profile.places().isPresent()) {
            LimitPolicy places = LimitPolicy.defaults()
                    .withConcurrency(profile.places().getAsInt())
                    .withMaxWait(LONG);
            strategy.policy().models(profile).forEach(model -> builder.limits(model, places));
        }
        return builder;
    }
}
