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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much memory calls take that wait in one process, each on a virtual thread of its own and on the machine's own time: in
 * the queue of a limit, or in the backoff before a retry. Prints what is in use after a full collection.
 *
 * <pre>
 * java -XX:+UseParallelGC -Xmx3g -cp … dev.holdfast.benchmarks.waiting.MillionWaiting queue 1000000
 * java -XX:+UseParallelGC -Xmx3g -cp … dev.holdfast.benchmarks.waiting.MillionWaiting backoff 1000000
 * </pre>
 */
public final class MillionWaiting {
    private static final String MODEL = "gpt-4.1";
    private static final AtomicInteger LOST = new AtomicInteger();
    private static final Duration LONG = Duration.ofHours(10);

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
        warmUp(transport, queue);
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
        int expected = queue ? calls - 1 : calls;
        while (waiting.get() < expected && ended.get() == 0) {
            Thread.sleep(100);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        Thread.sleep(Long.getLong("holdfast.hold", 1_000));
        long used = used() - before;
        System.out.printf(
                "%s: %,d calls wait (%,d ended); all wait after %.1f s; %,d MiB of heap, %,d bytes a call;"
                        + " %,d MiB resident%n",
                arguments[0], waiting.get(), ended.get(), seconds, used >> 20, used / calls, resident() >> 20);
        Runtime.getRuntime().halt(ended.get() == 0 ? 0 : 1);
    }

    /** A process that has a million calls waiting has made some before: its code is compiled, and its stacks are small. */
    private static void warmUp(SimulatedTransport transport, boolean queue) throws InterruptedException {
        ResilientClient client = client(transport, queue, Duration.ofMillis(20), new AtomicInteger());
        ModelRequest request =
                ModelRequest.chat(MODEL).user("Name three rivers.").build();
        if (queue) {
            Thread.ofVirtual().start(() -> client.call(request)); // holds the one place
        }
        for (int round = 0; round < 100; round++) {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                all.add(Thread.ofVirtual().start(() -> {
                    try {
                        client.call(request);
                    } catch (CallException e) {
                        LOST.incrementAndGet();
                    }
                }));
            }
            for (Thread thread : all) {
                thread.join();
            }
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

    private static long resident() {
        try {
            String status = java.nio.file.Files.readString(java.nio.file.Path.of("/proc/self/status"));
            return Long.parseLong(status.replaceAll("(?s).*VmRSS:\\s+(\\d+) kB.*", "$1")) << 10;
        } catch (java.io.IOException | NumberFormatException e) {
            return -1;
        }
    }
}
