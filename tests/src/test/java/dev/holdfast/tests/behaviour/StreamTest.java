package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AttemptReason;
import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.BreakerState;
import dev.holdfast.Bytes;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.FailureKind;
import dev.holdfast.FinishReason;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamFailedException;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StreamTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void bringsTheEventsAsTheyComeAndTheSameAnswerAsACall() {
        World world = new World().provider("p1", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client);
            var called = world.call(client).answer();

            assertThat(stream.text()).isEqualTo("Name three rivers.");
            assertThat(stream.events().stream().filter(StreamEvent.TextDelta.class::isInstance))
                    .hasSize(3);
            assertThat(stream.answer().answer())
                    .usingRecursiveComparison()
                    .ignoringFields("document")
                    .isEqualTo(called.answer());
            assertThat(stream.answer().document().members().keySet())
                    .containsAll(called.document().members().keySet());
            assertThat(stream.answer().servedBy()).isEqualTo(called.servedBy());
        }
    }

    @Test
    void asksForAStreamAndItsUsageUnlessTheRequestSaysOtherwise() {
        World world = new World().provider("p1", FaultScript.healthy());
        ModelRequest own = World.request()
                .withDocument(World.request()
                        .document()
                        .with("stream_options", JsonObject.of("include_usage", JsonValue.of(false))));
        try (ResilientClient client = world.builder().build()) {
            assertThat(Reader.of(world, client).answer().usage()).isPresent();
            assertThat(Reader.of(world, client, own).answer().usage()).isEmpty();

            assertThat(world.sent().getFirst().body())
                    .contains("\"stream\":true", "\"stream_options\":{\"include_usage\":true}");
            assertThat(world.sent().getFirst().header("Accept")).isEqualTo("text/event-stream");
            assertThat(world.sent().getLast().body()).contains("\"stream_options\":{\"include_usage\":false}");
        }
    }

    private static final String FLAT_ERROR = Sse.data("{\"code\":500,\"message\":\"busy\"}");
    private static final String BROKEN_LOUDLY =
            Sse.data("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"ERROR\"}]}");

    static Stream<Reply> failuresBeforeTheFirstMeaningfulEvent() {
        Reply begun = Sse.of(Sse.ROLE, Sse.PING);
        return Stream.of(
                Reply.status(503),
                Reply.reset(),
                Reply.cut(),
                Sse.of(Sse.ERROR),
                Sse.of(Sse.ROLE, Sse.ERROR),
                Sse.of("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n"),
                begun.resetAfter(begun.body().size()),
                begun.cutAfter(begun.body().size()),
                begun,
                Sse.of(Sse.DONE),
                Sse.of(),
                Sse.of("data: {\"id\n\n"),
                Sse.of(Sse.ROLE, FLAT_ERROR, Sse.DONE),
                Sse.of(Sse.ROLE, BROKEN_LOUDLY, Sse.DONE),
                Reply.json(200, JsonObject.of("error", JsonObject.of("code", JsonValue.of(503)))),
                Reply.json(200, JsonObject.empty()),
                Reply.of(200, dev.holdfast.Headers.of("Content-Type", "text/html"), dev.holdfast.Bytes.utf8("<html>")),
                Reply.of(200, dev.holdfast.Headers.of(), dev.holdfast.Bytes.utf8("try later")));
    }

    @ParameterizedTest
    @MethodSource("failuresBeforeTheFirstMeaningfulEvent")
    void whatFailsBeforeTheFirstMeaningfulEventIsTriedAgainUnseen(Reply failing) {
        World world = World.of(failing);
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client);

            assertThat(stream.text()).isEqualTo("Name three rivers.");
            assertThat(stream.answer().attempts()).hasSize(2);
            assertThat(stream.answer().attempts().getFirst().failure()).isPresent();
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void aStreamGoesToAnotherEndpointAndAnotherModelLikeACall() {
        World world = new World()
                .provider("p1", FaultScript.always(Sse.of(Sse.ROLE, Sse.ERROR)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client);

            assertThat(world.path()).containsExactly("p1", "p2");
            assertThat(stream.answer().attempts().getLast().reason()).isEqualTo(AttemptReason.FAILOVER);
        }
    }

    @Test
    void aStreamThatNeverBeginsFailsLikeACall() {
        World world = World.always(Sse.of(Sse.ROLE, Sse.ERROR));
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client);

            assertThat(stream.failure()).isInstanceOf(AttemptsExhaustedException.class);
            assertThat(stream.failure().attempts()).hasSize(4);
            assertThat(stream.failure().partialAnswer()).isEmpty();
            assertThat(world.events(CallEvent.CallFinished.class)).hasSize(1);
        }
    }

    static Stream<org.junit.jupiter.params.provider.Arguments> failuresAfterIt() {
        Reply begun = Sse.of(Sse.ROLE, Sse.text("Here is"));
        int size = begun.body().size();
        return Stream.of(
                arguments(FailureKind.CONNECTION, begun.resetAfter(size)),
                arguments(FailureKind.TRUNCATED, begun.cutAfter(size)),
                arguments(FailureKind.TRUNCATED, begun),
                arguments(FailureKind.TRUNCATED, begun.withFraming(Reply.Framing.UNTIL_CLOSE)),
                arguments(FailureKind.TIMEOUT, begun.hangAfter(size)),
                arguments(FailureKind.SERVER_ERROR, Sse.of(Sse.text("Here is"), Sse.ERROR, Sse.text("x"), Sse.DONE)),
                arguments(FailureKind.SERVER_ERROR, Sse.of(Sse.text("Here is") + Sse.ERROR)),
                arguments(FailureKind.SERVER_ERROR, Sse.of(Sse.text("Here is"), FLAT_ERROR)),
                arguments(FailureKind.SERVER_ERROR, Sse.of(Sse.text("Here is"), BROKEN_LOUDLY, Sse.DONE)),
                arguments(
                        FailureKind.MALFORMED_RESPONSE,
                        Sse.of(Sse.text("Here is"), "data: {\"choices\":[{\n\n", Sse.STOP, Sse.DONE)));
    }

    private static org.junit.jupiter.params.provider.Arguments arguments(FailureKind kind, Reply reply) {
        return org.junit.jupiter.params.provider.Arguments.of(kind, reply);
    }

    @ParameterizedTest
    @MethodSource("failuresAfterIt")
    void whatFailsAfterItIsThrownWithWhatHadArrived(FailureKind kind, Reply failing) {
        World world = World.of(failing);
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client);

            assertThat(stream.text()).isEqualTo("Here is");
            assertThat(stream.failure())
                    .isInstanceOf(StreamFailedException.class)
                    .extracting(dev.holdfast.CallException::kind)
                    .isEqualTo(kind);
            assertThat(stream.failure().partialAnswer().orElseThrow().text()).contains("Here is");
            assertThat(stream.failure().mayHaveBeenBilled()).isTrue();
            assertThat(stream.failure().attempts()).hasSize(1);
            assertThat(world.sent()).hasSize(1);
            assertThat(world.open()).isZero();
        }
    }

    static Stream<Reply> goodEnds() {
        Reply unfinished = Sse.of(Sse.text("hi"), Sse.STOP);
        int size = unfinished.body().size();
        return Stream.of(
                Sse.of(Sse.text("hi"), Sse.DONE),
                unfinished,
                unfinished.resetAfter(size),
                unfinished.cutAfter(size),
                unfinished.hangAfter(size),
                Sse.of(Sse.text("hi"), Sse.STOP, "data: [DONE]"),
                Sse.of(Sse.text("hi"), Sse.STOP.strip()),
                Sse.of(Sse.text("hi"), Sse.STOP, Sse.DONE, "junk", Sse.ERROR, Sse.text("more")),
                Sse.of("\n\n\n", Sse.PING, Sse.text("hi"), "data: : keepalive\n\n", Sse.STOP, Sse.DONE),
                Sse.of("event: ping\ndata: \n\n", "event: ping\ndata: 12:30\n\n", Sse.text("hi"), Sse.STOP),
                Sse.of(Sse.text("hi"), Sse.STOP, Sse.DONE).withHeader("Content-Type", "text/plain"),
                Sse.of(Sse.text("hi"), Sse.STOP, Sse.DONE).inPieces(1).gzipped());
    }

    @ParameterizedTest
    @MethodSource("goodEnds")
    void aFinishReasonOrTheEndMarkMakesAnAnswerWhole(Reply whole) {
        World world = World.of(whole);
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client);

            assertThat(stream.text()).isEqualTo("hi");
            assertThat(stream.answer().text()).contains("hi");
            assertThat(stream.answer().attempts()).hasSize(1);
            assertThat(stream.took()).isLessThanOrEqualTo(Duration.ofSeconds(5));
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void aServerThatLeavesTheConnectionOpenAfterTheEndMarkIsNotWaitedFor() {
        Reply whole = Sse.of(Sse.text("hi"), Sse.STOP, Sse.DONE);
        World world = World.of(whole.hangAfter(whole.body().size()));
        try (ResilientClient client = world.builder().build()) {
            assertThat(Reader.of(world, client).took()).isEqualTo(Duration.ofMillis(100));
        }
    }

    @Test
    void aWholeAnswerInsteadOfAStreamIsItsEvents() {
        World world = World.of(Reply.completion("hi"));
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client);

            assertThat(stream.events())
                    .hasSize(3)
                    .startsWith(new StreamEvent.TextDelta("hi"), new StreamEvent.Finished(FinishReason.STOP));
            assertThat(stream.answer().usage().orElseThrow().total()).isEqualTo(6);
            assertThat(world.events(CallEvent.CallFinished.class)).hasSize(1);
        }
    }

    @Test
    void aStreamInsteadOfAWholeAnswerIsPutTogether() {
        World world = World.of(Sse.of(Sse.text("hi"), Sse.STOP, Sse.USAGE, Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            var answer = world.call(client).answer();

            assertThat(answer.text()).contains("hi");
            assertThat(answer.usage().orElseThrow().total()).isEqualTo(12);
        }
    }

    @Test
    void aStreamInsteadOfAWholeAnswerThatBreaksOffIsNoAnswer() {
        World world = World.of(Sse.of(Sse.text("hi")), Sse.of(Sse.text("hi"), Sse.ERROR, Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            var answer = world.call(client).answer();

            assertThat(answer.attempts().stream().flatMap(each -> each.failure().stream()))
                    .extracting(dev.holdfast.Failure::kind)
                    .containsExactly(FailureKind.TRUNCATED, FailureKind.SERVER_ERROR);
        }
    }

    @Test
    void aCallThatAsksForAStreamIsToldOfTheOtherMethod() {
        World world = new World().provider("p1", FaultScript.healthy());
        ModelRequest streamed =
                World.request().withDocument(World.request().document().with("stream", JsonValue.of(true)));
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client, streamed, CallOptions.none()).failure())
                    .isInstanceOf(CallRejectedException.class)
                    .hasMessageContaining("stream()");
            assertThat(Reader.of(world, client, streamed).text()).isEqualTo("Name three rivers.");
        }
    }

    /** As every other client reads it; two readers of a request are another matter. */
    @Test
    void aMemberThatAProviderSaysTwiceCountsByTheLast() {
        String twice = "{\"choices\":[{\"index\":0,\"%s\":{\"content\":\"lost\",\"content\":\"kept\"}}]}";
        Reply stream = Sse.of(Sse.data(twice.formatted("delta")), Sse.STOP, Sse.DONE);
        Reply whole = Reply.status(200).withBody(Bytes.utf8(twice.formatted("message")));
        World world = World.of(stream, whole);
        try (ResilientClient client = world.builder().build()) {
            assertThat(Reader.of(world, client).answer().text()).hasValue("kept");
            assertThat(world.call(client).answer().text()).hasValue("kept");
            assertThat(world.sent()).hasSize(2);
        }
    }

    @Test
    void theBreakerHearsTheEndAndNotTheHead() {
        World world = World.of(Sse.of(Sse.text("a")), Sse.of(Sse.text("b")));
        try (ResilientClient client = world.builder()
                .breaker(BreakerPolicy.defaults().withFailureThreshold(2).withOpenTime(Duration.ofMinutes(1)))
                .build()) {
            Reader.of(world, client).failure();
            assertThat(world.events(CallEvent.BreakerChanged.class)).isEmpty();
            Reader.of(world, client).failure();

            assertThat(world.events(CallEvent.BreakerChanged.class))
                    .extracting(CallEvent.BreakerChanged::to)
                    .containsExactly(BreakerState.OPEN);
            assertThat(Reader.of(world, client).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
        }
    }

    @Test
    void attemptAndCallFinishAtTheEndOfTheStream() {
        World world = World.of(Sse.every(SECOND, Sse.text("a"), Sse.text("b"), Sse.STOP, Sse.USAGE, Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request())) {
                    assertThat(world.events(CallEvent.AttemptFinished.class)).isEmpty();
                    stream.forEach(event -> assertThat(world.events(CallEvent.CallFinished.class))
                            .isEmpty());
                }
            });

            assertThat(world.events(CallEvent.AttemptFinished.class)
                            .getFirst()
                            .attempt()
                            .took())
                    .isEqualTo(Duration.ofSeconds(5));
            assertThat(world.events(CallEvent.CallFinished.class).getFirst().took())
                    .isEqualTo(Duration.ofSeconds(5));
            assertThat(world.events().getLast()).isInstanceOf(CallEvent.CallFinished.class);
        }
    }

    @Test
    void aStreamHoldsItsPlaceInTheLimitUntilItsEnd() {
        World world = World.of(Sse.every(SECOND, Sse.text("a"), Sse.text("b"), Sse.STOP, Sse.DONE));
        LimitPolicy one = LimitPolicy.defaults().withConcurrency(1).withMaxWait(Duration.ofMinutes(1));
        try (ResilientClient client = world.builder().limits(World.MODEL, one).build()) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request())) {
                    var later = world.time().start("holdfast-test", () -> {
                        assertThat(Reader.read(world, client, World.request(), CallOptions.none())
                                        .began())
                                .isEqualTo(SECOND);
                        assertThat(world.times()).containsExactly(Duration.ZERO, Duration.ofSeconds(4));
                    });
                    stream.toResponse();
                    World.join(later);
                }
            });
            assertThat(world.sent()).hasSize(2);
        }
    }

    @Test
    void theSubstituteOfAStreamThatNeverBeganIsAStreamToo() {
        World world = World.always(Reply.status(500));
        try (ResilientClient client = world.builder()
                .degradedReply(error -> Optional.of(ModelAnswer.ofText("later")))
                .build()) {
            Reader stream = Reader.of(world, client);

            assertThat(stream.text()).isEqualTo("later");
            assertThat(stream.answer().degraded()).isTrue();
            assertThat(world.events(CallEvent.CallFinished.class)).hasSize(1);
        }
    }

    @Test
    void aStreamHasOneConsumer() {
        World world = new World().provider("p1", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request())) {
                    assertThat(stream.iterator()).isNotNull();
                    assertThatThrownBy(stream::iterator)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("expected: one");
                    assertThatThrownBy(stream::publisher).isInstanceOf(IllegalStateException.class);
                    assertThat(stream.toResponse().text()).contains("Name three rivers.");
                    assertThat(stream.toResponse()).isSameAs(stream.toResponse());
                }
            });
        }
    }

    @Test
    void anIteratorEndsOnceAndFailsTheSameWayAgain() {
        World world = World.of(Sse.of(Sse.text("a")), Sse.of(Sse.text("a"), Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                var broken = client.stream(World.request()).iterator();
                assertThat(broken.next()).isEqualTo(new StreamEvent.TextDelta("a"));
                assertThatThrownBy(broken::hasNext).isInstanceOf(StreamFailedException.class);
                assertThatThrownBy(broken::next).isInstanceOf(StreamFailedException.class);

                var whole = client.stream(World.request()).iterator();
                whole.next();
                assertThat(whole.hasNext()).isFalse();
                assertThat(whole.hasNext()).isFalse();
                assertThatThrownBy(whole::next).isInstanceOf(java.util.NoSuchElementException.class);
            });
        }
    }

    @Test
    void eventsThatArriveTogetherCostOneRead() {
        World world = World.of(Sse.of(Sse.text("a") + Sse.text("b") + Sse.STOP + Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            assertThat(Reader.of(world, client).events())
                    .isEqualTo(List.of(
                            new StreamEvent.TextDelta("a"),
                            new StreamEvent.TextDelta("b"),
                            new StreamEvent.Finished(FinishReason.STOP)));
        }
    }
}
