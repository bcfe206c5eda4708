package dev.holdfast.tests.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamFailedException;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.tests.behaviour.Sse;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.transport.JdkTransport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What only real sockets and real threads can show of streams. Nothing here measures how long something takes. */
class StreamOverSocketsTest {
    private static final long PATIENCE_SECONDS = 60;

    private final CountedTime time = new CountedTime();

    private static FaultScript silent() {
        return FaultScript.always(Sse.silentAfter("x"));
    }

    private ResilientClient client(FaultyProvider provider) {
        return ResilientClient.builder()
                .endpoint(Endpoint.builder("p1", provider.baseUrl())
                        .credential(Credential.of("sk-test"))
                        .build())
                .transport(new JdkTransport())
                .timekeeper(time)
                .limits(World.MODEL, LimitPolicy.defaults().withConcurrency(1).withMaxWait(Duration.ofSeconds(60)))
                .closeGrace(Duration.ofMillis(20))
                .discovery(false)
                .build();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadlineNanos);
            Thread.sleep(2);
        }
    }

    /** No connection, no thread, and a free permit: the limit lets another stream in. */
    private void assertAtRest(FaultyProvider provider, ResilientClient client) throws InterruptedException {
        await(() -> provider.connectionsOpen() == 0);
        await(() -> time.running() == 0);
        client.stream(World.request()).close();
        await(() -> provider.connectionsOpen() == 0);
        await(() -> time.running() == 0);
    }

    /** Reads on a thread of its own until the stream ends, and says how. */
    private static CompletableFuture<Throwable> readElsewhere(ModelStream stream, AtomicReference<Thread> thread) {
        var ended = new CompletableFuture<Throwable>();
        thread.set(Thread.ofVirtual().start(() -> ended.complete(catchThrowable(stream::toResponse))));
        return ended;
    }

    private static Throwable get(CompletableFuture<Throwable> ended)
            throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException {
        return ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void closingAStreamElsewhereWakesItsReaderAndClosesTheConnection() throws Exception {
        try (var provider = FaultyProvider.start(silent());
                ResilientClient client = client(provider)) {
            ModelStream stream = client.stream(World.request());
            var reader = new AtomicReference<Thread>();
            CompletableFuture<Throwable> ended = readElsewhere(stream, reader);
            await(() -> reader.get().getState() != Thread.State.RUNNABLE);
            stream.close();

            assertThat(get(ended)).isInstanceOf(CallCancelledException.class);
            assertAtRest(provider, client);
        }
    }

    static Stream<Consumer<CompletableFuture<?>>> endings() {
        return Stream.of(
                future -> future.cancel(true),
                future -> future.cancel(false),
                future -> future.orTimeout(1, TimeUnit.MILLISECONDS),
                future -> future.completeExceptionally(new IllegalStateException("enough")));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void endingTheFutureOfAStreamThatHasNotBegunClosesTheConnection(Consumer<CompletableFuture<?>> ending)
            throws Exception {
        endingAFutureClosesTheConnection(ending, client -> client.streamAsync(World.request()));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void endingTheFutureOfACallClosesTheConnection(Consumer<CompletableFuture<?>> ending) throws Exception {
        endingAFutureClosesTheConnection(ending, client -> client.callAsync(World.request()));
    }

    private void endingAFutureClosesTheConnection(
            Consumer<CompletableFuture<?>> ending, Function<ResilientClient, CompletableFuture<?>> open)
            throws Exception {
        Reply begun = Sse.of(Sse.ROLE, Sse.PING);
        for (Reply silent : List.of(Reply.hang(), begun.hangAfter(begun.body().size()))) {
            var script = FaultScript.of(silent).thenAlways(Sse.silentAfter("x"));
            try (var provider = FaultyProvider.start(script);
                    ResilientClient client = client(provider)) {
                CompletableFuture<?> future = open.apply(client);
                await(() -> provider.requests().size() == 1);
                ending.accept(future);
                assertAtRest(provider, client);
            }
        }
    }

    @Test
    void interruptingAReaderClosesTheConnection() throws Exception {
        try (var provider = FaultyProvider.start(silent());
                ResilientClient client = client(provider)) {
            var reader = new AtomicReference<Thread>();
            CompletableFuture<Throwable> ended = readElsewhere(client.stream(World.request()), reader);
            reader.get().interrupt();

            assertThat(get(ended)).isInstanceOf(CallCancelledException.class);
            assertAtRest(provider, client);
        }
    }

    @Test
    void aTimerThatRunsOutClosesTheConnection() throws Exception {
        StreamTimeouts brief = StreamTimeouts.defaults().withIdle(Duration.ofSeconds(2));
        try (var provider = FaultyProvider.start(silent());
                ResilientClient client = client(provider)) {
            ModelStream stream =
                    client.stream(World.request(), CallOptions.none().withStreamTimeouts(brief));
            Throwable thrown = catchThrowable(stream::toResponse);

            assertThat(thrown).isInstanceOfSatisfying(StreamFailedException.class, failed -> {
                assertThat(failed.kind()).isIn(FailureKind.TIMEOUT, FailureKind.LOCAL);
                assertThat(failed.partialAnswer().orElseThrow().text()).contains("x");
            });
            assertAtRest(provider, client);
        }
    }

    @Test
    void anAbandonedStreamIsCancelled() throws Exception {
        StreamTimeouts brief = StreamTimeouts.defaults().withTotal(Duration.ofSeconds(3));
        try (var provider = FaultyProvider.start(silent());
                ResilientClient client = client(provider)) {
            client.stream(World.request(), CallOptions.none().withStreamTimeouts(brief));

            assertAtRest(provider, client);
        }
    }

    @Test
    void aSubscriberThatCancelsClosesTheConnection() throws Exception {
        try (var provider = FaultyProvider.start(silent());
                ResilientClient client = client(provider)) {
            var got = new CountDownLatch(1);
            var subscription = new AtomicReference<Flow.Subscription>();
            client.stream(World.request()).publisher().subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription given) {
                    subscription.set(given);
                    given.request(Long.MAX_VALUE);
                }

                @Override
                public void onNext(StreamEvent event) {
                    if (event.isMeaningful()) {
                        got.countDown();
                    }
                }

                @Override
                public void onError(Throwable thrown) {}

                @Override
                public void onComplete() {}
            });
            assertThat(got.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            subscription.get().cancel();

            assertAtRest(provider, client);
        }
    }

    @Test
    void aClosedClientEndsItsStreams() throws Exception {
        try (var provider = FaultyProvider.start(silent())) {
            ResilientClient client = client(provider);
            ModelStream stream = client.stream(World.request());
            CompletableFuture<Throwable> ended = readElsewhere(stream, new AtomicReference<>());
            client.close();

            assertThat(get(ended))
                    .isInstanceOf(CallCancelledException.class)
                    .hasMessageContaining("the client was closed");
            await(() -> provider.connectionsOpen() == 0);
            await(() -> time.running() == 0);
        }
    }

    @Test
    void aStreamThatWasReadToItsEndLeavesItsConnectionForTheNext() {
        try (var provider = FaultyProvider.start();
                ResilientClient client = client(provider)) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.stream(World.request()).toResponse().text()).contains("Name three rivers.");
            }
            client.call(World.request());

            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    @Test
    void aStreamOfSlowBytesComesTogether() {
        Reply slow = Sse.of(Sse.text("Grüße 🌍"), Sse.STOP, Sse.USAGE, Sse.DONE)
                .inPieces(3)
                .gzipped();
        try (var provider = FaultyProvider.start(FaultScript.always(slow.withPauses(Duration.ofMillis(1))));
                ResilientClient client = client(provider)) {
            assertThat(client.stream(World.request()).toResponse().text()).contains("Grüße 🌍");
        }
    }

    @Test
    @Tag("concurrency")
    void whoeverEndsAStreamFirstItIsGivenBackOnce() throws Exception {
        Reply running = Reply.events(Sse.join(Sse.repeat(20, Duration.ofMillis(1), Sse.text("x")), Sse.STOP, Sse.DONE));
        try (var provider = FaultyProvider.start(FaultScript.always(running));
                ResilientClient client = client(provider)) {
            for (int round = 0; round < 100; round++) {
                ModelStream stream = client.stream(World.request());
                var reader = new AtomicReference<Thread>();
                CompletableFuture<Throwable> ended = readElsewhere(stream, reader);
                int pause = round % 25;
                List<Thread> closers = IntStream.range(0, 3)
                        .mapToObj(each -> Thread.ofVirtual().start(() -> {
                            sleep(pause);
                            if (each == 0) {
                                reader.get().interrupt();
                            } else {
                                stream.close();
                            }
                        }))
                        .toList();
                for (Thread closer : closers) {
                    closer.join();
                }
                Throwable thrown = get(ended);
                assertThat(thrown == null || thrown instanceof CallCancelledException)
                        .as("%s", thrown)
                        .isTrue();
            }
            await(() -> time.running() == 0);
            assertThat(client.stream(World.request()).toResponse().text().orElseThrow())
                    .hasSize(20);
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Tag("concurrency")
    void manyStreamsAtOnceEachGetTheirOwn() throws Exception {
        try (var provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder("p1", provider.baseUrl()).build())
                        .transport(new JdkTransport())
                        .timekeeper(time)
                        .discovery(false)
                        .build()) {
            var answers = IntStream.range(0, 100)
                    .mapToObj(number -> {
                        var answer = new CompletableFuture<String>();
                        Thread.ofVirtual().start(() -> {
                            var request = dev.holdfast.ModelRequest.chat(World.MODEL)
                                    .user("stream number " + number)
                                    .build();
                            try (ModelStream stream = client.stream(request)) {
                                var events = new java.util.ArrayList<StreamEvent>();
                                stream.forEach(events::add);
                                answer.complete(Reader.textOf(events));
                            } catch (RuntimeException e) {
                                answer.completeExceptionally(e);
                            }
                        });
                        return answer;
                    })
                    .toList();
            for (int number = 0; number < answers.size(); number++) {
                assertThat(answers.get(number).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .isEqualTo("stream number " + number);
            }
            await(() -> time.running() == 0);
            assertThat(time.started()).isEqualTo(100);
        }
    }
}
