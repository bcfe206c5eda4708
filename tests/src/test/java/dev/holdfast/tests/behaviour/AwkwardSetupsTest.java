package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Explanation;
import dev.holdfast.FailureKind;
import dev.holdfast.HealthReport;
import dev.holdfast.HealthStatus;
import dev.holdfast.ModelRequest;
import dev.holdfast.Secret;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Setups and moments at which a choice of targets easily goes wrong. */
class AwkwardSetupsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void fiftyModelsInAChainThatTurnsBackAreVisitedOnceAndNoMoreThanACallMayTry() {
        World world = World.always(Reply.status(503));
        ClientBuilder builder = world.builder().retry(RetryPolicy.none());
        for (int i = 0; i < 50; i++) {
            builder.model(ModelSettings.of("model-" + (char) ('A' + i))
                    .withFallbacks("model-" + (char) ('A' + (i + 1) % 50)));
        }
        ModelRequest request = ModelRequest.chat("model-A").user("hi").build();
        try (ResilientClient client = builder.build()) {
            Explanation explained = client.explain(request);
            Ended call = world.call(client, request, CallOptions.none());

            assertThat(explained.candidates()).hasSize(50);
            assertThat(explained.mostAttempts()).isEqualTo(RetryPolicy.none().maxAttemptsPerCall());
            assertThat(call.failure().attempts())
                    .extracting(Attempt::target)
                    .containsExactlyElementsOf(explained.order())
                    .doesNotHaveDuplicates()
                    .hasSize(explained.mostAttempts());
        }
    }

    @Test
    void whereEveryTargetIsForcedOpenNothingIsSentAndExplainSaysSo() {
        World world = World.of().provider("p2", FaultScript.healthy());
        try (ResilientClient client =
                world.builder().breaker(BreakerPolicy.defaults()).build()) {
            for (String name : List.of("p1", "p2")) {
                client.control().forceOpen(new Target(World.MODEL, name), Duration.ofMinutes(10));
            }
            Explanation explained = client.explain(World.request());
            Ended call = world.call(client);

            assertThat(explained.first()).isEmpty();
            assertThat(explained.order()).isEmpty();
            assertThat(call.failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            assertThat(call.took()).isZero();
            assertThat(world.sent()).isEmpty();
            assertThat(client.health().isReady()).isFalse();
        }
    }

    @Test
    void anEndpointThatAModelNamesTwiceIsOneTarget() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = world.builder()
                .retry(RetryPolicy.none())
                .model(ModelSettings.of(World.MODEL).withEndpoints("p1", "p1"))
                .build()) {
            assertThat(client.explain(World.request()).candidates()).hasSize(1);
            assertThat(world.call(client).failure().attempts()).hasSize(1);
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void aReportIsReadWhileTheClientClosesAndAfter() {
        World world = World.always(Reply.completion("Rhine").withDelay(SECOND.multipliedBy(10)));
        ResilientClient client =
                world.builder().closeGrace(SECOND.multipliedBy(5)).build();
        List<HealthReport> reports = new ArrayList<>();
        List<Ended> ended = new ArrayList<>();
        world.time().run(() -> {
            Timekeeper.Task call = world.startCall(client, ended);
            world.sleep(SECOND);
            Timekeeper.Task closing = world.time().start("holdfast-test-close", client::close);
            for (int i = 0; i < 8; i++) {
                reports.add(client.health());
                world.sleep(SECOND);
            }
            World.join(call);
            World.join(closing);
        });
        assertThat(reports.getFirst().endpoints().getFirst().inFlight()).isEqualTo(1);
        assertThat(reports.getLast().endpoints().getFirst().inFlight()).isZero();
        assertThat(reports).extracting(report -> report.document().toJson()).doesNotContainNull();
        assertThat(client.health().status()).isEqualTo(HealthStatus.HEALTHY);
    }

    @Test
    void theLargestWeightBesideTheSmallestTakesAllButNeverBreaksTheSum() {
        World world = new World();
        for (String name : List.of("p1", "p2", "p3")) {
            int weight = name.equals("p3") ? 1 : Integer.MAX_VALUE;
            world.provider(name, Weather.of(FaultScript.healthy()), endpoint -> endpoint.weight(weight));
        }
        try (ResilientClient client =
                world.builder().endpointPolicy(EndpointPolicy.loadBalanced()).build()) {
            assertThat(client.explain(World.request()).first().stream()
                            .mapToDouble(Explanation.First::probability)
                            .sum())
                    .isCloseTo(1, org.assertj.core.api.Assertions.within(1e-9));
            for (int i = 0; i < 400; i++) {
                world.call(client);
            }
            assertThat(world.sentTo("p3")).isEmpty();
            assertThat(world.sentTo("p1").size()).isBetween(150, 250);
        }
    }

    @Test
    void ofSeveralKeysTheBadOneIsAskedOnceAMinute() {
        World world = new World();
        world.provider(
                "p1",
                Weather.of(FaultScript.answering(request ->
                        request.headers().first("Authorization").orElse("").contains(World.keyOf("p1"))
                                ? Reply.status(401)
                                : Reply.completion("ok"))),
                endpoint -> endpoint.credential(new Credential("good", Secret.of("sk-test-good-0123456789abcdef"))));
        try (ResilientClient client = world.builder().retry(RetryPolicy.none()).build()) {
            for (int i = 0; i < 120; i++) {
                assertThat(world.call(client).answer().text()).contains("ok");
                world.pass(SECOND);
            }
            assertThat(world.sent().stream()
                            .filter(sent -> sent.header("Authorization").contains(World.keyOf("p1"))))
                    .hasSize(2);
        }
    }

    @Test
    void endpointsThatProbeAtOnceEachHaveTheirOwnProbesAndGiveThemBack() {
        World world = new World();
        var down = new AtomicInteger(1);
        for (String name : List.of("p1", "p2", "p3")) {
            world.provider(
                    name,
                    FaultScript.answering(request -> down.get() == 1
                            ? Reply.status(503)
                            : Reply.completion("ok").withDelay(SECOND)));
        }
        try (ResilientClient client = world.builder()
                .retry(RetryPolicy.none())
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1).withOpenTime(Duration.ofSeconds(5)))
                .build()) {
            world.call(client);
            down.set(0);
            world.pass(Duration.ofSeconds(6));
            List<Ended> ended = new ArrayList<>();
            world.time().run(() -> {
                for (int i = 0; i < 3; i++) {
                    world.startCall(client, ended);
                }
            });
            assertThat(ended).hasSize(3).allMatch(call -> call.response().isPresent());
            for (int i = 0; i < 20; i++) {
                world.time().run(() -> {
                    for (int j = 0; j < 3; j++) {
                        world.startCall(client, ended);
                    }
                });
            }
            assertThat(ended).allMatch(call -> call.response().isPresent());
            assertThat(world.events(CallEvent.BreakerChanged.class))
                    .filteredOn(event -> event.to() == BreakerState.CLOSED)
                    .isNotEmpty();
            assertThat(client.health().endpoints()).allMatch(endpoint -> endpoint.inFlight() == 0);
        }
    }

    @Test
    void usageThatIsNonsenseNeitherBlocksALimitForLongNorOpensIt() {
        for (String usage : List.of(
                "{\"prompt_tokens\":-5,\"completion_tokens\":-9,\"total_tokens\":-14}",
                "{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}",
                "{\"prompt_tokens\":9223372036854775807,\"completion_tokens\":9223372036854775807}",
                "{\"prompt_tokens\":1e300,\"completion_tokens\":\"many\"}",
                "[]",
                "null")) {
            String body =
                    "{\"id\":\"x\",\"object\":\"chat.completion\",\"model\":\"gpt-4.1\",\"choices\":[{\"index\":0,"
                            + "\"finish_reason\":\"stop\",\"message\":{\"role\":\"assistant\",\"content\":\"ok\"}}],\"usage\":"
                            + usage + "}";
            World world = World.always(Reply.of(
                    200, dev.holdfast.Headers.of("Content-Type", "application/json"), dev.holdfast.Bytes.utf8(body)));
            try (ResilientClient client = world.builder()
                    .retry(RetryPolicy.none())
                    .limits(World.MODEL, LimitPolicy.perMinute(10, 10_000))
                    .build()) {
                for (int i = 0; i < 5; i++) {
                    assertThat(world.call(client).answer().text()).as(usage).contains("ok");
                    world.pass(Duration.ofSeconds(61));
                }
                assertThat(world.times().getLast()).as(usage).isLessThan(Duration.ofMinutes(6));
            }
        }
    }
}
