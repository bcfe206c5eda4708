package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The four timers, to the nanosecond. */
class StreamTimersTest {
    private static final CallOptions ONCE = CallOptions.none().withRetry(false);

    private static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }

    private static Reader assertTimesOut(Reply reply, Duration at, String words) {
        return assertTimesOut(reply, at, words, ONCE);
    }

    private static Reader assertTimesOut(Reply reply, Duration at, String words, CallOptions options) {
        World world = World.of(reply);
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client, options);

            assertThat(stream.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
            assertThat(stream.failure()).hasMessageContaining(words);
            assertThat(stream.took()).isEqualTo(at);
            assertThat(world.open()).isZero();
            return stream;
        }
    }

    @Test
    void theFirstTokenIsWaitedForOnlySoLongWhateverElseComes() {
        Reply pings = Reply.events(Sse.repeat(1_000, seconds(1), Sse.PING)).withDelay(seconds(5));
        assertTimesOut(pings, seconds(30), "no meaningful event for 30000 ms");
        assertTimesOut(Reply.events(Sse.repeat(1_000, seconds(1), Sse.ROLE)), seconds(30), "no meaningful event");
        assertTimesOut(Reply.events(Sse.repeat(1_000, seconds(1), "\n")), seconds(30), "no meaningful event");
        assertTimesOut(Reply.stream("late").withDelay(seconds(31)), seconds(30), "timeout");
        assertTimesOut(Reply.hang(), seconds(30), "timeout");
    }

    @Test
    void anErrorDocumentThatDoesNotEndIsWaitedForOnlySoLong() {
        Reply endless = Reply.status(503).withBody(dev.holdfast.Bytes.utf8("{\"error\":"));
        World world = World.of(endless.hangAfter(endless.body().size()));
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client, ONCE);

            assertThat(stream.failure().kind()).isEqualTo(FailureKind.OVERLOADED);
            assertThat(stream.took()).isEqualTo(seconds(30));
        }
    }

    @Test
    void silenceOfTheConnectionEndsAStream() {
        assertThat(assertTimesOut(Sse.silentAfter("hi"), seconds(30), "no byte for 30000 ms")
                        .text())
                .isEqualTo("hi");
        assertTimesOut(Sse.silentAfter("hi").withPauses(seconds(29)), seconds(29 + 30), "no byte for 30000 ms");
    }

    @Test
    void keepAlivesDoNotFeedTheTimerOfMeaningfulEvents() {
        for (String keepAlive : List.of(
                Sse.PING, "\n\n", "data: : keepalive\n\n", "event: ping\ndata: {}\n\n", Sse.data("{}"), Sse.USAGE)) {
            List<Chunk> chunks = Sse.repeat(1, Duration.ZERO, Sse.text("hi"));
            chunks.addAll(Sse.repeat(1_000, seconds(7), keepAlive));
            assertTimesOut(Reply.events(chunks), seconds(60), "the connection is alive for 60000 ms");
        }
    }

    @Test
    void aMeaningfulEventFeedsIt() {
        List<Chunk> chunks = Sse.repeat(8, Duration.ZERO, Sse.text("hi"));
        for (int i = 0; i < 5; i++) {
            chunks.addAll(Sse.repeat(2, seconds(29), Sse.PING));
            chunks.add(Chunk.after(seconds(1), Sse.text("hi")));
        }
        World world = World.of(Reply.events(Sse.join(chunks, Sse.STOP, Sse.DONE)));
        try (ResilientClient client = world.builder().build()) {
            assertThat(Reader.of(world, client).answer().attempts()).hasSize(1);
        }
    }

    @Test
    void aStreamMayTakeOnlySoLongInAll() {
        assertTimesOut(
                Reply.events(Sse.repeat(1_000, seconds(7), Sse.text("x"))), seconds(600), "no end for 600000 ms");
    }

    @Test
    void theTotalEndsAStreamThatHasNotBegunToo() {
        StreamTimeouts brief = StreamTimeouts.defaults().withTotal(seconds(10));
        assertTimesOut(
                Reply.events(Sse.repeat(1_000, seconds(1), Sse.PING)),
                seconds(10),
                "no end for 10000 ms",
                ONCE.withStreamTimeouts(brief));
    }

    @Test
    void whatTheConsumerThinksCountsForNoTimer() {
        World world = World.of(Sse.every(seconds(20), Sse.text("a"), Sse.text("b"), Sse.text("c"), Sse.STOP, Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request())) {
                    stream.forEach(event -> world.sleep(seconds(590)));
                    assertThat(stream.toResponse().text()).contains("abc");
                }
            });
            assertThat(world.time().elapsed()).isGreaterThan(seconds(4 * 590));
        }
    }

    @Test
    void timersBeginAnewWhenTheConsumerComesBackToWait() {
        World world = World.of(Sse.silentAfter("hi"));
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request())) {
                    var events = stream.iterator();
                    while (!(events.next() instanceof StreamEvent.TextDelta)) {
                        // what comes before the text
                    }
                    world.sleep(seconds(100));
                    assertThatThrownBy(events::hasNext).hasMessageContaining("no byte for 30000 ms");
                }
            });
            assertThat(world.time().elapsed()).isEqualTo(seconds(130));
        }
    }

    @Test
    void aStreamThatNobodyTouchesIsCancelledAtItsTotal() {
        World world = World.of(Sse.every(seconds(1), Sse.text("a"), Sse.text("b"), Sse.STOP, Sse.DONE));
        LimitPolicy one = LimitPolicy.defaults().withConcurrency(1).withMaxWait(Duration.ofHours(1));
        try (ResilientClient client = world.builder().limits(World.MODEL, one).build()) {
            var abandoned = new AtomicReference<ModelStream>();
            world.time().run(() -> abandoned.set(client.stream(World.request())));
            assertThat(world.time().elapsed()).isEqualTo(seconds(600));
            assertThat(world.open()).isZero();
            assertThat(world.events(CallEvent.CallFinished.class)).hasSize(1);
            assertThat(world.call(client).answer().attempts().getFirst().waited())
                    .isZero();

            assertThatThrownBy(() -> abandoned.get().toResponse())
                    .isInstanceOf(CallCancelledException.class)
                    .hasMessageContaining("nobody read the stream");
        }
    }

    @Test
    void anAbandonedStreamIsOneThatWasLeftAfterItsLastEvent() {
        World world = World.of(Sse.every(seconds(1), Sse.text("a"), Sse.text("b"), Sse.text("c"), Sse.STOP, Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                var events = client.stream(World.request()).iterator();
                events.next();
                world.sleep(seconds(500));
                events.next();
            });
            assertThat(world.time().elapsed()).isEqualTo(seconds(1 + 500 + 1 + 600));
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void theDeadlineBindsUntilTheStreamBegins() {
        CallOptions hurried = CallOptions.none().withDeadline(seconds(20));
        World world = World.of(
                Sse.every(seconds(12), Sse.ROLE, Sse.text("late")),
                Sse.every(seconds(12), Sse.text("in time"), Sse.text("!"), Sse.STOP + Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            Reader late = Reader.of(world, client, hurried);
            assertThat(late.failure()).isInstanceOf(DeadlineExceededException.class);
            assertThat(late.took()).isEqualTo(seconds(20));

            Reader inTime = Reader.of(world, client, hurried);
            assertThat(inTime.answer().text()).contains("in time!");
            assertThat(inTime.took()).isEqualTo(seconds(36));
        }
    }

    @Test
    void theTimeToTheFirstTokenIsTheCallsElseTheModelsElseTheClients() {
        Reply late = Sse.every(seconds(40), Sse.text("late"));
        StreamTimeouts own =
                StreamTimeouts.defaults().withFirstToken(seconds(3)).withIdle(seconds(300));
        CallOptions timed = ONCE.withTimeout(seconds(5));
        World world = new World().provider("p1", FaultScript.always(late));
        try (ResilientClient client = world.builder()
                .streamTimeouts(StreamTimeouts.defaults().withFirstToken(seconds(9)))
                .build()) {
            assertThat(Reader.of(world, client, ONCE).took()).isEqualTo(seconds(9));
            assertThat(Reader.of(world, client, timed).took()).isEqualTo(seconds(5));
            assertThat(Reader.of(world, client, timed.withStreamTimeouts(own)).took())
                    .isEqualTo(seconds(3));
        }
        World slow = new World().provider("p1", FaultScript.always(late));
        try (ResilientClient client = slow.builder()
                .model(dev.holdfast.core.ModelSettings.of(World.MODEL).withTimeout(seconds(7)))
                .build()) {
            assertThat(Reader.of(slow, client, ONCE).took()).isEqualTo(seconds(7));
        }
    }

    @Test
    void theUsageBehindACompleteAnswerIsWaitedForOnlyFiveSeconds() {
        World world = World.of(
                Sse.every(seconds(4), Sse.text("hi"), Sse.STOP, Sse.USAGE + Sse.DONE),
                Sse.every(seconds(6), Sse.text("hi"), Sse.STOP, Sse.USAGE + Sse.DONE),
                Reply.events(Sse.repeat(1, seconds(1), Sse.text("hi") + Sse.STOP))
                        .hangAfter(Integer.MAX_VALUE));
        try (ResilientClient client = world.builder().build()) {
            Reader inTime = Reader.of(world, client);
            assertThat(inTime.answer().usage()).isPresent();
            assertThat(inTime.took()).isEqualTo(seconds(12));

            Reader late = Reader.of(world, client);
            assertThat(late.answer().usage()).isEmpty();
            assertThat(late.answer().text()).contains("hi");
            assertThat(late.took()).isEqualTo(seconds(12 + 5));

            assertThat(Reader.of(world, client).took()).isEqualTo(seconds(1 + 5));
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void thinkingAfterACompleteAnswerDoesNotCostItsUsage() {
        World world = World.of(Sse.every(seconds(1), Sse.text("hi"), Sse.STOP, Sse.USAGE + Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request())) {
                    stream.forEach(event -> world.sleep(seconds(60)));
                    assertThat(stream.toResponse().usage()).isPresent();
                }
            });
        }
    }

    @Test
    void keepAlivesAfterACompleteAnswerDoNotKeepItOpen() {
        List<Chunk> chunks = Sse.repeat(1, Duration.ZERO, Sse.text("hi") + Sse.STOP);
        chunks.addAll(Sse.repeat(1_000, seconds(1), Sse.PING));
        World world = World.of(Reply.events(chunks));
        try (ResilientClient client = world.builder().build()) {
            assertThat(Reader.of(world, client).took()).isEqualTo(seconds(5));
        }
    }

    @Test
    void aTimerThatRunsOutBeforeTheDeadlineIsNotTheDeadline() {
        StreamTimeouts timeouts = StreamTimeouts.defaults().withFirstToken(seconds(60));
        CallOptions options = CallOptions.none().withDeadline(seconds(50)).withStreamTimeouts(timeouts);
        Reply begun = Sse.of(Sse.ROLE);
        World world = World.of(begun.hangAfter(begun.body().size()), Sse.of(Sse.text("hi"), Sse.STOP, Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            Reader stream = Reader.of(world, client, options);

            assertThat(stream.answer().text()).contains("hi");
            assertThat(stream.took()).isEqualTo(seconds(30 + 1));
        }
    }

    @Test
    void anErrorThatIsNamedBeforeTheEndMarkCountsThoughTheAnswerSeemedComplete() {
        World world = World.of(Sse.of(Sse.text("hi"), Sse.STOP, Sse.ERROR, Sse.DONE));
        try (ResilientClient client = world.builder().build()) {
            assertThat(Reader.of(world, client).failure().kind()).isEqualTo(FailureKind.SERVER_ERROR);
        }
    }
}
