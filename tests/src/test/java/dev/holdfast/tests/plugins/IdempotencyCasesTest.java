package dev.holdfast.tests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.WhenInFlight;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.tests.behaviour.World.Ended;
import dev.holdfast.tests.plugins.ReportedFailures.Case;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reported failures of idempotency layers, played by a whole client with a guard on virtual time. */
class IdempotencyCasesTest {
    @ParameterizedTest
    @EnumSource(WhenInFlight.class)
    void aKeyIsExecutedOnceAndNeverForAnotherBody(WhenInFlight whenInFlight) {
        List<Case> cases = ReportedFailures.of("idempotency", "idempotency");
        assertThat(cases).hasSize(2);
        for (Case reported : cases) {
            var handler = new Handler(reported.given(), whenInFlight);
            List<Ended> ends = handler.play(reported.given().list("steps"));
            List<Long> statuses =
                    ends.stream().map(IdempotencyCasesTest::status).toList();

            JsonObject expected = reported.expected();
            assertThat((long) handler.world.sent().size())
                    .as("%s", reported)
                    .isEqualTo(expected.longValue("executions").orElseThrow());
            if (expected.get("statuses").isPresent()) {
                assertThat(statuses).isEqualTo(numbers(expected.list("statuses")));
            } else {
                assertThat(numbers(expected.list("statuses_allowed"))).containsAll(statuses);
                assertThat(statuses)
                        .filteredOn(status -> status == 200)
                        .hasSize(whenInFlight == WhenInFlight.WAIT ? 20 : 1);
            }
            if (expected.get("replay_marked").filter(JsonValue::isTrue).isPresent()) {
                assertThat(ends.get(0).answer().fromCache()).isFalse();
                assertThat(ends.get(1).answer().fromCache()).isTrue();
                assertThat(ends.get(1).answer().answer())
                        .isEqualTo(ends.get(0).answer().answer());
            }
        }
    }

    /** What a server of ours answers to the end of a call. */
    private static long status(Ended end) {
        return end.error()
                .map(error -> switch (error.kind()) {
                    case IDEMPOTENCY_CONFLICT -> 422L;
                    case IDEMPOTENCY_IN_FLIGHT -> 409L;
                    default -> 500L;
                })
                .orElse(200L);
    }

    private static List<Long> numbers(List<JsonValue> values) {
        return values.stream().map(value -> value.asLong().orElseThrow()).toList();
    }

    private static final class Handler {
        private final World world;
        private final ResilientClient client;

        Handler(JsonObject given, WhenInFlight whenInFlight) {
            Duration work =
                    Duration.ofMillis(given.longValue("handler_delay_ms").orElse(0));
            world = new World()
                    .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(work)));
            client = world.builder()
                    .interceptor(IdempotencyGuard.of(
                            new CaffeineIdempotencyStore(100, world.time()),
                            IdempotencyPolicy.defaults().withWhenInFlight(whenInFlight),
                            world.time()))
                    .build();
        }

        /** Steps come one after the other, the repetitions of one step all at once. */
        List<Ended> play(List<JsonValue> steps) {
            var ends = new ArrayList<Ended>();
            for (JsonValue entry : steps) {
                JsonObject step = entry.asObject().orElseThrow();
                ModelRequest request = ModelRequest.chat(World.MODEL)
                        .user(step.text("body").orElseThrow())
                        .build();
                CallOptions options =
                        CallOptions.none().withIdempotencyKey(step.text("key").orElseThrow());
                world.time().run(() -> {
                    for (long i = step.longValue("times").orElse(1); i > 0; i--) {
                        world.time()
                                .start("holdfast-test-call", () -> ends.add(world.callHere(client, request, options)));
                    }
                });
            }
            return ends;
        }
    }
}
