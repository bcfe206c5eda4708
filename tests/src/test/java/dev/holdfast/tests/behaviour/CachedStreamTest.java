package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CacheMode;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.CallEvent.CallFinished;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams of a client that has a response cache. */
class CachedStreamTest {
    private static final String[] WHOLE = {
        Sse.ROLE, Sse.text("Rhine, "), Sse.text("Elbe."), Sse.STOP, Sse.USAGE, Sse.DONE
    };

    @Test
    void aStreamIsReplayedFromTheStreamBefore() {
        World world = World.of(Sse.of(WHOLE));
        List<CacheOutcome> heard = new ArrayList<>();
        try (ResilientClient client = client(world, heard)) {
            Reader first = Reader.of(world, client);
            Reader second = Reader.of(world, client);

            assertThat(world.sent()).hasSize(1);
            assertThat(second.text()).isEqualTo(first.text()).isEqualTo("Rhine, Elbe.");
            assertThat(second.answer().answer()).isEqualTo(first.answer().answer());
            assertThat(second.answer().fromCache()).isTrue();
            assertThat(second.answer().cost()).contains(Cost.ZERO);
            assertThat(second.answer().attempts()).isEmpty();
            assertThat(second.events())
                    .filteredOn(StreamEvent.UsageReported.class::isInstance)
                    .hasSize(1);
        }
        assertThat(heard).containsExactly(CacheOutcome.MISS, CacheOutcome.HIT);
        List<CallFinished> finished = world.events(CallFinished.class);
        assertThat(finished).hasSize(2);
        assertThat(finished.getLast().servedBy()).isEqualTo(finished.getFirst().servedBy());
        assertThat(finished.getLast().cost()).contains(Cost.ZERO);
    }

    @Test
    void aCallAndAStreamAnswerEachOther() {
        World world = World.of(Sse.of(WHOLE));
        try (ResilientClient client = client(world, new ArrayList<>())) {
            ModelAnswer streamed = Reader.of(world, client).answer().answer();
            Ended called = world.call(client);
            assertThat(called.answer().fromCache()).isTrue();
            assertThat(called.answer().answer()).isEqualTo(streamed);
        }
        World other = World.of(Reply.completion("Rhine, Elbe."));
        try (ResilientClient client = client(other, new ArrayList<>())) {
            ModelAnswer called = other.call(client).answer().answer();
            Reader streamed = Reader.of(other, client);
            assertThat(streamed.answer().fromCache()).isTrue();
            assertThat(streamed.answer().answer()).isEqualTo(called);
            assertThat(streamed.text()).isEqualTo("Rhine, Elbe.");
        }
        assertThat(world.sent()).hasSize(1);
        assertThat(other.sent()).hasSize(1);
    }

    static Stream<Reply> halfAnswers() {
        Reply cut = Sse.of(Sse.ROLE, Sse.text("Rhine"));
        return Stream.of(
                cut.cutAfter(cut.body().size()),
                cut.resetAfter(cut.body().size()),
                Sse.of(Sse.ROLE, Sse.text("Rhine"), Sse.ERROR, Sse.DONE),
                Sse.of(Sse.ROLE, Sse.text("Rhine"), Sse.DONE));
    }

    @ParameterizedTest
    @MethodSource("halfAnswers")
    void halfAnAnswerIsNotStored(Reply half) {
        World world = World.of(half, Sse.of(WHOLE));
        try (ResilientClient client = client(world, new ArrayList<>())) {
            Reader.of(world, client);
            assertThat(Reader.of(world, client).answer().fromCache()).isFalse();
            assertThat(Reader.of(world, client).answer().fromCache()).isTrue();
        }
        assertThat(world.sent()).hasSize(2);
    }

