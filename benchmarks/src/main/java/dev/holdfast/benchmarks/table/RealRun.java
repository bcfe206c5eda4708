package dev.holdfast.benchmarks.table;

import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.simulation.lab.CallRandom;
import dev.holdfast.simulation.lab.LabClient;
import dev.holdfast.simulation.lab.Outcome;
import dev.holdfast.spi.Transport;
import dev.holdfast.transport.JdkTransport;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.DoubleAdder;

/** One client under the weather of one seed, over real sockets, in time that runs faster. */
final class RealRun {
    private static final int WARM_UP = 1_000;
    private static final int MEASURED = 201;

    private final ProfileWeather weather;
    private final CompressedTime time;
    private final Semaphore places;
    private final Duration exchange;
    private final long[] latencyNanos;
    private final AtomicInteger successes = new AtomicInteger();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger sends = new AtomicInteger();
    private final DoubleAdder billed = new DoubleAdder();

    private RealRun(ProfileWeather weather, double speed, Duration exchange) {
        this.weather = weather;
        this.exchange = exchange;
        this.time = new CompressedTime(speed);
        this.places = new Semaphore(weather.profile().places().orElse(Integer.MAX_VALUE), true);
        this.latencyNanos = new long[weather.requests()];
    }

    /**
     * Runs it.
     *
     * @param speed how many seconds of the weather pass in one
     * @param exchange how long an exchange takes on this machine that takes no time in the weather; the provider answers so
     *     much earlier
     * @throws InterruptedException if the thread is interrupted; the run is given up
     */
    static Outcome of(Strategy strategy, long seed, ProfileWeather weather, double speed, Duration exchange)
            throws InterruptedException {
        return new RealRun(weather, speed, exchange).run(strategy, seed);
    }

    private Outcome run(Strategy strategy, long seed) throws InterruptedException {
        var calls = new ArrayList<Thread>();
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.answering(this::reply));
                Transport transport =
                        new CompressedTransport(JdkTransport.builder().build(), time);
                var client = new LabClient(strategy.policy(), weather, world(transport, provider.uri(), seed))) {
            try {
                letArrive(client, calls);
                for (Thread call : calls) {
                    call.join();
                }
            } catch (InterruptedException e) {
                calls.forEach(Thread::interrupt);
                throw e;
            }
        }
        return Outcome.of(latencyNanos, successes.get(), attempts.get(), sends.get(), billed.sum());
    }

    private LabClient.World world(Transport transport, URI root, long seed) {
        return new LabClient.World(time, transport, root, new CallRandom(seed));
    }

    private void letArrive(LabClient client, List<Thread> calls) throws InterruptedException {
        for (int i = 0; i < latencyNanos.length; i++) {
            int request = i;
            time.sleep(weather.arrival(request).minus(time.elapsed()));
            calls.add(Thread.ofVirtual().start(() -> call(client, request)));
        }
    }

    private void call(LabClient client, int request) {
        try {
            places.acquire();
        } catch (InterruptedException e) {
            return;
        }
        try {
            LabClient.Ending ending = client.call(request);
            successes.addAndGet(ending.served() ? 1 : 0);
            attempts.addAndGet(ending.attempts());
            billed.add(ending.billed());
        } finally {
            latencyNanos[request] =
                    time.elapsed().minus(weather.arrival(request)).toNanos();
            places.release();
        }
    }

    /** The weather takes attempts one by one; what it says is said faster. */
    private Reply reply(ProviderRequest request) {
        sends.incrementAndGet();
        Reply reply;
        synchronized (weather) {
            reply = weather.reply(request, time.elapsed());
        }
        var chunks = reply.chunks().stream()
                .map(chunk -> new Chunk(time.onTheMachine(chunk.pause()), chunk.bytes()))
                .toList();
        Duration delay = time.onTheMachine(reply.delay()).minus(exchange);
        return reply.withChunks(chunks).withDelay(delay.isNegative() ? Duration.ZERO : delay);
    }

    /** How long an exchange takes on this machine, once it is warm: the median. */
    static Duration exchange() {
        long[] nanos = new long[MEASURED];
        try (FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder("local", provider.baseUrl()).build())
                        .transport(JdkTransport.builder().build())
                        .logging(false)
                        .discovery(false)
                        .build()) {
            ModelRequest request = ModelRequest.chat("m").user("Go on.").build();
            for (int i = 0; i < WARM_UP + MEASURED; i++) {
                long start = System.nanoTime();
                client.call(request);
                nanos[i % MEASURED] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);
        return Duration.ofNanos(nanos[MEASURED / 2]);
    }
}
