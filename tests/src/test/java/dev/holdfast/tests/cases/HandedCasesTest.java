package dev.holdfast.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.CallOptions;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Plays the reported failures that take a whole client, on virtual time. */
class HandedCasesTest {
    private static final Set<String> KINDS =
            Set.of("exchange", "exchange_sequence", "java_call", "concurrency", "secret_scan");
    /** What is not played here, by capability or by a setting that the case asks for, and why. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "via_gateway", "needs the gateway, which is a later part",
            "response-cache", "played with the cache's own cases");

    private static final int PLAYED = 21;
    private static final int NOT_PLAYED = 3;

    @TestFactory
    Stream<DynamicTest> reportedFailures() {
        return played().flatMap(Case::withVariants)
                .map(one -> DynamicTest.dynamicTest(one.displayName(), () -> play(one)));
    }

    @Test
    void noCaseIsLeftOutSilently() {
        List<Case> ours =
                Case.all().stream().filter(one -> KINDS.contains(one.kind())).toList();

        assertThat(played()).hasSize(PLAYED);
        assertThat(ours).hasSize(PLAYED + NOT_PLAYED);
        assertThat(ours.stream().flatMap(one -> elsewhere(one).stream()).distinct())
                .containsExactlyInAnyOrderElementsOf(ELSEWHERE.keySet());
    }

    private static Stream<Case> played() {
        return Case.all().stream()
                .filter(one -> KINDS.contains(one.kind()))
                .filter(one -> elsewhere(one).isEmpty());
    }

    private static Optional<String> elsewhere(Case one) {
        return ELSEWHERE.keySet().stream()
                .filter(reason ->
                        one.capability().equals(reason) || one.config().has(reason))
                .findFirst();
    }

    private static void play(Case one) {
        switch (one.kind()) {
            case "secret_scan" -> SecretScan.play(one);
            case "concurrency" -> playTogether(one);
            case "java_call" -> playInterrupted(one);
            default -> playInOrder(one);
        }
    }

    private static void playInOrder(Case one) {
        if (one.config().has("max_connections_per_host")) {
            RealConnections.play(one);
            return;
        }
        if (one.given().has("prices")) {
            Accounting.play(one);
            return;
        }
        World world = Setting.world(one);
        var calls = new ArrayList<Ended>();
        try (ResilientClient client = Setting.client(one, world).build()) {
            Steps steps = Steps.of(one);
            world.time().run(() -> {
                for (int i = 0; i < steps.times(); i++) {
                    calls.add(world.callHere(client));
                    world.sleep(steps.pause());
                }
            });
            ObjectNode expect = one.expect().deepCopy();
            if (expect.remove("caller_supplied_key_wins") != null) {
                callerSuppliedKeyWins(world, client);
            }
            new Verdict(world, calls).check(expect);
        }
    }

    private static void callerSuppliedKeyWins(World world, ResilientClient client) {
        int before = world.sent().size();
        world.call(client, CallOptions.none().withIdempotencyKey("mine")).answer();
        assertThat(world.sent().subList(before, world.sent().size()))
                .extracting(sent -> sent.header("Idempotency-Key"))
                .containsOnly("mine");
    }

    /** Callers who are there at once: every one has asked before the first is answered. */
    private static void playTogether(Case one) {
        World world = Setting.world(one, Duration.ofMillis(20));
        var calls = new ArrayList<Ended>();
        try (ResilientClient client = Setting.client(one, world).build()) {
            world.time().run(() -> {
                for (int i = 0; i < one.given().path("callers").asInt(); i++) {
                    world.startCall(client, calls);
                }
            });
            new Verdict(world, calls).check(one.expect());
        }
    }

    private static void playInterrupted(Case one) {
        World world = Setting.world(one);
        var calls = new ArrayList<Ended>();
        Duration interruptedAt = Duration.ofSeconds(1);
        try (ResilientClient client = Setting.client(one, world).build()) {
            world.time().run(() -> {
                Timekeeper.Task worker = world.startCall(client, calls);
                world.sleep(interruptedAt);
                worker.interrupt();
            });
            ObjectNode expect = one.expect().deepCopy();
            JsonNode within = expect.remove("worker_ends_within_ms");
            assertThat(calls.getFirst().at()).isBetween(interruptedAt, interruptedAt.plusMillis(within.asLong()));
            new Verdict(world, calls).check(expect);
        }
    }

    /** How often a case calls, and how far apart. */
    private record Steps(int times, Duration pause) {
        private static final Pattern EVERY = Pattern.compile("call every (\\d+) ms for (\\d+) s");
        private static final Pattern CALLS = Pattern.compile("(\\d+) calls");

        static Steps of(Case one) {
            List<String> steps = Case.elements(one.given().path("steps"))
                    .map(JsonNode::asText)
                    .toList();
            String first = steps.isEmpty() ? "call" : steps.getFirst();
            Matcher every = EVERY.matcher(first);
            if (every.matches()) {
                long pause = Long.parseLong(every.group(1));
                return new Steps((int) (Long.parseLong(every.group(2)) * 1_000 / pause), Duration.ofMillis(pause));
            }
            Matcher calls = CALLS.matcher(first);
            if (calls.matches()) {
                return new Steps(Integer.parseInt(calls.group(1)), Duration.ZERO);
            }
            assertThat(steps).allMatch(step -> step.startsWith("call"));
            return new Steps(Math.max(1, steps.size()), Duration.ZERO);
        }
    }
}