    @Test
    void whatNobodyReadToItsEndIsNotStored() {
        World world = World.of(
                Sse.every(Duration.ofMillis(50), WHOLE),
                Sse.every(Duration.ofMillis(50), WHOLE),
                Sse.every(Duration.ofMillis(50), WHOLE));
        try (ResilientClient client = client(world, new ArrayList<>())) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request())) {
                    assertThat(stream.iterator().next()).isNotNull();
                }
            });
            assertThat(Reader.of(world, client).answer().fromCache()).isFalse();
            assertThat(Reader.of(world, client).answer().fromCache()).isTrue();
        }
    }

    @Test
    void aSubscribersStreamIsStoredAndReplayedToo() {
        World world = World.of(Sse.of(WHOLE));
        try (ResilientClient client = client(world, new ArrayList<>())) {
            assertThat(subscribed(world, client)).isEqualTo("Rhine, Elbe. complete");
            assertThat(subscribed(world, client)).isEqualTo("Rhine, Elbe. complete");
        }
        assertThat(world.sent()).hasSize(1);
    }

    @Test
    void streamsAtOnceAreMadeOnTheirOwnEachFromItsBeginning() {
        World world = new World().provider("p1", FaultScript.always(Sse.every(Duration.ofMillis(50), WHOLE)));
        List<Reader> readers = new ArrayList<>();
        try (ResilientClient client = client(world, new ArrayList<>())) {
            world.time().run(() -> {
                for (int i = 0; i < 2; i++) {
                    world.time()
                            .start(
                                    "holdfast-test-reader",
                                    () -> readers.add(Reader.read(world, client, World.request(), CallOptions.none())));
                    world.sleep(Duration.ofMillis(150));
                }
            });
        }
        assertThat(readers).extracting(Reader::text).containsExactly("Rhine, Elbe.", "Rhine, Elbe.");
        assertThat(world.sent()).hasSize(2);
    }

    @Test
    void anOldAnswerStandsInForAStreamThatCannotBegin() {
        World world = new World().provider("p1", FaultScript.of(Sse.of(WHOLE)).thenAlways(Reply.status(400)));
        World outage = new World().provider("p1", FaultScript.of(Sse.of(WHOLE)).thenAlways(Reply.status(503)));
        try (ResilientClient wrong = client(world, new ArrayList<>());
                ResilientClient down = client(outage, new ArrayList<>())) {
            Reader.of(world, wrong);
            Reader.of(outage, down);
            world.pass(Duration.ofMinutes(10));
            outage.pass(Duration.ofMinutes(10));

            assertThat(Reader.of(world, wrong).failure().kind()).isEqualTo(FailureKind.INVALID_REQUEST);
            Reader old = Reader.of(outage, down);
            assertThat(old.text()).isEqualTo("Rhine, Elbe.");
            assertThat(old.answer().degraded()).isTrue();
            assertThat(old.answer().attempts()).isNotEmpty();
        }
    }

    @Test
    void aStreamThatBreaksOffIsNotReplacedByAnOldAnswer() {
        World world = World.of(
                Sse.of(WHOLE),
                Reply.events(List.of(Chunk.of(Sse.ROLE), Chunk.of(Sse.text("Rhi")), Chunk.of(Sse.ERROR))));
        try (ResilientClient client = client(world, new ArrayList<>())) {
            Reader.of(world, client);
            world.pass(Duration.ofMinutes(10));
            Reader broken = Reader.of(world, client);
            assertThat(broken.failure().partialAnswer()).isPresent();
        }
    }

    private static String subscribed(World world, ResilientClient client) {
        var text = new StringBuilder();
        world.time()
                .run(() -> client.stream(World.request()).publisher().subscribe(new Flow.Subscriber<>() {
                    @Override
                    public void onSubscribe(Flow.Subscription subscription) {
                        subscription.request(Long.MAX_VALUE);
                    }

                    @Override
                    public void onNext(StreamEvent event) {
                        if (event instanceof TextDelta(String more)) {
                            text.append(more);
                        }
                    }

                    @Override
                    public void onError(Throwable failure) {
                        text.append(' ').append(failure);
                    }

                    @Override
                    public void onComplete() {
                        text.append(" complete");
                    }
                }));
        return text.toString();
    }

    private static ResilientClient client(World world, List<CacheOutcome> heard) {
        var caching = ResponseCaching.of(
                new CaffeineResponseCache(1 << 20, world.time()),
                CachePolicy.defaults().withMode(CacheMode.ALL).withStaleIfError(Duration.ofHours(1)),
                world.time(),
                new Random(1));
        return world.builder()
                .interceptor(caching)
                .listener(event -> {
                    if (event instanceof CacheConsulted consulted) {
                        heard.add(consulted.outcome());
                    }
                })
                .build();
    }
}
