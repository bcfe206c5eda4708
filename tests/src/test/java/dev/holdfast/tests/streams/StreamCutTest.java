package dev.holdfast.tests.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.tests.behaviour.Sse;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.transport.JdkTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stream that is cut at any byte is a failure with the first part of its text, or a whole answer; nothing between. */
class StreamCutTest {
    private static final CallOptions ONCE = CallOptions.none().withRetry(false);
    private static final String TEXT = "Grüße 🌍, two lines of it";
    private static final String STREAM = Sse.PING
            + Sse.ROLE
            + Sse.text("Grüße 🌍")
            + Sse.text(", two ")
            + Sse.PING.replace("\n", "\r\n")
            + Sse.text("lines ").replace("\n", "\r\n")
            + Sse.text("of it").replace("\n", "\r")
            + Sse.STOP
            + Sse.USAGE
            + Sse.DONE;
    private static final int SIZE = STREAM.getBytes(StandardCharsets.UTF_8).length;
    /** The first cut that takes nothing from the answer: the finish reason's closing brace has come. */
    private static final int WHOLE_FROM = STREAM.substring(
                    0, STREAM.indexOf(Sse.STOP) + Sse.STOP.strip().length())
            .getBytes(StandardCharsets.UTF_8)
            .length;

    private enum Cut {
        CLOSED(Reply::cutAfter),
        UNNOTICED((reply, size) -> reply.withFraming(Framing.UNTIL_CLOSE).cutAfter(size)),
        RESET(Reply::resetAfter),
        SILENT(Reply::hangAfter);

        private final BiFunction<Reply, Integer, Reply> doing;

        Cut(BiFunction<Reply, Integer, Reply> doing) {
            this.doing = doing;
        }

        Reply at(int size) {
            return doing.apply(Sse.of(STREAM), size);
        }

        /** A connection that broke does not say whether the last event was whole. */
        int wholeFrom() {
            return this == UNNOTICED ? WHOLE_FROM : WHOLE_FROM + 2;
        }
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void onVirtualTime(Cut cut) {
        World world = new World();
        var script = FaultScript.healthy();
        for (int size = 0; size < SIZE; size++) {
            script = script.then(cut.at(size));
        }
        world.provider("p1", script);
        try (ResilientClient client = world.builder().build()) {
            for (int size = 0; size < SIZE; size++) {
                Reader stream = Reader.of(world, client, ONCE);
                check(cut, size, stream.text(), stream.error());
                assertThat(stream.response().flatMap(response -> response.text()))
                        .as("%s at %d", cut, size)
                        .isEqualTo(size >= cut.wholeFrom() ? Optional.of(TEXT) : Optional.empty());
                assertThat(stream.took()).isLessThanOrEqualTo(Duration.ofSeconds(30));
                assertThat(world.open()).isZero();
            }
        }
    }

    @Test
    void overSockets() {
        for (Cut cut : List.of(Cut.CLOSED, Cut.UNNOTICED, Cut.RESET)) {
            var script = FaultScript.healthy();
            for (int size = 0; size < SIZE; size++) {
                script = script.then(cut.at(size));
            }
            try (var provider = FaultyProvider.start(script);
                    ResilientClient client = ResilientClient.builder()
                            .endpoint(Endpoint.builder("p1", provider.baseUrl())
                                    .credential(Credential.of("sk-test"))
                                    .build())
                            .transport(new JdkTransport())
                            .withoutBreaker()
                            .discovery(false)
                            .build()) {
                for (int size = 0; size < SIZE; size++) {
                    playOverSockets(client, cut, size);
                }
            }
        }
    }

    private static void playOverSockets(ResilientClient client, Cut cut, int size) {
        var events = new ArrayList<StreamEvent>();
        Optional<CallException> error = Optional.empty();
        try (ModelStream stream = client.stream(World.request(), ONCE)) {
            stream.forEach(events::add);
            assertThat(stream.toResponse().text()).contains(TEXT);
        } catch (CallException e) {
            error = Optional.of(e);
        }
        // A reset may overtake what was sent before it.
        if (cut != Cut.RESET) {
            check(cut, size, Reader.textOf(events), error);
        }
        assertThat(TEXT).startsWith(Reader.textOf(events));
    }

    private static void check(Cut cut, int size, String text, Optional<CallException> error) {
        assertThat(error.isEmpty()).as("%s at %d: a good end", cut, size).isEqualTo(size >= cut.wholeFrom());
        assertThat(TEXT).as("%s at %d", cut, size).startsWith(text);
        if (error.isPresent() && !text.isEmpty()) {
            assertThat(error.get().partialAnswer().orElseThrow().text())
                    .as("%s at %d", cut, size)
                    .contains(text);
        }
    }
}
