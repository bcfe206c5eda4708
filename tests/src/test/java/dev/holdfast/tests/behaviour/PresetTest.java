package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.CallResult;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.RouteOrder;
import dev.holdfast.Secret;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ClientPreset;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.routing.PriceBook;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The articles' clients, with the results they promise. */
class PresetTest {
    private static final Reply DOWN = Reply.status(503);

    /** One provider of all models, which answers by the model it is asked for. */
    private static World world(Function<String, Reply> byModel) {
        return new World()
                .provider(
                        "p1",
                        FaultScript.answering(
                                request -> byModel.apply(modelIn(request.body().toUtf8()))));
    }

    private static String modelIn(String body) {
        return body.replaceFirst("(?s).*?\"model\":\"([^\"]*)\".*", "$1");
    }

    private static ClientBuilder on(World world, ClientPreset preset) {
        return preset.builder()
                .endpoint(
                        Endpoint.builder("p1", URI.create("https://p1.test/v1")).build())
                .transport(world.wire())
                .timekeeper(world.time())
                .random(new Random(42))
                .discovery(false)
                .listener(event -> world.events().add(event));
    }

    private static List<String> modelsSent(World world) {
        return world.sent().stream().map(sent -> modelIn(sent.body())).toList();
    }

    private static ModelRequest request(String model) {
        return ModelRequest.chat(model).user("Name three rivers, please.").build();
    }

    @Test
    void theWorkflowAsksThoroughModelsFirstAndFastOnesWhereSpeedIsPreferred() {
        World world = world(model -> Reply.status(402));
        ClientPreset preset = ClientPreset.workflow();
        try (ResilientClient client = on(world, preset).build()) {
            world.call(client);
            assertThat(modelsSent(world)).startsWith("gpt-4.1");
            assertThat(preset.route(RouteOrder.QUALITY_FIRST))
                    .containsExactly("gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash");
            assertThat(preset.route(RouteOrder.FAST_FIRST))
                    .containsExactly("gemini-2.5-flash", "gpt-4.1", "claude-sonnet-4.5");
        }
        World thorough = world(model -> Reply.status(404));
        World fast = world(model -> Reply.status(404));
        try (ResilientClient one = on(thorough, preset).build();
                ResilientClient other = on(fast, preset).build()) {
            thorough.call(one);
            fast.call(other, CallOptions.none().withRoute(preset.route(RouteOrder.FAST_FIRST)));
            assertThat(modelsSent(thorough)).containsExactly("gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash");
            assertThat(modelsSent(fast)).containsExactly("gemini-2.5-flash", "gpt-4.1", "claude-sonnet-4.5");
        }
        World byOrder = world(model -> Reply.status(404));
        try (ResilientClient client = on(byOrder, preset).build()) {
            byOrder.call(client, CallOptions.none().withRouteOrder(RouteOrder.FAST_FIRST));
            assertThat(modelsSent(byOrder)).containsExactly("gemini-2.5-flash", "gpt-4.1", "claude-sonnet-4.5");
        }
    }

    @Test
    void theWorkflowSkipsOpenCircuits() {
        World world = world(model -> model.equals("gpt-4.1") ? DOWN : Reply.completion("ok"));
        try (ResilientClient client = on(world, ClientPreset.workflow()).build()) {
            for (int i = 0; i < 5; i++) {
                assertThat(world.call(client).answer().model()).contains("claude-sonnet-4.5");
            }
            int sent = world.sent().size();
            Ended call = world.call(client);
            assertThat(call.answer().model()).contains("claude-sonnet-4.5");
            assertThat(call.took()).isZero();
            assertThat(world.sent()).hasSize(sent + 1);
            assertThat(world.events(CallEvent.TargetRejected.class)
                            .getLast()
                            .rejection()
                            .kind())
                    .isEqualTo(FailureKind.CIRCUIT_OPEN);
        }
    }

    @Test
    void aBatchOfTheWorkflowMakesFiveAtOnceAndLeavesFailuresInTheirPlaces() {
        World world = new World().provider("p1", FaultScript.answering(request -> {
            boolean bad = request.body().toUtf8().contains("query 3");
            return (bad ? Reply.status(400) : Reply.completion("ok")).withDelay(Duration.ofSeconds(1));
        }));
        var requests = new LinkedHashMap<Integer, ModelRequest>();
        for (int i = 0; i < 12; i++) {
            requests.put(
                    i, ModelRequest.chat("gpt-4.1").user("query " + i + ".").build());
        }
        try (ResilientClient client = on(world, ClientPreset.workflow()).build()) {
            List<CallResult<Integer>> results = world.time().call(() -> client.callAll(requests));
            assertThat(results).extracting(CallResult::id).containsExactlyElementsOf(requests.keySet());
            assertThat(results.get(3).error()).isPresent();
            assertThat(results.stream().filter(result -> result.response().isPresent()))
                    .hasSize(11);
            assertThat(world.sent())
                    .extracting(World.Sent::openBefore)
                    .contains(4)
                    .allMatch(open -> open < 5);
        }
    }

