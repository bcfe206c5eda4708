package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallResult;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchTest {
    @Test
    void resultsStandInTheOrderOfTheirRequestsAndFailuresInTheirPlaces() {
        World world = new World().provider("p1", FaultScript.answering(BatchTest::slowerFirstAndEveryThirdWrong));
        try (ResilientClient client = world.builder().build()) {
            List<CallResult<Integer>> results = world.time().call(() -> client.callAll(requests(20)));

            assertThat(results)
                    .extracting(CallResult::id)
                    .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
            for (CallResult<Integer> result : results) {
                if (result.id() % 3 == 0) {
                    assertThat(result.error().orElseThrow().kind()).isEqualTo(FailureKind.INVALID_REQUEST);
                } else {
                    assertThat(result.response().orElseThrow().text()).contains("answer " + result.id());
                }
            }
            assertThat(world.sent()).hasSize(20);
        }
    }

    @Test
    void fiveRunAtOnceUnlessToldOtherwise() {
        World world = slow();
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> client.callAll(requests(20)));

            assertThat(mostAtOnce(world)).isEqualTo(5);
            assertThat(world.time().elapsed()).isEqualTo(Duration.ofSeconds(4));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void neverMoreThanAskedRunAtOnce(int concurrency) {
        World world = slow();
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> client.callAll(requests(10), concurrency));

            assertThat(mostAtOnce(world)).isEqualTo(Math.min(10, concurrency));
        }
    }

    @Test
    void nothingToDoIsDoneAtOnce() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            List<CallResult<Integer>> results = world.time().call(() -> client.callAll(requests(0)));

            assertThat(results).isEmpty();
        }
    }

    @Test
    void aConcurrencyBelowOneIsRefused() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            assertThatThrownBy(() -> client.callAll(requests(1), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("concurrency")
                    .hasMessageContaining("0");
        }
    }

    @Test
    void anInterruptEndsTheCallsInFlightAndTheOnesToCome() {
        World world = World.always(Reply.hang());
        List<CallResult<Integer>> results = new ArrayList<>();
        List<Boolean> flags = new ArrayList<>();
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                Timekeeper.Task batch = world.time().start("holdfast-test-batch", () -> {
                    try {
                        results.addAll(client.callAll(requests(10)));
                    } finally {
                        flags.add(Thread.currentThread().isInterrupted());
                    }
                });
                world.sleep(Duration.ofSeconds(1));
                batch.interrupt();
            });

            assertThat(world.time().elapsed()).isEqualTo(Duration.ofSeconds(1));
            assertThat(world.sent()).hasSize(5);
            assertThat(world.open()).isZero();
            assertThat(flags).containsExactly(true);
            assertThat(results)
                    .hasSize(10)
                    .allSatisfy(result ->
                            assertThat(result.error().orElseThrow().kind()).isEqualTo(FailureKind.CANCELLED));
        }
    }

    private static World slow() {
        return new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofSeconds(1))));
    }

    private static int mostAtOnce(World world) {
        return world.sent().stream().mapToInt(Sent::openBefore).max().orElse(0) + 1;
    }

    private static Reply slowerFirstAndEveryThirdWrong(ProviderRequest request) {
        int id = Integer.parseInt(request.body().toUtf8().replaceAll(".*question (\\d+).*", "$1"));
        Reply reply = id % 3 == 0 ? Reply.status(400) : Reply.completion("answer " + id);
        return reply.withDelay(Duration.ofSeconds(60 - id));
    }

    private static Map<Integer, ModelRequest> requests(int count) {
        var requests = new LinkedHashMap<Integer, ModelRequest>();
        for (int i = 0; i < count; i++) {
            requests.put(i, ModelRequest.chat(World.MODEL).user("question " + i).build());
        }
        return requests;
    }
}
