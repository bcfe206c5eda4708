package dev.holdfast.benchmarks.table;

import dev.holdfast.benchmarks.table.Caller.Outcome;
import dev.holdfast.simulation.PublishedWeather;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.simulation.VirtualTime;
import java.util.Arrays;
import java.util.SplittableRandom;

/** One strategy under the weather of one seed, from the first arrival to the last answer, on virtual time. */
final class StrategyRun {
    private static final int PLACES = 20;

    private final VirtualTime time = new VirtualTime();
    private final ClientPool pool = new ClientPool(time, PLACES);
    private final PublishedWeather weather;
    private final long[] latencyNanos;
    private int successes;
    private int attempts;
    private double billed;

    private StrategyRun(PublishedWeather weather) {
        this.weather = weather;
        this.latencyNanos = new long[weather.requests()];
    }

    static RunResult of(Strategy strategy, long seed, PublishedWeather weather) throws InterruptedException {
        return new StrategyRun(weather).run(strategy, seed);
    }

    private RunResult run(Strategy strategy, long seed) throws InterruptedException {
        var transport = new SimulatedTransport(time, weather);
        time.run(() -> {
            // Jitter is the strategy's own chance, not the weather's.
            try (var caller = new ClientCaller(strategy, time, transport, new SplittableRandom(seed))) {
                letArrive(caller);
            }
        });
        Arrays.sort(latencyNanos);
        return new RunResult(latencyNanos, successes, attempts, transport.sends(), billed);
    }

    /** Starts each call when it arrives, after what else happens at that instant; returns when the last has ended. */
    private void letArrive(Caller caller) throws InterruptedException {
        var last = new Countdown(time, latencyNanos.length);
        for (int i = 0; i < latencyNanos.length; i++) {
            int request = i;
            time.sleepLast(weather.arrival(request).minus(time.elapsed()));
            time.start("holdfast-call", () -> {
                call(caller, request);
                last.countDown();
            });
        }
        last.await();
    }

    private void call(Caller caller, int request) {
        try {
            pool.acquire();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the calls of a run", e);
        }
        try {
            Outcome outcome = caller.call(request);
            successes += outcome.served() ? 1 : 0;
            attempts += outcome.attempts();
            billed += outcome.billed();
        } finally {
            latencyNanos[request] =
                    time.elapsed().minus(weather.arrival(request)).toNanos();
            pool.release();
        }
    }
}