    @Test
    void theChainOfDegradationTellsWhatServedHowOftenItMovedAndWhatItCost() {
        World world = world(model -> model.equals("gemini-2.5-flash")
                ? Reply.completion("Rhine, Elbe, Weser").withDelay(Duration.ofMillis(700))
                : Reply.status(404));
        try (ResilientClient client = on(world, ClientPreset.degradation())
                .prices(PriceBook.blended())
                .build()) {
            ModelResponse response =
                    world.call(client, request("anything"), CallOptions.none()).answer();
            assertThat(response.degraded()).isFalse();
            assertThat(response.text()).contains("Rhine, Elbe, Weser");
            assertThat(response.model()).contains("gemini-2.5-flash");
            assertThat(response.latency()).contains(Duration.ofMillis(700));
            assertThat(response.fallbackCount()).isEqualTo(2);
            BigDecimal tokens =
                    BigDecimal.valueOf(response.usage().orElseThrow().input()
                            + response.usage().orElseThrow().output());
            assertThat(response.cost().orElseThrow().usd())
                    .isEqualByComparingTo(tokens.multiply(new BigDecimal("0.0000025")));
            assertThat(modelsSent(world)).containsExactly("gpt-4.1", "claude-sonnet-4-5", "gemini-2.5-flash");
        }
    }

    @Test
    void theChainGoesOnAfterALongRateLimitWithoutASleep() {
        World world = world(
                model -> model.equals("gpt-4.1") ? Reply.rateLimited(Duration.ofSeconds(30)) : Reply.completion("ok"));
        try (ResilientClient client = on(world, ClientPreset.degradation()).build()) {
            Ended call = world.call(client, request("anything"), CallOptions.none());
            assertThat(call.answer().model()).contains("claude-sonnet-4-5");
            assertThat(call.took()).isZero();
        }
    }

    @Test
    void theChainTriesEachModelAsOftenAsItsOwnAttemptsAllow() {
        World world = world(model -> DOWN);
        try (ResilientClient client =
                on(world, ClientPreset.degradation()).withoutBreaker().build()) {
            world.call(client, request("anything"), CallOptions.none());
            Map<String, Integer> counts = new LinkedHashMap<>();
            modelsSent(world).forEach(model -> counts.merge(model, 1, Integer::sum));
            assertThat(counts)
                    .containsExactly(
                            Map.entry("gpt-4.1", 3),
                            Map.entry("claude-sonnet-4-5", 3),
                            Map.entry("gemini-2.5-flash", 4),
                            Map.entry("deepseek-v3", 4));
        }
    }

    @Test
    void whenTheWholeChainFailsAnApologyAnswersAndDoesNotRepeatThePrompt() {
        World world = world(model -> Reply.status(404));
        try (ResilientClient client = on(world, ClientPreset.degradation()).build()) {
            ModelResponse response =
                    world.call(client, request("anything"), CallOptions.none()).answer();
            assertThat(response.degraded()).isTrue();
            assertThat(response.answer().model()).contains(ClientPreset.INTERNAL_FALLBACK);
            assertThat(response.text().orElseThrow())
                    .contains("try again later")
                    .doesNotContain("rivers");
            assertThat(response.attempts()).hasSize(4);
            assertThat(response.servedBy()).isEmpty();
        }
    }

    @Test
    void theChainsBreakersOpenAfterFiveFailuresForAMinuteAndCloseAfterThreeSuccesses() {
        var down = new boolean[] {true};
        World world = world(model -> down[0] && model.equals("gpt-4.1") ? Reply.status(500) : Reply.completion("ok"));
        try (ResilientClient client = on(world, ClientPreset.degradation()).build()) {
            for (int i = 0; i < 5; i++) {
                world.call(client, request("anything"), CallOptions.none());
            }
            assertThat(statusOf(client, "gpt-4.1")).isEqualTo("OPEN");
            down[0] = false;
            world.pass(Duration.ofSeconds(55));
            assertThat(world.call(client, request("x"), CallOptions.none())
                            .answer()
                            .model())
                    .contains("claude-sonnet-4-5");
            world.pass(Duration.ofSeconds(5));
            for (int i = 0; i < 3; i++) {
                assertThat(statusOf(client, "gpt-4.1")).isNotEqualTo("CLOSED");
                assertThat(world.call(client, request("x"), CallOptions.none())
                                .answer()
                                .model())
                        .contains("gpt-4.1");
            }
            assertThat(statusOf(client, "gpt-4.1")).isEqualTo("CLOSED");
        }
    }

