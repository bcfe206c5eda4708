package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AllowList;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.EndpointHealth;
import dev.holdfast.FailureKind;
import dev.holdfast.HealthStatus;
import dev.holdfast.TargetHealth;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.ProbePolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.HealthProbe.ProbeResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ProbeTest {
    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final ProbePolicy STEADY = ProbePolicy.defaults().withJitter(0);

    /** Chats are answered; other requests by the function. */
    private static FaultScript probedBy(Function<ProviderRequest, Reply> probe) {
        return FaultScript.answering(request ->
                request.path().endsWith("/chat/completions") ? Reply.completion("ok") : probe.apply(request));
    }

    private static FaultScript probedBy(Reply... inOrder) {
        int[] next = {0};
        return probedBy(request -> inOrder[Math.min(next[0]++, inOrder.length - 1)]);
    }

    private static final Reply WELL = Reply.json(200, dev.holdfast.JsonValue.JsonObject.empty());

    private static List<World.Sent> probes(World world) {
        return world.sent().stream()
                .filter(sent -> !sent.call().uri().getPath().endsWith("/chat/completions"))
                .toList();
    }

    private static EndpointHealth endpoint(ResilientClient client, String name) {
        return client.health().endpoints().stream()
                .filter(endpoint -> endpoint.endpoint().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** One call, then so long without any, while probes go on. */
    private static void callAndWait(World world, ResilientClient client, Duration length) {
        world.time().run(() -> {
            world.callHere(client);
            world.sleep(length);
            client.close();
        });
    }

    @Test
    void anEndpointInUseIsAskedForItsModelsWithTheKeyOfCalls() {
        World world = new World().provider("p1", probedBy(WELL));
        ResilientClient client = world.builder().probes(STEADY).build();
        callAndWait(world, client, Duration.ofMinutes(2));

        assertThat(probes(world)).hasSizeBetween(3, 4).allSatisfy(sent -> {
            assertThat(sent.call().method()).isEqualTo("GET");
            assertThat(sent.call().uri().getPath()).isEqualTo("/v1/models");
            assertThat(sent.header("Authorization")).isEqualTo("Bearer " + World.keyOf("p1"));
            assertThat(sent.body()).isEmpty();
            assertThat(sent.header("Content-Type")).isEmpty();
        });
        assertThat(endpoint(client, "p1").lastProbe()).isPresent();
        assertThat(world.events(CallEvent.EndpointProbed.class)).hasSameSizeAs(probes(world));
    }

    @Test
    void anotherPathIsAskedWhereThePolicySaysSo() {
        World world = new World().provider("p1", probedBy(WELL));
        callAndWait(world, world.builder().probes(STEADY.withPath("/health")).build(), Duration.ofMinutes(1));

        assertThat(probes(world))
                .isNotEmpty()
                .allSatisfy(sent -> assertThat(sent.call().uri().getPath()).isEqualTo("/v1/health"));
    }

    @Test
    void withoutCallsNothingIsAskedAndWithoutThemForLongNothingMore() {
        World world = new World().provider("p1", probedBy(WELL));
        ResilientClient client = world.builder().probes(STEADY).build();
        world.pass(Duration.ofHours(1));
        assertThat(probes(world)).isEmpty();

        callAndWait(world, client, Duration.ofHours(5));
        assertThat(probes(world)).hasSizeBetween(9, 11);
    }

    @Test
    void anEndpointThatNoCallMayUseIsNotAsked() {
        World world = new World()
                .provider("eu", probedBy(WELL), endpoint -> endpoint.region("eu"))
                .provider("us", probedBy(WELL), endpoint -> endpoint.region("us"));
        ResilientClient client = world.builder()
                .probes(STEADY)
                .build()
                .with(CallOptions.none().withAllow(new AllowList(Set.of("eu"), Set.of(), Set.of())));
        callAndWait(world, client, Duration.ofMinutes(3));

        assertThat(probes(world))
                .isNotEmpty()
                .allSatisfy(sent -> assertThat(sent.provider()).isEqualTo("eu"));
    }

    @Test
    void anIsolatedEndpointIsNotAsked() {
        World world = new World().provider("p1", probedBy(WELL)).provider("p2", probedBy(WELL));
        ResilientClient client = world.builder().probes(STEADY).build();
        client.control().isolate("p2", Duration.ofHours(1));
        callAndWait(world, client, Duration.ofMinutes(3));

        assertThat(probes(world))
                .isNotEmpty()
                .allSatisfy(sent -> assertThat(sent.provider()).isEqualTo("p1"));
    }

    @Test
    void probesWaitWhileCallsShowThatTheEndpointIsWell() {
        World world = new World().provider("p1", probedBy(Reply.hang()));
        ResilientClient client = world.builder().probes(STEADY).build();
        world.time().run(() -> {
            for (int i = 0; i < 60; i++) {
                world.callHere(client);
                world.sleep(Duration.ofSeconds(5));
            }
            assertThat(endpoint(client, "p1").status()).isEqualTo(HealthStatus.HEALTHY);
            client.close();
        });

        assertThat(probes(world)).isEmpty();
    }

    @Test
    void threeFailuresInARowEjectAndTwoSuccessesBringBack() {
        Reply down = Reply.status(503);
        World world = new World().provider("p1", probedBy(down, down, WELL, down, down, down, WELL, WELL));
        ResilientClient client = world.builder().probes(STEADY).build();
        callAndWait(world, client, INTERVAL.multipliedBy(9));

        assertThat(world.events(CallEvent.HealthChanged.class))
                .filteredOn(event -> event.model().isEmpty())
                .extracting(CallEvent.HealthChanged::to)
                .startsWith(HealthStatus.UNHEALTHY, HealthStatus.HEALTHY)
                .hasSize(2);
        assertThat(world.events(CallEvent.EndpointProbed.class))
                .extracting(CallEvent.EndpointProbed::healthy)
                .startsWith(false, false, true, false, false, false, true, true);
    }

    @Test
    void aTimeoutCountsAsFiveSecondsAndDegradesAndIsForgottenInTime() {
        World world = new World()
                .provider("p1", probedBy(WELL, Reply.hang(), WELL, WELL, WELL, WELL, WELL, WELL, WELL, WELL));
        ResilientClient client = world.builder().probes(STEADY).build();
        callAndWait(world, client, INTERVAL.multipliedBy(9));

        assertThat(world.events(CallEvent.HealthChanged.class))
                .filteredOn(event -> event.model().isEmpty())
                .extracting(CallEvent.HealthChanged::to)
                .containsExactly(HealthStatus.DEGRADED, HealthStatus.HEALTHY);
    }

    @Test
    void aRefusedKeySaysMisconfiguredAndNotDead() {
        World world = new World().provider("p1", probedBy(Reply.status(401)));
        ResilientClient client = world.builder().probes(STEADY).build();
        world.time().run(() -> {
            world.callHere(client);
            world.sleep(INTERVAL.multipliedBy(6));
            TargetHealth target = client.health().models().getFirst().targets().getFirst();
            assertThat(endpoint(client, "p1").status()).isEqualTo(HealthStatus.DEGRADED);
            assertThat(target.misconfigured()).isTrue();
            client.close();
        });
    }

    @Test
    void aProbesLimitSaysThatTheEndpointLives() {
        World world = new World().provider("p1", probedBy(Reply.status(429)));
        ResilientClient client = world.builder().probes(STEADY).build();
        callAndWait(world, client, INTERVAL.multipliedBy(6));

        assertThat(endpoint(client, "p1").status()).isNotEqualTo(HealthStatus.UNHEALTHY);
        assertThat(world.events(CallEvent.EndpointProbed.class)).allMatch(CallEvent.EndpointProbed::healthy);
    }

    @Test
    void theLastEndpointIsStillCalledHoweverItsProbesFail() {
        World world = new World().provider("p1", probedBy(Reply.status(503)));
        ResilientClient client = world.builder().probes(STEADY).build();
        world.time().run(() -> {
            world.callHere(client);
            world.sleep(INTERVAL.multipliedBy(5));
            assertThat(endpoint(client, "p1").status()).isEqualTo(HealthStatus.UNHEALTHY);
            assertThat(world.callHere(client).answer().text()).contains("ok");
            client.close();
        });
    }

    @Test
    void afterAPauseOneProbeIsSentAndNotThoseThatWereMissed() {
        World world = new World()
                .provider(
                        "p1",
                        probedBy(request ->
                                WELL.withDelay(request.number() == 2 ? Duration.ofMinutes(4) : Duration.ZERO)));
        ProbePolicy patient = STEADY.withTimeout(Duration.ofMinutes(10)).withInterval(Duration.ofSeconds(60));
        ResilientClient client = world.builder().probes(patient).build();
        callAndWait(world, client, Duration.ofMinutes(9));

        List<Duration> times = probes(world).stream().map(World.Sent::at).toList();
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i).minus(times.get(i - 1))).isGreaterThanOrEqualTo(Duration.ofSeconds(60));
        }
    }

    @Test
    void intervalsVaryWithinTheJitterAndEndpointsAreNotAskedInStep() {
        World world =
                new World().provider("p1", probedBy(Reply.status(503))).provider("p2", probedBy(Reply.status(503)));
        ResilientClient client =
                world.builder().probes(ProbePolicy.defaults().withJitter(0.2)).build();
        callAndWait(world, client, Duration.ofMinutes(5));

        List<Duration> one = probes(world).stream()
                .filter(sent -> sent.provider().equals("p1"))
                .map(World.Sent::at)
                .toList();
        for (int i = 1; i < one.size(); i++) {
            assertThat(one.get(i).minus(one.get(i - 1))).isBetween(Duration.ofSeconds(24), Duration.ofSeconds(36));
        }
        assertThat(probes(world).stream().map(World.Sent::at).distinct().count())
                .isEqualTo(probes(world).size());
    }

    @Test
    void closingEndsTheProbesAndTheirThreads() {
        World world = new World().provider("p1", probedBy(Reply.hang()));
        ResilientClient client = world.builder().probes(STEADY).build();
        Duration[] closed = new Duration[1];
        world.time().run(() -> {
            world.callHere(client);
            world.sleep(INTERVAL.multipliedBy(2));
            client.close();
            closed[0] = world.time().elapsed();
        });

        assertThat(world.time().elapsed()).as("no thread outlives the client").isEqualTo(closed[0]);
        assertThat(world.open()).isZero();
    }

    @Test
    void anOwnProbeIsAskedAndWhatItThrowsIsAFailure() {
        World world = new World().provider("p1", FaultScript.healthy());
        int[] asked = {0};
        ResilientClient client = world.builder()
                .healthPolicy(HealthPolicy.defaults().withThresholds(2, 1))
                .probes(STEADY.withProbe(request -> {
                    asked[0]++;
                    assertThat(request.endpoint().name()).isEqualTo("p1");
                    assertThat(request.credential()).isPresent();
                    if (asked[0] <= 2) {
                        throw new IllegalStateException("no");
                    }
                    return new ProbeResult(true, Duration.ofMillis(3), "fine");
                }))
                .build();
        callAndWait(world, client, INTERVAL.multipliedBy(4));

        assertThat(asked[0]).isBetween(3, 5);
        assertThat(world.events(CallEvent.HealthChanged.class))
                .filteredOn(event -> event.model().isEmpty())
                .extracting(CallEvent.HealthChanged::to)
                .containsExactly(HealthStatus.UNHEALTHY, HealthStatus.HEALTHY);
    }

    @Test
    void anOwnProbeMaySayThatTheKeyIsRefused() {
        World world = new World().provider("p1", FaultScript.healthy());
        ResilientClient client = world.builder()
                .probes(STEADY.withProbe(
                        request -> new ProbeResult(true, Duration.ZERO, "revoked", Optional.of(FailureKind.AUTH))))
                .build();
        callAndWait(world, client, INTERVAL.multipliedBy(4));

        assertThat(client.health().models().getFirst().targets().getFirst().misconfigured())
                .isTrue();
    }

    @Test
    void aCompletionForAProbeIsAnAttemptThatTheLedgerSees() {
        World world = new World().provider("p1", FaultScript.healthy());
        ResilientClient client =
                world.builder().probes(STEADY.withCompletion(World.MODEL)).build();
        callAndWait(world, client, INTERVAL.multipliedBy(3));

        List<CallEvent.AttemptFinished> paid = world.events(CallEvent.AttemptFinished.class).stream()
                .filter(event -> "completion".equals(event.tags().get("holdfast.probe")))
                .toList();
        assertThat(paid)
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.attempt().spend()).isPresent());
        assertThat(world.sent()).allMatch(sent -> sent.call().method().equals("POST"));
        assertThat(world.sent().getLast().body()).contains("\"max_tokens\":16");
        assertThat(world.events(CallEvent.CallFinished.class))
                .as("it is no call of the user")
                .hasSize(1);
    }

    @Test
    void nothingIsPaidForUnlessAskedFor() {
        World world = new World().provider("p1", FaultScript.healthy());
        callAndWait(world, world.builder().probes(STEADY).build(), INTERVAL.multipliedBy(3));

        assertThat(world.events(CallEvent.AttemptFinished.class)).hasSize(1);
    }
}
