package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CancelTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void anInterruptInAnAttemptEndsTheCallAndItsExchange() {
        World world = World.of(Reply.hang());
        assertInterruptEnds(world, world.builder().build(), SECOND, 1);
    }

    @Test
    void anInterruptInTheBodyEndsTheCallAndItsExchange() {
        World world = World.of(Reply.completion("half").hangAfter(20));
        assertInterruptEnds(world, world.builder().build(), SECOND, 1);
    }

    @Test
    void anInterruptInTheBackoffEndsTheCall() {
        World world = World.always(Reply.status(503));
        assertInterruptEnds(world, world.builder().build(), Duration.ofMillis(1_500), 2);
    }

    @Test
    void anInterruptInASuggestedDelayEndsTheCall() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(30)));
        assertInterruptEnds(world, world.builder().build(), SECOND, 1);
    }

    @Test
    void anInterruptInACooldownEndsTheCall() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(30)));
        ResilientClient client = world.builder().build();
        world.call(client, CallOptions.none().withRetry(false)).failure();

        assertInterruptEnds(world, client, SECOND, 1);
    }

    @Test
    void anInterruptInTheQueueOfALimitEndsTheCallAndFreesItsPlace() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofSeconds(10))));
        LimitPolicy one = LimitPolicy.defaults().withConcurrency(1);
        try (ResilientClient client = world.builder().limits(World.MODEL, one).build()) {
            List<Ended> calls = new ArrayList<>();
            world.time().run(() -> {
                world.startCall(client, calls);
                Timekeeper.Task second = world.startCall(client, calls);
                world.startCall(client, calls);
                world.sleep(SECOND);
                second.interrupt();
            });

            assertThat(calls).hasSize(3);
            assertCancelled(calls.getFirst(), SECOND);
            assertThat(calls.get(1).answer().attempts()).hasSize(1);
            assertThat(calls.get(2).at()).isEqualTo(Duration.ofSeconds(20));
            assertThat(world.sent()).hasSize(2);
        }
    }

    @Test
    void anInterruptBeforeTheCallSendsNothing() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.time().call(() -> {
                Thread.currentThread().interrupt();
                Ended ended = world.callHere(client);
                Thread.interrupted();
                return ended;
            });

            assertCancelled(call, Duration.ZERO);
            assertThat(world.sent()).isEmpty();
        }
    }

    private static void assertInterruptEnds(World world, ResilientClient client, Duration after, int attempts) {
        try (client) {
            List<Ended> calls = new ArrayList<>();
            Duration start = world.time().elapsed();
            world.time().run(() -> {
                Timekeeper.Task caller = world.startCall(client, calls);
                world.sleep(after);
                caller.interrupt();
            });

            assertCancelled(calls.getFirst(), start.plus(after));
            assertThat(world.sent()).hasSize(attempts);
            assertThat(world.open()).isZero();
        }
    }

    private static void assertCancelled(Ended call, Duration at) {
        assertThat(call.failure()).isInstanceOf(CallCancelledException.class);
        assertThat(call.failure().kind()).isEqualTo(FailureKind.CANCELLED);
        assertThat(call.interrupted()).as("the flag is set again").isTrue();
        assertThat(call.at()).isEqualTo(at);
    }

    @Test
    void aFutureEndsWithTheResponse() {
        World world = World.of(Reply.status(503));
        try (ResilientClient client = world.builder().build()) {
            CompletableFuture<ModelResponse> future = world.time().call(() -> client.callAsync(World.request()));

            assertThat(future).isCompleted();
            assertThat(future.join().attempts()).hasSize(2);
        }
    }

    @Test
    void aFutureEndsWithTheErrorOfTheCall() {
        World world = World.of(Reply.status(400));
        try (ResilientClient client = world.builder().build()) {
            CompletableFuture<ModelResponse> future = world.time().call(() -> client.callAsync(World.request()));

            assertThatThrownBy(future::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            CallException.class,
                            error -> assertThat(error.kind()).isEqualTo(FailureKind.INVALID_REQUEST));
        }
    }

    @ParameterizedTest
    @MethodSource("endings")
    void aFutureThatIsEndedFromOutsideEndsTheExchange(Consumer<CompletableFuture<ModelResponse>> ending) {
        World world = World.always(Reply.hang());
        assertEndingEnds(world, ending, SECOND, 1);
    }

    @ParameterizedTest
    @MethodSource("endings")
    void aFutureThatIsEndedFromOutsideEndsTheBackoff(Consumer<CompletableFuture<ModelResponse>> ending) {
        World world = World.always(Reply.status(503));
        assertEndingEnds(world, ending, Duration.ofMillis(1_500), 2);
    }

    @ParameterizedTest
    @MethodSource("endings")
    void aFutureThatIsEndedAtOnceSendsNothing(Consumer<CompletableFuture<ModelResponse>> ending) {
        World world = World.always(Reply.hang());
        assertEndingEnds(world, ending, Duration.ZERO, 0);
    }

    static Stream<Consumer<CompletableFuture<ModelResponse>>> endings() {
        return Stream.of(
                future -> future.cancel(true),
                future -> future.cancel(false),
                future -> future.completeExceptionally(new IllegalStateException("enough")),
                future -> future.obtrudeException(new CancellationException()));
    }

    private static void assertEndingEnds(
            World world, Consumer<CompletableFuture<ModelResponse>> ending, Duration after, int attempts) {
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                CompletableFuture<ModelResponse> future = client.callAsync(World.request());
                world.sleep(after);
                ending.accept(future);
            });

            assertThat(world.time().elapsed()).as("nothing went on").isEqualTo(after);
            assertThat(world.sent()).hasSize(attempts);
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void aDependentStageThatIsCancelledLeavesTheCallAlone() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            CompletableFuture<ModelResponse> future = world.time().call(() -> {
                CompletableFuture<ModelResponse> call = client.callAsync(World.request());
                call.thenApply(ModelResponse::text).cancel(true);
                return call;
            });

            assertThat(future).isCompleted();
        }
    }

    @Test
    void closingLetsCallsInFlightEndWithinTheGrace() {
        World world = World.of(Reply.completion("ok").withDelay(Duration.ofSeconds(3)));
        ResilientClient client =
                world.builder().closeGrace(Duration.ofSeconds(5)).build();
        List<Ended> calls = new ArrayList<>();
        world.time().run(() -> {
            world.startCall(client, calls);
            world.sleep(SECOND);
            client.close();
            calls.add(new Ended(
                    java.util.Optional.empty(),
                    java.util.Optional.empty(),
                    Duration.ZERO,
                    world.time().elapsed(),
                    false));
        });

        assertThat(calls.getFirst().answer().text()).contains("ok");
        assertThat(calls.getLast().at()).as("close returned").isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void closingEndsWhatOutlivesTheGrace() {
        World world = World.always(Reply.hang());
        ResilientClient client =
                world.builder().closeGrace(Duration.ofSeconds(5)).build();
        List<Ended> calls = new ArrayList<>();
        List<CompletableFuture<ModelResponse>> futures = new ArrayList<>();
        world.time().run(() -> {
            world.startCall(client, calls);
            futures.add(client.callAsync(World.request()));
            world.sleep(SECOND);
            client.close();
        });

        assertThat(calls.getFirst().error()).isPresent();
        assertThat(calls.getFirst().at()).isEqualTo(Duration.ofSeconds(6));
        assertThat(futures.getFirst()).isCompletedExceptionally();
        assertThat(world.sent()).as("no attempt after the end").hasSize(2);
        assertThat(world.open()).isZero();
    }

    @Test
    void aCallThatBacksOffIsNotTriedAgainOnceTheClientIsClosed() {
        World world = World.always(Reply.status(503));
        ResilientClient client = world.builder()
                .closeGrace(Duration.ofMillis(100))
                .retry(World.retry().withBackoff(dev.holdfast.core.Backoff.fixed(Duration.ofSeconds(30))))
                .build();
        List<Ended> calls = new ArrayList<>();
        world.time().run(() -> {
            world.startCall(client, calls);
            world.sleep(SECOND);
            client.close();
        });

        assertThat(calls.getFirst().error()).isPresent();
        assertThat(calls.getFirst().at()).isEqualTo(Duration.ofMillis(1_100));
        assertThat(world.sent()).hasSize(1);
    }

    @Test
    void aClosedClientTakesNoCalls() {
        World world = World.of();
        ResilientClient client = world.builder().build();
        world.time().run(client::close);

        assertThatThrownBy(() -> world.call(client)).isInstanceOf(IllegalStateException.class);
        assertThat(world.sent()).isEmpty();
        world.time().run(client::close);
    }
}