    private static String statusOf(ResilientClient client, String model) {
        return client.control().breakers().stream()
                .filter(status -> status.name().startsWith(model + "@"))
                .map(status -> status.state().name())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void failoverGivesEachModelItsTimeoutAndLeadsFromASlowGptToGemini() {
        World world = world(model -> model.equals("gemini-2.5-flash") ? Reply.completion("ok") : Reply.hang());
        try (ResilientClient client = on(world, ClientPreset.failover()).build()) {
            Ended slow = world.call(client, request("gpt-4.1"), CallOptions.none());
            assertThat(slow.answer().model()).contains("gemini-2.5-flash");
            assertThat(slow.took()).isEqualTo(Duration.ofSeconds(60));
        }
        Map<String, Integer> seconds = Map.of(
                "gpt-4.1", 60, "claude-sonnet-4.5", 60, "gemini-2.5-flash", 15, "deepseek-v3.2", 30, "other", 30);
        for (Map.Entry<String, Integer> each : seconds.entrySet()) {
            World silent = world(model -> Reply.hang());
            try (ResilientClient client = on(silent, ClientPreset.failover()).build()) {
                CallOptions once = CallOptions.none().withRetry(false).withFallback(false);
                assertThat(silent.call(client, request(each.getKey()), once).took())
                        .as(each.getKey())
                        .isEqualTo(Duration.ofSeconds(each.getValue()));
            }
        }
    }

    @Test
    void failoverGoesToTheFastestHealthyRegionAndLeavesOneThatRefusesConnectionsAtOnce() {
        World world = new World();
        var dark = new boolean[] {false};
        Map<String, Integer> delays = Map.of("api", 300, "ap", 900, "eu", 100, "us", 500);
        delays.forEach((host, delay) -> world.provider(
                host,
                FaultScript.answering(request -> dark[0] && host.equals("eu")
                        ? Reply.refused()
                        : Reply.completion("ok").withDelay(Duration.ofMillis(delay)))));
        ClientBuilder builder = ClientPreset.failover().builder();
        for (Endpoint region : ClientPreset.holysheep(Secret.of("sk-hs-0123456789abcdef0123456789"))) {
            String host = region.baseUrl().getHost().replace(".holysheep.ai", "");
            assertThat(region.baseUrl().getPath()).isEqualTo("/v1");
            builder.endpoint(Endpoint.builder(region.name(), URI.create("https://" + host + ".test/v1"))
                    .credential(region.credentials().getFirst())
                    .build());
        }
        try (ResilientClient client = builder.transport(world.wire())
                .timekeeper(world.time())
                .random(new Random(1))
                .discovery(false)
                .build()) {
            for (int i = 0; i < 8; i++) {
                world.call(client, request("gpt-4.1"), CallOptions.none());
            }
            assertThat(world.path().subList(4, 8)).as("each was measured once").containsOnly("eu");
            dark[0] = true;
            Ended moved = world.call(client, request("gpt-4.1"), CallOptions.none());
            assertThat(moved.answer().endpoint()).contains("holysheep");
            assertThat(moved.took()).isLessThan(Duration.ofSeconds(1));
            int sent = world.sentTo("eu").size();
            for (int i = 0; i < 10; i++) {
                assertThat(world.call(client, request("gpt-4.1"), CallOptions.none())
                                .answer()
                                .endpoint())
                        .contains("holysheep");
            }
            assertThat(world.sentTo("eu")).hasSize(sent);
        }
    }

    @Test
    void failoverEndsWithAClearTextWhereTheSharedKeyIsRefused() {
        World world = new World()
                .provider("api", FaultScript.always(Reply.error(401, "auth", "invalid_api_key", "Wrong key.")))
                .provider("eu", FaultScript.healthy());
        List<String> hosts = List.of("api", "eu");
        Endpoint shared = ClientPreset.holysheep(Secret.of("sk-hs-0123456789abcdef0123456789"))
                .getFirst();
        ClientBuilder builder = ClientPreset.failover().builder();
        hosts.forEach(host -> builder.endpoint(Endpoint.builder(host, URI.create("https://" + host + ".test/v1"))
                .credential(shared.credentials().getFirst())
                .build()));
        try (ResilientClient client = builder.transport(world.wire())
                .timekeeper(world.time())
                .discovery(false)
                .build()) {
            CallOptions once = CallOptions.none().withFallback(false);
            assertThat(world.call(client, request("gpt-4.1"), once).failure())
                    .hasMessageContaining("auth 401")
                    .hasMessageContaining("Wrong key.")
                    .satisfies(error -> assertThat(error.getMessage()).doesNotContain("sk-hs-"));
            assertThat(world.path()).containsExactly("api");
        }
    }

    @Test
    void presetsNameTheirModelsOnlyOnce() {
        for (ClientPreset preset :
                List.of(ClientPreset.workflow(), ClientPreset.degradation(), ClientPreset.failover())) {
            assertThat(preset.models()).extracting(ModelSettings::name).doesNotHaveDuplicates();
            assertThat(preset.route(RouteOrder.FAST_FIRST))
                    .containsExactlyInAnyOrderElementsOf(preset.route(RouteOrder.QUALITY_FIRST));
        }
    }
}
