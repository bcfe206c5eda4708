package dev.holdfast.benchmarks.table;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.ProfileWeather.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/** The published strategies by hand: an event loop with its own arithmetic, to check the weather without any client. */
final class ReferenceLoop {
    private static final Profile PUBLISHED = Profile.named("published");
    static final double[] PRICES = {1, 1.875, 0.3125, 0.0525};

    record Result(double meanMs, double maxMs, double successPct, double cost, int attempts) {}

    private record Event(long nanos, int rank, long order, int request) {}

    private final Strategy strategy;
    private final ProfileWeather weather;
    private final Random jitter;
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingLong(Event::nanos).thenComparingInt(Event::rank).thenComparingLong(Event::order));
    private final ArrayDeque<Integer> queue = new ArrayDeque<>();
    private final int[] tries;
    private final Outcome[] pending;
    private final long[] latency;
    private final boolean[] served;
    private int slots = 20;
    private int attempts;
    private double spent;
    private long order;

    private ReferenceLoop(Strategy strategy, long seed, int requests) {
        this.strategy = strategy;
        this.weather = PUBLISHED.weather(seed, requests);
        this.jitter = new Random(seed);
        this.tries = new int[requests];
        this.pending = new Outcome[requests];
        this.latency = new long[requests];
        this.served = new boolean[requests];
    }

    static Result run(Strategy strategy, long seed, int requests) {
        return new ReferenceLoop(strategy, seed, requests).run();
    }

    private Result run() {
        for (int r = 0; r < tries.length; r++) {
            events.add(new Event(weather.arrival(r).toNanos(), 1, order++, r));
        }
        for (Event event = events.poll(); event != null; event = events.poll()) {
            if (event.rank() == 1) {
                queue.add(event.request());
                admit(event.nanos());
            } else if (pending[event.request()] != null) {
                answered(event.request(), event.nanos());
            } else {
                attempt(event.request(), event.nanos());
            }
        }
        double sum = Arrays.stream(latency).sum() / 1e9;
        long good = 0;
        for (boolean one : served) {
            good += one ? 1 : 0;
        }
        return new Result(
                sum / tries.length * 1e3,
                Arrays.stream(latency).max().orElseThrow() / 1e6,
                100.0 * good / tries.length,
                (spent + 0.082 * sum) / good,
                attempts);
    }

    private void admit(long now) {
        while (slots > 0 && !queue.isEmpty()) {
            slots--;
            attempt(queue.poll(), now);
        }
    }

    private int model(int request) {
        return strategy == Strategy.SMART_ROUTING ? tries[request] : 0;
    }

    private void attempt(int request, long now) {
        attempts++;
        Outcome outcome = weather.attempt(request, PUBLISHED.modelNames().get(model(request)), Duration.ofNanos(now));
        pending[request] = outcome;
        events.add(new Event(now + outcome.latency().toNanos(), 0, order++, request));
    }

    private void answered(int request, long now) {
        Outcome outcome = pending[request];
        pending[request] = null;
        double price = PRICES[model(request)];
        tries[request]++;
        if (outcome.status() == 503) {
            spent += 0.248 * price;
        }
        if (outcome.status() == 200) {
            spent += price;
            served[request] = true;
        } else if (tries[request] < 4 && strategy == Strategy.SMART_ROUTING) {
            attempt(request, now);
            return;
        } else if (tries[request] < 4 && strategy != Strategy.NONE && outcome.status() != 400) {
            events.add(new Event(now + backoff(tries[request]), 0, order++, request));
            return;
        }
        latency[request] = now - weather.arrival(request).toNanos();
        slots++;
        admit(now);
    }

    private long backoff(int retry) {
        double seconds = strategy == Strategy.FIXED ? 1 : Math.pow(2, retry - 1);
        return Math.round(seconds * (strategy == Strategy.EXPONENTIAL_JITTER ? 0.5 + jitter.nextDouble() : 1) * 1e9);
    }
}
