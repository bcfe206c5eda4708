package dev.holdfast.comparisons;

import dev.holdfast.gateway.GatewayLauncher;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * What the gateway adds to an exchange, beside Portkey's and no gateway at all, in turns: provider, gateways and load are processes of
 * their own on this machine.
 *
 * <pre>{@code ./holdfast compare --gateway [rounds]}</pre>
 */
final class GatewayCompare {
    /** So many are taken, if nobody says. */
    static final int ROUNDS = 12;

    private static final int WARM_UP = 3;
    private static final int WARM_UP_TURNS = 15;
    /** So many exchanges a turn, where they go as fast as they can. */
    private static final int FAST = 10;

    private static final int MANY = 64;
    /** A second for all connections together brings this many exchanges, where they are paced. */
    private static final int PER_SECOND = 400;

    private GatewayCompare() {}

    /** Prints the tables. */
    @SuppressWarnings("SystemOut") // a command's output
    static void run(int rounds) throws IOException, InterruptedException, ExecutionException {
        Path directory = Files.createTempDirectory("holdfast-gateway");
        try (Child provider = Child.java(List.of(), GatewayUpstream.class, List.of())) {
            URI baseUrl = URI.create(provider.readyLine().substring("listening on ".length()));
            Path config = Files.writeString(directory.resolve("gateway.yaml"), """
                    listen: 127.0.0.1:0
                    endpoints: [{name: up, base-url: "%s", api-key: "sk-measuring-0123456789"}]
                    models: {gpt-4.1: {endpoints: [up], price: {input: 2, output: 8}}}
                    stop: {wait: 0s}
                    """.formatted(baseUrl));
            System.out.printf(
                    Locale.ROOT,
                    "Java %s, %d processors%n",
                    Runtime.version(),
                    Runtime.getRuntime().availableProcessors());
            try (Child first = gateway(config, directory)) {
                report("gateway with -Xmx256m, the first of a build", first);
                // It leaves the archive of classes that the launcher's gateways start with from then on.
                first.end();
            }
            try (Child gateway = gateway(config, directory)) {
                report("gateway with -Xmx256m", gateway);
                beside(gateway, baseUrl, rounds);
            }
        }
    }

    private static Child gateway(Path config, Path directory) {
        List<String> options = List.of(
                "-Xmx256m",
                "-XX:+AutoCreateSharedArchive",
                "-XX:SharedArchiveFile=" + directory.resolve("gateway.jsa"));
        return Child.java(options, GatewayLauncher.class, List.of("gateway", "--config", config.toString()));
    }

    @SuppressWarnings("SystemOut") // a command's output
    private static void report(String name, Child child) {
        System.out.printf(
                Locale.ROOT,
                "%s: ready %d ms after its process began, with %d ms of processor time%n",
                name,
                child.startTime().toMillis(),
                child.processorTimeToStart().toMillis());
    }

    @SuppressWarnings("SystemOut") // a command's output
    private static void memory(String name, Child child) {
        System.out.printf(Locale.ROOT, "%s: at most %d MiB resident%n", name, child.peakMemory());
    }

    @SuppressWarnings("SystemOut") // a command's output
    private static void beside(Child gateway, URI baseUrl, int rounds)
            throws IOException, InterruptedException, ExecutionException {
        int port = Portkey.freePort();
        Optional<Child> portkey = portkey(port);
        try {
            portkey.ifPresent(child -> report("Portkey's", child));
            races(new Ways(baseUrl, gateway, portkey, port), rounds);
            System.out.printf(Locale.ROOT, "gateway: %d MiB of live objects in its heap%n", gateway.liveHeap());
            memory("gateway", gateway);
            portkey.ifPresent(child -> memory("Portkey's", child));
        } finally {
            portkey.ifPresent(Child::close);
        }
    }

    /** Where the provider is reached. */
    private record Ways(URI bare, Child gateway, Optional<Child> portkey, int portkeyPort) {
        List<Lane> lanes(boolean stream) {
            URI served = URI.create(gateway.readyLine().substring("listening on ".length()) + "/v1");
            var lanes = new ArrayList<Lane>();
            lanes.add(new Lane("bare", Optional.empty(), bare, stream));
            lanes.add(new Lane("holdfast", Optional.of(gateway), served, stream));
            if (portkey.isPresent()) {
                URI other = URI.create("http://127.0.0.1:" + portkeyPort + "/v1");
                String[] headers = {"x-portkey-provider", "openai", "x-portkey-custom-host", bare.toString()};
                lanes.add(new Lane("portkey", portkey, other, stream, headers));
            }
            return lanes;
        }
    }

    @SuppressWarnings("SystemOut") // a command's output
    private static Optional<Child> portkey(int port) throws InterruptedException {
        try {
            Path home = Path.of(System.getProperty("java.io.tmpdir"), "holdfast-portkey");
            return Optional.of(Portkey.start(home, port));
        } catch (IOException | IllegalStateException e) {
            System.out.println("without Portkey's gateway: " + e.getMessage());
            return Optional.empty();
        }
    }

    @SuppressWarnings("SystemOut") // a command's output
    private static void races(Ways ways, int rounds) throws InterruptedException, ExecutionException {
        long pause = 1_000_000_000L * MANY / PER_SECOND;
        // The last compiler of a JVM wants thousands of exchanges of each form before it is done.
        for (boolean stream : new boolean[] {false, true}) {
            List<Lane> lanes = ways.lanes(stream);
            new GatewayRace("warm-up", MANY, FAST, 0).run(lanes, WARM_UP_TURNS, 1);
            lanes.forEach(Lane::close);
        }
        for (boolean stream : new boolean[] {false, true}) {
            String form = stream ? "SSE, " : "JSON, ";
            run(new GatewayRace(form + "1 connection", 1, 100, 0), ways.lanes(stream), rounds);
            run(
                    new GatewayRace(form + "64 connections, " + PER_SECOND + " exchanges a second", MANY, 3, pause),
                    ways.lanes(stream),
                    rounds);
            run(
                    new GatewayRace(form + "64 connections, as fast as they go", MANY, FAST, 0),
                    ways.lanes(stream),
                    rounds);
        }
    }

    @SuppressWarnings("SystemOut") // a command's output
    private static void run(GatewayRace race, List<Lane> lanes, int rounds)
            throws InterruptedException, ExecutionException {
        race.run(lanes, WARM_UP, rounds).forEach(System.out::println);
        lanes.forEach(Lane::close);
    }
}
