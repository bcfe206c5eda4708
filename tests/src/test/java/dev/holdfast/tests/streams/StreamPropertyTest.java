package dev.holdfast.tests.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.tests.behaviour.Sse;
import dev.holdfast.tests.behaviour.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Providers that do anything, and consumers that do anything: what holds of every stream all the same. */
class StreamPropertyTest {
    private static final List<String> PIECES = List.of(
            Sse.ROLE,
            Sse.PING,
            Sse.text("a"),
            Sse.text("b"),
            Sse.text("é"),
            Sse.text("c") + Sse.text("d"),
            Sse.STOP,
            Sse.STOP,
            Sse.USAGE,
            Sse.DONE,
            Sse.DONE,
            Sse.ERROR,
            "data: {",
            "data: x\n\n",
            "\r\n",
            "{}",
            "<html>",
            "\uFEFF",
            "data: : keepalive\n\n",
            "event: ping\ndata: {}\n\n",
            "event: error\ndata: gone\n\n",
            Sse.data("[]"),
            Sse.data("{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}"));
    private static final List<Duration> PAUSES =
            List.of(Duration.ZERO, Duration.ZERO, Duration.ofMillis(1), Duration.ofSeconds(20), Duration.ofSeconds(40));

    private static <T> T pick(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static Reply reply(Random random) {
        if (random.nextInt(5) == 0) {
            return pick(
                    random,
                    List.of(Reply.status(500), Reply.reset(), Reply.hang(), Reply.completion("whole"), Reply.cut()));
        }
        var chunks = new ArrayList<Chunk>();
        for (int i = random.nextInt(10); i >= 0; i--) {
            chunks.add(Chunk.after(pick(random, PAUSES), pick(random, PIECES)));
        }
        Reply reply = Reply.events(chunks);
        int at = random.nextInt(reply.body().size() + 1);
        return switch (random.nextInt(8)) {
            case 0 -> reply.resetAfter(at);
            case 1 -> reply.cutAfter(at);
            case 2 -> reply.hangAfter(at);
            case 3 -> reply.withFraming(Framing.UNTIL_CLOSE).cutAfter(at);
            case 4 -> reply.inPieces(1 + random.nextInt(9));
            default -> reply;
        };
    }

    private static World world(Random random) {
        var replies = new ArrayList<Reply>();
        for (int i = 0; i < 4; i++) {
            replies.add(reply(random));
        }
        return new World().provider("p1", FaultScript.of(replies)).provider("p2", FaultScript.of(replies.reversed()));
    }

    private static ResilientClient client(World world) {
        return world.builder()
                .breaker(BreakerPolicy.adaptive())
                .limits(World.MODEL, LimitPolicy.defaults().withConcurrency(1))
                .maxInFlight(1)
                .build();
    }

    @Property(tries = 1_500)
    void everyStreamEndsAndGivesEverythingBack(@ForAll long seed) {
        var random = new Random(seed);
        World world = world(random);
        try (ResilientClient client = client(world)) {
            for (int i = 0; i < 3; i++) {
                Reader stream = Reader.of(world, client, CallOptions.none());
                stream.response().ifPresent(response -> {
                    assertThat(response.text().orElse("")).isEqualTo(stream.text());
                    assertThat(response.attempts().getLast().succeeded()).isTrue();
                });
                stream.error().ifPresent(error -> checkFailed(stream, error));
                assertAtRest(world, i + 1);
                assertThat(world.events(CallEvent.AttemptFinished.class))
                        .hasSameSizeAs(world.events(CallEvent.AttemptStarted.class));
            }
        }
    }

    private static void checkFailed(Reader stream, CallException error) {
        assertThat(error.partialAnswer().isPresent()).isEqualTo(!stream.events().isEmpty());
        error.partialAnswer()
                .ifPresent(partial -> assertThat(partial.text().orElse("")).isEqualTo(stream.text()));
        assertThat(error.attempts().stream()
                        .allMatch(attempt -> attempt.failure().isPresent()))
                .isTrue();
    }

    private static void assertAtRest(World world, int streams) {
        assertThat(world.open()).isZero();
        assertThat(world.events(CallEvent.CallStarted.class)).hasSize(streams);
        assertThat(world.events(CallEvent.CallFinished.class)).hasSize(streams);
        assertThat(world.events(CallEvent.AttemptStarted.class)).hasSameSizeAs(world.sent());
    }

    @Property(tries = 1_500)
    void whateverEndsAStreamItEndsOnce(@ForAll long seed) {
        var random = new Random(seed);
        World world = world(random);
        try (ResilientClient client = client(world)) {
            world.time().run(() -> {
                var opened = new ArrayList<ModelStream>();
                Timekeeper.Task reader = world.time().start("holdfast-test-reader", () -> read(client, opened, random));
                world.sleep(Duration.ofMillis(random.nextInt(90_000)));
                switch (random.nextInt(3)) {
                    case 0 -> reader.interrupt();
                    case 1 -> opened.forEach(ModelStream::close);
                    default -> {
                        // it ends by itself
                    }
                }
                World.join(reader);
            });
            assertAtRest(world, 1);
            Reader.of(world, client);
            assertAtRest(world, 2);
        }
    }

    /** Reads some events, thinks now and then, and perhaps goes away without a word. */
    private static void read(ResilientClient client, List<ModelStream> opened, Random random) {
        try {
            ModelStream stream = client.stream(World.request());
            opened.add(stream);
            int most = random.nextInt(12);
            for (StreamEvent event : stream) {
                if (most-- == 0) {
                    return;
                }
                assertThat(event).isNotNull();
            }
            assertThat(stream.toResponse()).isNotNull();
        } catch (CallCancelledException e) {
            assertThat(e.kind()).isEqualTo(dev.holdfast.FailureKind.CANCELLED);
        } catch (CallException e) {
            assertThat(e.attempts().size() + e.rejections().size()).isPositive();
        }
    }
}
