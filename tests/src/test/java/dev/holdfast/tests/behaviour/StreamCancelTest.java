package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.BreakerState;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelStream;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StreamCancelTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A provider that writes for ever, and a client with one place and a breaker that opens at once. */
    private static World endless() {
        return new World().provider("p1", FaultScript.always(Reply.events(Sse.repeat(100_000, SECOND, Sse.text("x")))));
    }

    private static ClientBuilder strict(World world) {
        return world.builder()
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1).withOpenTime(Duration.ofHours(1)))
                .limits(World.MODEL, LimitPolicy.defaults().withConcurrency(1))
                .maxInFlight(1);
    }

    /** Permit, limit and place are free: the next stream begins at once. */
    private static void assertEverythingIsBack(World world, ResilientClient client) {
        assertThat(world.open()).isZero();
        assertThat(world.events(CallEvent.BreakerChanged.class)).isEmpty();
        int finished = world.events(CallEvent.CallFinished.class).size();
        assertThat(world.events(CallEvent.CallStarted.class)).hasSize(finished);
        world.time().run(() -> client.stream(World.request()).close());
        assertThat(world.open()).isZero();
        assertThat(world.events(CallEvent.CallFinished.class)).hasSize(finished + 1);
    }

    private static void assertCancelled(World world, CallException error, String words) {
        assertThat(error).isInstanceOf(CallCancelledException.class).hasMessageContaining(words);
        assertThat(error.partialAnswer().orElseThrow().text().orElse("")).matches("x+");
        var finished = world.events(CallEvent.CallFinished.class).getLast();
        assertThat(finished.failure().orElseThrow().kind()).isEqualTo(FailureKind.CANCELLED);
    }

    @Test
    void aReaderThatWaitsEndsWhenItsStreamIsClosedElsewhere() {
        World world = World.of(Sse.silentAfter("x"));
        try (ResilientClient client = strict(world).build()) {
            var error = new AtomicReference<CallException>();
            world.time().run(() -> {
                ModelStream stream = client.stream(World.request());
                Timekeeper.Task reader = world.time().start("holdfast-test-reader", () -> {
                    try {
                        stream.toResponse();
                    } catch (CallException e) {
                        error.set(e);
                    }
                });
                world.sleep(SECOND);
                stream.close();
                World.join(reader);
                stream.close();
            });

            assertThat(world.time().elapsed()).isEqualTo(SECOND);
            assertCancelled(world, error.get(), "the stream was closed");
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void anInterruptEndsAStreamThatIsRead() {
        World world = endless();
        try (ResilientClient client = strict(world).build()) {
            var seen = new ArrayList<Reader>();
            world.time().run(() -> {
                Timekeeper.Task reader = world.time()
                        .start(
                                "holdfast-test-reader",
                                () -> seen.add(Reader.read(world, client, World.request(), CallOptions.none())));
                world.sleep(Duration.ofMillis(3_500));
                reader.interrupt();
            });

            assertThat(seen.getFirst().at()).isEqualTo(Duration.ofMillis(3_500));
            assertThat(seen.getFirst().text()).isEqualTo("xxx");
            assertThat(seen.getFirst().interrupted()).isTrue();
            assertCancelled(world, seen.getFirst().failure(), "interrupted");
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void anInterruptEndsAStreamThatHasNotBegun() {
        World world = World.of(Reply.events(Sse.repeat(100, SECOND, Sse.PING)));
        try (ResilientClient client = strict(world).build()) {
            var seen = new ArrayList<Reader>();
            world.time().run(() -> {
                Timekeeper.Task reader = world.time()
                        .start(
                                "holdfast-test-reader",
                                () -> seen.add(Reader.read(world, client, World.request(), CallOptions.none())));
                world.sleep(Duration.ofMillis(3_500));
                reader.interrupt();
            });

            assertThat(seen.getFirst().failure()).isInstanceOf(CallCancelledException.class);
            assertThat(seen.getFirst().at()).isEqualTo(Duration.ofMillis(3_500));
            assertThat(seen.getFirst().interrupted()).isTrue();
            assertThat(world.sent()).hasSize(1);
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void closingBeforeReadingAbortsTheExchange() {
        World world = endless();
        try (ResilientClient client = strict(world).build()) {
            world.time().run(() -> {
                ModelStream stream = client.stream(World.request());
                assertThat(world.open()).isEqualTo(1);
                stream.close();
                assertThat(world.open()).isZero();
                assertThatThrownBy(stream::toResponse).isInstanceOf(CallCancelledException.class);
                assertThatThrownBy(() -> stream.iterator().hasNext()).isInstanceOf(CallCancelledException.class);
            });
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void goingOnAfterClosingWithinAnIterationIsNoGoodEnd() {
        World world = endless();
        try (ResilientClient client = strict(world).build()) {
            world.time().run(() -> {
                ModelStream stream = client.stream(World.request());
                assertThatThrownBy(() -> stream.forEach(event -> stream.close()))
                        .isInstanceOf(CallCancelledException.class);
            });
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void whatTheConsumerThrowsIsItsOwnAndTheStreamIsClosedByItsBlock() {
        World world = endless();
        try (ResilientClient client = strict(world).build()) {
            assertThatThrownBy(() -> world.time().run(() -> {
                        try (ModelStream stream = client.stream(World.request())) {
                            stream.forEach(event -> {
                                throw new UnsupportedOperationException("mine");
                            });
                        }
                    }))
                    .hasStackTraceContaining("mine");
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void closingAWholeStreamChangesNothing() {
        World world = new World().provider("p1", FaultScript.healthy());
        try (ResilientClient client = strict(world).build()) {
            world.time().run(() -> {
                ModelStream stream = client.stream(World.request());
                String text = stream.toResponse().text().orElseThrow();
                stream.close();
                assertThat(stream.toResponse().text()).contains(text);
            });
            assertThat(world.events(CallEvent.CallFinished.class).getFirst().failure())
                    .isEmpty();
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void aClientThatClosesWaitsForStreamsForItsGraceAndEndsThemThen() {
        World world = endless();
        ResilientClient client =
                strict(world).closeGrace(Duration.ofSeconds(10)).build();
        var error = new AtomicReference<CallException>();
        world.time().run(() -> {
            Timekeeper.Task reader = world.time().start("holdfast-test-reader", () -> {
                try {
                    client.stream(World.request()).toResponse();
                } catch (CallException e) {
                    error.set(e);
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                }
            });
            world.sleep(Duration.ofMillis(1_500));
            client.close();
            assertThat(world.time().elapsed()).isEqualTo(Duration.ofMillis(11_500));
            World.join(reader);
        });

        assertCancelled(world, error.get(), "the client was closed");
        assertThat(world.open()).isZero();
    }

    @Test
    void aClientThatClosesLetsAStreamComeToItsEndWithinTheGrace() {
        World world = World.of(Sse.every(SECOND, Sse.text("a"), Sse.text("b"), Sse.STOP, Sse.DONE));
        ResilientClient client =
                world.builder().closeGrace(Duration.ofSeconds(10)).build();
        var seen = new ArrayList<Reader>();
        world.time().run(() -> {
            Timekeeper.Task reader = world.time()
                    .start(
                            "holdfast-test-reader",
                            () -> seen.add(Reader.read(world, client, World.request(), CallOptions.none())));
            world.sleep(Duration.ofMillis(1_500));
            client.close();
            World.join(reader);
        });

        assertThat(seen.getFirst().answer().text()).contains("ab");
        assertThat(world.time().elapsed()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void aStreamThatHasNotBegunIsEndedWithTheClientToo() {
        World world = World.of(Reply.events(Sse.repeat(100, SECOND, Sse.PING)));
        ResilientClient client = world.builder().closeGrace(SECOND).build();
        var seen = new ArrayList<Reader>();
        world.time().run(() -> {
            Timekeeper.Task reader = world.time()
                    .start(
                            "holdfast-test-reader",
                            () -> seen.add(Reader.read(world, client, World.request(), CallOptions.none())));
            world.sleep(SECOND);
            client.close();
            World.join(reader);
        });

        assertThat(seen.getFirst().failure()).isInstanceOf(CallCancelledException.class);
        assertThat(seen.getFirst().interrupted()).isFalse();
        assertThat(world.time().elapsed()).isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void aClosedClientStreamsNoMore() {
        World world = endless();
        ResilientClient client = world.builder().build();
        client.close();

        assertThatThrownBy(() -> client.stream(World.request()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(world.events()).isEmpty();
    }

    @Test
    void aStreamIsOneOfTheCallsInFlight() {
        World world = endless();
        try (ResilientClient client = world.builder().maxInFlight(1).build()) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request())) {
                    assertThat(world.callHere(client).failure().kind()).isEqualTo(FailureKind.CLIENT_OVERLOADED);
                    assertThat(stream.iterator().hasNext()).isTrue();
                }
            });
        }
    }

    @Test
    void anInterceptorThatThrowsAwayABegunStreamEndsIt() {
        World world = endless();
        var fails = new AtomicReference<RuntimeException>();
        Interceptor failing = new Interceptor() {
            @Override
            public ModelStream aroundStream(Call call, StreamChain chain) {
                ModelStream stream = chain.proceed(call);
                if (fails.get() != null) {
                    throw fails.get();
                }
                return stream;
            }
        };
        try (ResilientClient client = strict(world).interceptor(failing).build()) {
            fails.set(new UnsupportedOperationException("mine"));
            assertThatThrownBy(() -> world.time().run(() -> client.stream(World.request())))
                    .hasStackTraceContaining("mine");
            fails.set(null);
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void anInterceptorMayAnswerByItselfOrGoOnOnce() {
        World world = endless();
        var answer = new AtomicReference<ModelStream>();
        Interceptor own = new Interceptor() {
            @Override
            public ModelStream aroundStream(Call call, StreamChain chain) {
                ModelStream known = answer.get();
                if (known != null) {
                    return known;
                }
                ModelStream first = chain.proceed(call);
                assertThatThrownBy(() -> chain.proceed(call))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("at most once");
                answer.set(first);
                return first;
            }
        };
        try (ResilientClient client = strict(world).interceptor(own).build()) {
            world.time().run(() -> {
                ModelStream first = client.stream(World.request());
                first.close();
                assertThat(client.stream(World.request())).isSameAs(first);
            });
            assertThat(world.events(CallEvent.CallFinished.class)).hasSize(2);
            assertThat(world.sent()).hasSize(1);
            answer.set(null);
            world.time().run(() -> client.stream(World.request()).close());
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void closedStreamsLeaveTheBreakerAsItWas() {
        World world = World.of(Reply.status(500));
        world.provider("p1", FaultScript.of(Reply.status(500)).thenAlways(Sse.silentAfter("x")));
        try (ResilientClient client = world.builder()
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1).withOpenTime(SECOND))
                .build()) {
            world.call(client, CallOptions.none().withRetry(false)).failure();
            world.pass(SECOND);
            world.time().run(() -> {
                for (int i = 0; i < 5; i++) {
                    client.stream(World.request()).close();
                }
            });

            assertThat(world.events(CallEvent.BreakerChanged.class))
                    .extracting(CallEvent.BreakerChanged::to)
                    .containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN);
        }
    }

    @Test
    void everyListenerHearsTheEndOnceWhoeverCausesIt() {
        World world = endless();
        List<CallEvent> heard = new ArrayList<>();
        try (ResilientClient client = strict(world).build()) {
            world.time().run(() -> {
                ModelStream stream =
                        client.stream(World.request(), CallOptions.none().withListener(heard::add));
                var tasks = new ArrayList<Timekeeper.Task>();
                for (int i = 0; i < 5; i++) {
                    tasks.add(world.time().start("holdfast-test-closer", stream::close));
                }
                tasks.forEach(World::join);
            });
            assertThat(heard.stream().filter(CallEvent.CallFinished.class::isInstance))
                    .hasSize(1);
            assertThat(heard.stream().filter(CallEvent.AttemptFinished.class::isInstance))
                    .hasSize(1);
            assertEverythingIsBack(world, client);
        }
    }

    static Stream<Consumer<CompletableFuture<ModelStream>>> endings() {
        return Stream.of(
                future -> future.cancel(true),
                future -> future.cancel(false),
                future -> future.completeExceptionally(new IllegalStateException("enough")),
                future -> future.complete(null));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void aFutureThatIsEndedBeforeItsStreamBeganEndsTheExchange(Consumer<CompletableFuture<ModelStream>> ending) {
        World world = World.of(Reply.events(Sse.repeat(100, SECOND, Sse.PING)));
        try (ResilientClient client = strict(world).build()) {
            world.time().run(() -> {
                CompletableFuture<ModelStream> future = client.streamAsync(World.request());
                world.sleep(Duration.ofMillis(2_500));
                ending.accept(future);
            });

            assertThat(world.time().elapsed()).isEqualTo(Duration.ofMillis(2_500));
            assertThat(world.sent()).hasSize(1);
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void aFutureBringsAStreamThatIsItsReceiversToRead() {
        World world = endless();
        try (ResilientClient client = strict(world).build()) {
            world.time().run(() -> {
                CompletableFuture<ModelStream> future = client.streamAsync(World.request());
                world.sleep(Duration.ofMillis(2_500));
                assertThat(future).isCompleted();
                assertThat(future.cancel(true)).as("a stream that has begun").isFalse();
                try (ModelStream stream = future.join()) {
                    assertThat(stream.iterator().next()).isNotNull();
                }
            });
            assertEverythingIsBack(world, client);
        }
    }

    @Test
    void aFutureEndsWithTheErrorOfItsStream() {
        World world = World.of(Reply.status(400));
        try (ResilientClient client = strict(world).build()) {
            CompletableFuture<ModelStream> future = world.time().call(() -> client.streamAsync(World.request()));
            assertThat(future)
                    .isCompletedExceptionally()
                    .failsWithin(Duration.ZERO)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(CallException.class);
        }
    }

    @Test
    void aStreamThatBeganForNobodyIsClosed() {
        World world = endless();
        try (ResilientClient client = strict(world)
                .interceptor(new Interceptor() {
                    @Override
                    public ModelStream aroundStream(Call call, StreamChain chain) {
                        ModelStream begun = chain.proceed(call);
                        try {
                            world.time().sleep(SECOND);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        return begun;
                    }
                })
                .build()) {
            world.time().run(() -> {
                CompletableFuture<ModelStream> future = client.streamAsync(World.request());
                world.sleep(Duration.ofMillis(1_500));
                future.cancel(true);
            });
            assertEverythingIsBack(world, client);
        }
    }
}
