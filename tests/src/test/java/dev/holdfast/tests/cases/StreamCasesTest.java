package dev.holdfast.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.tests.behaviour.World.Ended;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Plays the reported failures of streams through the whole client, on virtual time. */
class StreamCasesTest {
    private static final Set<String> KINDS = Set.of("stream", "stream_sequence");
    private static final int STREAMS = 11;
    private static final int SEQUENCES = 1;
    private static final Pattern CANCELLED_EARLY =
            Pattern.compile("(\\d+) times: start stream, read (\\d+) deltas, cancel");

    @TestFactory
    Stream<DynamicTest> reportedFailures() {
        return ours().stream()
                .flatMap(Case::withVariants)
                .map(one -> DynamicTest.dynamicTest(one.displayName(), () -> play(one)));
    }

    @Test
    void noCaseIsLeftOutSilently() {
        assertThat(ours().stream().filter(one -> one.kind().equals("stream"))).hasSize(STREAMS);
        assertThat(ours().stream().filter(one -> one.kind().equals("stream_sequence")))
                .hasSize(SEQUENCES);
        assertThat(Case.all().stream().filter(one -> one.capability().equals("streaming")))
                .isSubsetOf(ours());
    }

    private static List<Case> ours() {
        return Case.all().stream().filter(one -> KINDS.contains(one.kind())).toList();
    }

    private static void play(Case one) {
        Case played = withoutRetriesUnlessItSaysSo(one);
        World world = new World(played.now());
        for (String name : Setting.names(played)) {
            world.provider(name, StreamReplies.script(played));
        }
        try (ResilientClient client = Setting.client(played, world).build()) {
            if (played.kind().equals("stream_sequence")) {
                playCancelled(played, world, client);
            } else if (played.given().path("request_stream").asBoolean(true)) {
                new StreamVerdict(world, Reader.of(world, client)).check(played.expect());
            } else {
                new StreamVerdict(world, asRead(world.call(client))).check(played.expect());
            }
        }
    }

    /** A case that speaks of no retries is about what becomes of one stream. */
    private static Case withoutRetriesUnlessItSaysSo(Case one) {
        if (one.config().has("max_retries")) {
            return one;
        }
        ObjectNode given = one.given().deepCopy();
        given.withObject("/config").put("max_retries", 0);
        return new Case(one.id(), one.title(), one.capability(), given, one.expect());
    }

    /** A call that is not streamed, as if its text had been read in one piece. */
    private static Reader asRead(Ended call) {
        List<StreamEvent> events = call.response().stream()
                .flatMap(response -> response.text().stream())
                .<StreamEvent>map(StreamEvent.TextDelta::new)
                .toList();
        return new Reader(events, call.response(), call.error(), call.began(), call.at(), call.interrupted());
    }

    private static void playCancelled(Case one, World world, ResilientClient client) {
        Matcher steps = CANCELLED_EARLY.matcher(one.given().path("steps").get(0).asText());
        assertThat(steps.matches()).isTrue();
        int times = Integer.parseInt(steps.group(1));
        int deltas = Integer.parseInt(steps.group(2));
        for (int i = 0; i < times; i++) {
            world.time().run(() -> readAndClose(client, deltas));
            assertThat(world.open())
                    .as("exchanges open after the stream was closed")
                    .isZero();
        }
        long failures = world.events(CallEvent.AttemptFinished.class).stream()
                .flatMap(finished -> finished.attempt().failure().stream())
                .filter(failure -> failure.kind() != FailureKind.CANCELLED)
                .count();
        assertThat(failures).isEqualTo(one.expect().path("failures_recorded").asLong());
        assertThat(world.sent()).hasSize(one.expect().path("upstream_aborted").asInt());
        assertThat(one.expect().path("state").asText()).isEqualTo("CLOSED");
        assertThat(world.events(CallEvent.BreakerChanged.class)).isEmpty();
    }

    private static void readAndClose(ResilientClient client, int deltas) {
        try (ModelStream stream = client.stream(World.request(), CallOptions.none())) {
            int read = 0;
            for (StreamEvent event : stream) {
                read += event instanceof StreamEvent.TextDelta ? 1 : 0;
                if (read == deltas) {
                    return;
                }
            }
            throw new AssertionError("the stream ended after " + read + " deltas: " + Optional.of(stream));
        }
    }
}
