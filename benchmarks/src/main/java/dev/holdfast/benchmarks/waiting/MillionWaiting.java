package dev.holdfast.benchmarks.waiting;

import dev.holdfast.CallException;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.spi.Timekeeper;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much memory calls take that wait in one process, each on a virtual thread of its own and on the machine's own time: in
 * the queue of a limit, or in the backoff before a retry. Tells on its way how many wait, then what is in use after a full
 * collection and the most that was ever resident; then closes the client, and fails if a call does not end.
 *
 * <pre>
 * java -XX:+UseSerialGC -Xmx2900m -Xmn96m -XX:+UseCompactObjectHeaders -Djdk.trackAllThreads=false -cp … \
 *     dev.holdfast.benchmarks.waiting.MillionWaiting queue 1000000
 * </pre>
 */
public final class MillionWaiting {
    private static final String MODEL = "gpt-4.1";
    private static final AtomicInteger LOST = new AtomicInteger();
    private static final Duration LONG = Duration.ofHours(10);
    private static final int ROUNDS = 200;
    private static final Duration PROGRESS = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private MillionWaiting() {}

    /**
     * Measures.
     *
     * @param arguments {@code queue} or {@code backoff}, and how many calls
     */
    public static void main(String[] arguments) throws InterruptedException {
        boolean queue = arguments[0].equals("queue");
        int calls = Integer.parseInt(arguments[1]);
        var time = Timekeeper.system();
        var transport = new SimulatedTransport(time, (request, at) -> queue ? Reply.hang() : Reply.status(503));
        var waiting = new AtomicInteger();
        var ended = new AtomicInteger();
        warmUp(new SimulatedTransport(time, (request, at) -> queue ? Reply.hang() : Reply.status(503)), queue);
        long before = used();
        long begun = System.nanoTime();
        ResilientClient client = client(transport, queue, LONG, waiting);
        ModelRequest request =
                ModelRequest.chat(MODEL).user("Name three rivers.").build();
        for (int i = 0; i < calls; i++) {
            Thread.ofVirtual().start(() -> {
                try {
                    client.call(request);
                } catch (CallException e) {
                    ended.incrementAndGet();
                }
            });
        }
        await("wait", waiting, queue ? calls - 1 : calls); // one of a queue has the place
        double seconds = (System.nanoTime() - begun) / 1e9;
        long used = used() - before;
        System.out.printf(
                Locale.ROOT,
                "%s: %,d calls wait (%,d ended) after %.1f s; %,d MiB of heap, %,d bytes a call;"
                        + " %,d MiB resident, %,d MiB at most%n",
                arguments[0],
                waiting.get(),
                ended.get(),
                seconds,
                used >> 20,
                used / calls,
                resident("VmRSS") >> 20,
                resident("VmHWM") >> 20);
        hold();
        begun = System.nanoTime();
        client.close();
        await("have ended", ended, calls);
        System.out.printf(
                Locale.ROOT,
                "%s: all ended %.1f s after the client was closed; %,d MiB resident at most%n",
                arguments[0],
                (System.nanoTime() - begun) / 1e9,
                resident("VmHWM") >> 20);
    }

    /** For a look from outside. */
    private static void hold() throws InterruptedException {
        Thread.sleep(Long.getLong("holdfast.hold", 0));
    }

    private static void await(String what, AtomicInteger counted, int expected) throws InterruptedException {
        long begun = System.nanoTime();
        long told = begun;
        while (counted.get() < expected) {
            Thread.sleep(50);
            long now = System.nanoTime();
            if (now - told > PROGRESS.toNanos()) {
                told = now;
                System.out.printf(
                        Locale.ROOT,
                        "%,d of %,d %s; %,d MiB resident%n",
                        counted.get(),
                        expected,
                        what,
                        resident("VmRSS") >> 20);
            }
            if (now - begun > PATIENCE.toNanos()) {
                throw new IllegalStateException(counted.get() + " of " + expected + " " + what);
            }
        }
    }

    /** A process that has a million calls waiting has made some before: its code is compiled, and its stacks are small. */
    private static void warmUp(SimulatedTransport transport, boolean queue) throws InterruptedException {
        ResilientClient client = client(transport, queue, Duration.ofMillis(20), new AtomicInteger());
        ModelRequest request =
                ModelRequest.chat(MODEL).user("Name three rivers.").build();
        if (queue) {
            Thread.ofVirtual().start(() -> ask(client, request));
            while (transport.open() == 0) { // until it holds the one place
                Thread.sleep(1);
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                all.add(Thread.ofVirtual().start(() -> ask(client, request)));
            }
            for (Thread thread : all) {
                thread.join();
            }
            if (round % (ROUNDS / 4) == 0) {
                Thread.sleep(PROGRESS); // until what is to be compiled is
            }
        }
        client.close();
    }

    private static void ask(ResilientClient client, ModelRequest request) {
        try {
            client.call(request);
        } catch (CallException e) {
            LOST.incrementAndGet();
        }
    }

    private static ResilientClient client(
            SimulatedTransport transport, boolean queue, Duration wait, AtomicInteger waiting) {
        ClientBuilder builder = ResilientClient.builder()
                .endpoint(Endpoint.builder("p", URI.create("https://p.test/v1"))
                        .credential(Credential.of("sk-test-0123456789abcdef"))
                        .build())
                .transport(transport)
                .discovery(false)
                .logging(false)
                .withoutBreaker()
                .maxInFlight(2_000_000)
                .closeGrace(Duration.ofMillis(1))
                .maxInFlightBytes(Long.MAX_VALUE)
                .timeout(LONG)
                .listener(event -> {
                    switch (event) {
                        case dev.holdfast.CallEvent.AttemptQueued queued -> waiting.incrementAndGet();
                        case dev.holdfast.CallEvent.RetryScheduled retry -> waiting.incrementAndGet();
                        default -> {}
                    }
                })
                .retry(RetryPolicy.standard()
                        .withBackoff(Backoff.fixed(wait))
                        .withoutBudget()
                        .withoutDeadline());
        LimitPolicy limits = LimitPolicy.defaults().withConcurrency(1).withMaxWait(wait);
        return (queue ? builder.limits(MODEL, limits) : builder).build();
    }

    /** What the heap holds after a full collection. */
    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** What the system says of this process, by one of its names. */
    private static long resident(String name) {
        try {
            String status = java.nio.file.Files.readString(java.nio.file.Path.of("/proc/self/status"));
            return Long.parseLong(status.replaceAll("(?s).*" + name + ":\\s+(\\d+) kB.*", "$1")) << 10;
        } catch (java.io.IOException | NumberFormatException e) {
            return -1;
        }
    }
}
