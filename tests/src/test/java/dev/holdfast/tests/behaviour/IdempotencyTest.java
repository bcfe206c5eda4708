package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IdempotencyTest {
    private static final String HEADER = "Idempotency-Key";

    @Test
    void oneKeyForAllAttemptsOfACallOnATargetAndAnotherForTheNextCall() {
        World world = World.of(Reply.status(503), Reply.reset());
        try (ResilientClient client = world.builder().build()) {
            ModelRequest request = World.request();
            Ended first = world.call(client, request, CallOptions.none());
            Ended second = world.call(client, request, CallOptions.none());
            List<String> keys = keys(world);

            assertThat(keys).hasSize(4).doesNotContain("");
            assertThat(keys.subList(0, 3)).containsOnly(keys.getFirst());
            assertThat(keys.getLast()).isNotEqualTo(keys.getFirst());
            assertThat(first.answer().idempotencyKey()).contains(keys.getFirst());
            assertThat(second.answer().idempotencyKey()).contains(keys.getLast());
        }
    }

    @Test
    void eachTargetHasAKeyOfItsOwn() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.always(Reply.status(503)));
        try (ResilientClient client = world.builder().build()) {
            world.call(client);
            List<String> first = world.sentTo("p1").stream()
                    .map(sent -> sent.header(HEADER))
                    .distinct()
                    .toList();
            List<String> second = world.sentTo("p2").stream()
                    .map(sent -> sent.header(HEADER))
                    .distinct()
                    .toList();

            assertThat(first).hasSize(1);
            assertThat(second).hasSize(1).doesNotContainAnyElementsOf(first);
        }
    }

    @Test
    void theCallersKeyIsItselfOnTheFirstTargetAndMarkedOnLaterOnes() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(402)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client, CallOptions.none().withIdempotencyKey("order-17"));
            String later = world.sentTo("p2").getFirst().header(HEADER);

            assertThat(world.sentTo("p1").getFirst().header(HEADER)).isEqualTo("order-17");
            assertThat(later).startsWith("order-17").isNotEqualTo("order-17");
            assertThat(call.answer().idempotencyKey()).contains(later);
        }
    }

    @Test
    void theMarkOfATargetIsTheSameInEveryCall() {
        List<String> keys = Stream.of(1, 2)
                .map(call -> {
                    World world = new World()
                            .provider("p1", FaultScript.always(Reply.status(402)))
                            .provider("p2", FaultScript.healthy());
                    try (ResilientClient client = world.builder().build()) {
                        world.call(client, CallOptions.none().withIdempotencyKey("order-17"));
                        return world.sentTo("p2").getFirst().header(HEADER);
                    }
                })
                .distinct()
                .toList();

        assertThat(keys).hasSize(1);
    }

    @Test
    void theIdOfTheCallIsOnEveryAttempt() {
        World world = World.of(Reply.status(503));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(world.sent())
                    .extracting(sent -> sent.header("X-Request-ID"))
                    .containsOnly(call.answer().callId());
            assertThat(world.call(client).answer().callId())
                    .isNotEqualTo(call.answer().callId());
        }
    }

    @ParameterizedTest
    @MethodSource("withEffects")
    void aLostRequestThatHasEffectsIsNotRepeated(ModelRequest request) {
        World world = World.of(Reply.reset());
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client, request, CallOptions.none());

            assertThat(world.sent()).hasSize(1);
            assertThat(call.failure().kind()).isEqualTo(FailureKind.CONNECTION);
            assertThat(call.failure().mayHaveBeenBilled()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("withEffects")
    void aRequestThatHasEffectsIsRepeatedWhenTheProviderSaidWhatItDid(ModelRequest request) {
        World world = World.of(Reply.status(503));
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client, request, CallOptions.none()).answer().attempts())
                    .hasSize(2);
        }
    }

    @ParameterizedTest
    @MethodSource("withEffects")
    void aLostRequestThatHasEffectsIsRepeatedWhereTheKeyIsHonoured(ModelRequest request) {
        World world = new World()
                .provider("p1", FaultScript.of(Reply.reset()), endpoint -> endpoint.honoursIdempotencyKey(true));
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client, request, CallOptions.none()).answer().attempts())
                    .hasSize(2);
        }
    }

    @ParameterizedTest
    @MethodSource("withEffects")
    void aLostRequestThatHasEffectsGoesNowhereElse(ModelRequest request) {
        World world =
                new World().provider("p1", FaultScript.always(Reply.reset())).provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            world.call(client, request, CallOptions.none()).failure();

            assertThat(world.path()).containsExactly("p1");
        }
    }

    static Stream<ModelRequest> withEffects() {
        JsonObject hosted = JsonObject.of("type", JsonValue.of("web_search"));
        JsonObject mcp = JsonObject.of("type", JsonValue.of("mcp")).with("server_label", JsonValue.of("crm"));
        return Stream.of(
                chat().with("store", JsonValue.of(true)).build(),
                chat().with("background", JsonValue.of(true)).build(),
                chat().with("tools", JsonArray.of(hosted)).build(),
                chat().with("tools", JsonArray.of(mcp)).build());
    }

    @Test
    void toolsThatTheCallerRunsAreNoEffect() {
        JsonObject function = JsonObject.of("type", JsonValue.of("function"))
                .with("function", JsonObject.of("name", JsonValue.of("lookup")));
        World world = World.of(Reply.reset());
        try (ResilientClient client = world.builder().build()) {
            ModelRequest request = chat().with("tools", JsonArray.of(function)).build();

            assertThat(world.call(client, request, CallOptions.none()).answer().attempts())
                    .hasSize(2);
        }
    }

    @Test
    void aLostRequestIsRepeatedAndSaysThatItMayHaveBeenBilled() {
        World world = World.of(Reply.reset());
        try (ResilientClient client = world.builder().build()) {
            var attempts = world.call(client).answer().attempts();

            assertThat(attempts).hasSize(2);
            assertThat(attempts.getFirst().failure().orElseThrow().mayHaveBeenBilled())
                    .isTrue();
        }
    }

    @Test
    void oneMayRuleThatOnlyIdempotentRequestsAreRepeated() {
        World plain = World.of(Reply.reset());
        World honouring = new World()
                .provider("p1", FaultScript.of(Reply.reset()), endpoint -> endpoint.honoursIdempotencyKey(true));
        World timing = World.of(Reply.hang());
        var rule = World.retry().withOnlyIfIdempotent(true);
        try (ResilientClient one = plain.builder().retry(rule).build();
                ResilientClient other = honouring.builder().retry(rule).build();
                ResilientClient third = timing.builder().retry(rule).build()) {
            assertThat(plain.call(one).failure().mayHaveBeenBilled()).isTrue();
            assertThat(plain.sent()).hasSize(1);
            assertThat(honouring.call(other).answer().attempts()).hasSize(2);
            assertThat(timing.call(third, CallOptions.none().withDeadline(Duration.ofHours(1)))
                            .failure()
                            .kind())
                    .isEqualTo(FailureKind.TIMEOUT);
            assertThat(timing.sent()).hasSize(1);
        }
    }

    private static ModelRequest.Builder chat() {
        return ModelRequest.chat(World.MODEL).user("Name three rivers.");
    }

    private static List<String> keys(World world) {
        return world.sent().stream().map(sent -> sent.header(HEADER)).toList();
    }
}
