package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.HealthReport;
import dev.holdfast.HealthStatus;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelHealth;
import dev.holdfast.Secret;
import dev.holdfast.Target;
import dev.holdfast.TargetHealth;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthReportTest {
    private static final CallOptions ONCE = CallOptions.none().withRetry(false);

    private static TargetHealth target(HealthReport report, String endpoint) {
        return report.models().stream()
                .flatMap(model -> model.targets().stream())
                .filter(target -> target.target().endpoint().equals(endpoint))
                .findFirst()
                .orElseThrow();
    }

    private static ModelHealth model(HealthReport report, String name) {
        return report.models().stream()
                .filter(model -> model.model().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClientThatHasDoneNothingIsHealthyAndReady() {
        World world = World.of();
        try (ResilientClient client =
                world.builder().model(ModelSettings.of(World.MODEL)).build()) {
            HealthReport report = client.health();

            assertThat(report.status()).isEqualTo(HealthStatus.HEALTHY);
            assertThat(report.isReady()).isTrue();
            assertThat(report.at()).isEqualTo(world.time().now());
            assertThat(report.models()).hasSize(1);
            assertThat(target(report, "p1").latency().samples()).isZero();
            assertThat(world.sent()).as("a report sends nothing").isEmpty();
        }
    }

    @Test
    void latenciesAreThoseOfTheAnswers() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.answering(request ->
                                Reply.completion("ok").withDelay(Duration.ofMillis(request.number() * 10L))));
        try (ResilientClient client = world.builder().build()) {
            for (int i = 0; i < 100; i++) {
                world.call(client);
            }
            TargetHealth target = target(client.health(), "p1");

            assertThat(target.latency().samples()).isEqualTo(100);
            assertThat(target.latency().median()).isBetween(Duration.ofMillis(500), Duration.ofMillis(532));
            assertThat(target.latency().ninetyFifth()).isBetween(Duration.ofMillis(950), Duration.ofMillis(1010));
            assertThat(target.latency().ninetyNinth()).isBetween(Duration.ofMillis(990), Duration.ofMillis(1052));
            assertThat(target.firstEvent().samples()).isZero();
        }
    }

    @Test
    void streamsAreReportedByTheirBeginning() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.stream("a", "b").withPauses(Duration.ofSeconds(1))));
        try (ResilientClient client = world.builder().build()) {
            Reader.of(world, client);

            assertThat(target(client.health(), "p1").firstEvent().samples()).isEqualTo(1);
            assertThat(target(client.health(), "p1").latency().samples()).isZero();
        }
    }

    @Test
    void anOpenBreakerMakesTheModelUnhealthyAndItsOnlyClientNotReady() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = world.builder()
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1))
                .build()) {
            world.call(client, ONCE).failure();
            HealthReport report = client.health();

            assertThat(target(report, "p1").breaker()).contains(BreakerState.OPEN);
            assertThat(report.status()).isEqualTo(HealthStatus.UNHEALTHY);
            assertThat(report.isReady()).isFalse();

            world.pass(Duration.ofMinutes(1));
            assertThat(client.health().isReady())
                    .as("its open time is over: a call would be let through")
                    .isTrue();
        }
    }

    @Test
    void anIsolatedEndpointIsNotReadyUntilTheOrderEnds() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();
            client.control().isolate("p1", Duration.ofMinutes(5));
            assertThat(client.health().isReady()).isFalse();
            assertThat(client.health().status()).isEqualTo(HealthStatus.UNHEALTHY);

            world.pass(Duration.ofMinutes(6));
            assertThat(client.health().isReady()).isTrue();
        }
    }

    @Test
    void badHealthAloneKeepsNoProcessFromTraffic() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = world.builder().build()) {
            world.call(client).failure();
            world.call(client).failure();
            world.call(client).failure();
            assertThat(client.health().status()).isEqualTo(HealthStatus.UNHEALTHY);
            assertThat(client.health().isReady()).isTrue();
        }
    }

    @Test
    void oneOfTwoEndpointsDownIsDegradedAndReady() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1))
                .build()) {
            world.call(client).answer();
            HealthReport report = client.health();

            assertThat(report.status()).isEqualTo(HealthStatus.DEGRADED);
            assertThat(report.isReady()).isTrue();
            assertThat(target(report, "p1").isAvailable()).isFalse();
            assertThat(target(report, "p2").isWell()).isTrue();
        }
    }

    @Test
    void aCooldownIsReportedUntilItEnds() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(30)));
        try (ResilientClient client = world.builder().build()) {
            world.call(client, ONCE).failure();

            assertThat(target(client.health(), "p1").coolsDownUntil())
                    .contains(world.time().now().plusSeconds(30));
            world.pass(Duration.ofSeconds(31));
            assertThat(target(client.health(), "p1").coolsDownUntil()).isEmpty();
        }
    }

    @Test
    void aTargetWithAnotherKeyDoesNotCoolDown() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.of(Reply.rateLimited(Duration.ofSeconds(30))),
                        endpoint -> endpoint.credential(new Credential("second", Secret.of(World.keyOf("other")))));
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();

            assertThat(target(client.health(), "p1").coolsDownUntil()).isEmpty();
        }
    }

    @Test
    void aRefusedKeyIsMisconfiguredUntilTheTargetServesAgain() {
        World world = World.of(Reply.error(401, "invalid_request_error", "invalid_api_key", "no"));
        try (ResilientClient client = world.builder().build()) {
            world.call(client, ONCE).failure();
            assertThat(target(client.health(), "p1").misconfigured()).isTrue();

            world.pass(Duration.ofMinutes(10));
            assertThat(target(client.health(), "p1").misconfigured())
                    .as("nothing has shown otherwise")
                    .isTrue();

            world.call(client).answer();
            assertThat(target(client.health(), "p1").misconfigured()).isFalse();
        }
    }

    @Test
    void theShareOfFallbacksIsThatOfTheLastMinutes() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.of(Reply.status(503))
                                .then(3, Reply.completion("ok"))
                                .thenAlways(Reply.completion("ok")))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL).withEndpoints("p1").withFallbacks("other"))
                .model(ModelSettings.of("other").withEndpoints("p2"))
                .build()) {
            for (int i = 0; i < 4; i++) {
                world.call(client, ONCE).answer();
            }
            assertThat(model(client.health(), World.MODEL).calls()).isEqualTo(4);
            assertThat(model(client.health(), World.MODEL).fallbackRate()).isEqualTo(0.25);
            assertThat(model(client.health(), "other").calls()).isZero();

            world.pass(Duration.ofMinutes(11));
            assertThat(model(client.health(), World.MODEL).calls()).isZero();
        }
    }

    @Test
    void attemptsInFlightAndWhatTheProviderSaidOfLimitsAreReported() {
        World world = World.of(Reply.completion("ok").withRateLimit(7, Duration.ofSeconds(9)), Reply.hang());
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();
            assertThat(target(client.health(), "p1")
                            .limits()
                            .orElseThrow()
                            .dimensions()
                            .values())
                    .anySatisfy(dimension -> assertThat(dimension.remaining()).hasValue(7));
            world.time().run(() -> {
                world.time()
                        .start(
                                "holdfast-test",
                                () -> world.callHere(
                                        client,
                                        World.request(),
                                        CallOptions.none().withDeadline(Duration.ofSeconds(5))));
                world.sleep(Duration.ofSeconds(1));
                assertThat(target(client.health(), "p1").inFlight()).isEqualTo(1);
            });
            assertThat(target(client.health(), "p1").inFlight()).isZero();
        }
    }

    @Test
    void aModelThatWasOnlyCalledIsReportedToo() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            world.call(client);

            assertThat(client.health().models()).extracting(ModelHealth::model).containsExactly(World.MODEL);
            assertThat(client.health().models().getFirst().targets())
                    .extracting(TargetHealth::target)
                    .containsExactly(new Target(World.MODEL, "p1"));
        }
    }

    @Test
    void theDocumentHoldsTheSameAndNoSecrets() throws Exception {
        World world = World.of(Reply.completion("ok").withRateLimit(7, Duration.ofSeconds(9)));
        try (ResilientClient client = world.builder().build()) {
            world.call(client);
            HealthReport report = client.health();
            JsonObject document =
                    JsonText.parse(report.document().toJson()).asObject().orElseThrow();

            assertThat(document.text("status")).contains("healthy");
            JsonObject model = document.list("models").getFirst().asObject().orElseThrow();
            JsonObject target = model.list("targets").getFirst().asObject().orElseThrow();
            assertThat(target.text("endpoint")).contains("p1");
            assertThat(target.object("latency").orElseThrow().longValue("samples"))
                    .hasValue(1);
            JsonObject endpoint =
                    document.list("endpoints").getFirst().asObject().orElseThrow();
            assertThat(endpoint.members().keySet()).contains("name", "status", "consecutive_failures");
            assertThat(document.get("ready")).contains(JsonValue.of(true));
            assertThat(report + report.document().toJson()).doesNotContain(World.keyOf("p1"), "three rivers");
            assertThat(report.toString().lines().toList()).hasSize(4).first().isEqualTo("health: healthy");
        }
    }

    @Test
    void reportsAreReadWhileCallsAreMade() {
        World world = new World().provider("p1", FaultScript.healthy()).provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            List<HealthReport> reports = new java.util.ArrayList<>();
            world.time().run(() -> {
                for (int i = 0; i < 50; i++) {
                    world.startCall(client, new java.util.ArrayList<>());
                    reports.add(client.health());
                }
            });
            assertThat(reports).hasSize(50).allMatch(HealthReport::isReady);
        }
    }
}
