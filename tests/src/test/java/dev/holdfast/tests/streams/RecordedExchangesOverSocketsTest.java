package dev.holdfast.tests.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FinishReason;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.ToolCall;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.tests.streams.Recording.Said;
import dev.holdfast.transport.JdkTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Exchanges that others recorded with real providers, played by a server on a socket and read by a client over the real
 * transport; skipped where they are not at hand.
 */
class RecordedExchangesOverSocketsTest {
    private static final ModelRequest REQUEST =
            ModelRequest.chat("m").user("Name three rivers.").build();
    private static final CallOptions ONCE = CallOptions.none().withRetry(false);

    @TestFactory
    Stream<DynamicTest> streams() {
        return ofKind("stream")
                .flatMap(recording -> Stream.of(7, 1_000)
                        .map(size ->
                                dynamicTest(recording + " in pieces of " + size, () -> playStream(recording, size))));
    }

    @TestFactory
    Stream<DynamicTest> answers() {
        return ofKind("plain").map(recording -> dynamicTest(recording.toString(), () -> playAnswer(recording)));
    }

    @TestFactory
    Stream<DynamicTest> errors() {
        return ofKind("error").map(recording -> dynamicTest(recording.toString(), () -> playError(recording)));
    }

    /** Those of other dialects are passed through as they are. */
    @TestFactory
    Stream<DynamicTest> streamsWithoutAForm() {
        return Recording.all().stream()
                .filter(recording -> !recording.isChat() && recording.kind().equals("stream"))
                .map(recording -> dynamicTest(recording.toString(), () -> playOpaque(recording)));
    }

    private static void playOpaque(Recording recording) {
        List<String> said = recording.data();
        try (var provider = FaultyProvider.start(FaultScript.always(recording.reply(100)));
                ResilientClient client = client(provider);
                ModelStream stream = client.stream(ModelRequest.opaque("/elsewhere", "m", JsonObject.empty()), ONCE)) {
            var data = new ArrayList<String>();
            stream.forEach(event -> {
                switch (event) {
                    case StreamEvent.Opaque opaque -> data.add(opaque.data().toJson());
                    case StreamEvent.Other other -> data.add(other.document().toJson());
                    default -> assertThat(event).isInstanceOf(StreamEvent.UsageReported.class);
                }
            });
            assertThat(data).isEqualTo(said);
            assertThat(stream.toResponse().answer().document().members()).isNotEmpty();
        }
    }

    @TestFactory
    Stream<DynamicTest> answersAndErrorsWithoutAForm() {
        return Recording.all().stream()
                .filter(recording -> !recording.isChat() && !recording.kind().equals("stream"))
                .map(recording -> dynamicTest(recording.toString(), () -> playOpaqueAnswer(recording)));
    }

    private static void playOpaqueAnswer(Recording recording) {
        ModelRequest request = ModelRequest.opaque("/elsewhere", "m", JsonObject.empty());
        try (var provider = FaultyProvider.start(FaultScript.always(recording.reply(1_000)));
                ResilientClient client = client(provider)) {
            if (recording.kind().equals("error")) {
                CallException failed = catchThrowableOfType(CallException.class, () -> client.call(request, ONCE));
                assertThat(failed.status()).hasValue(recording.status());
            } else if (JsonText.parse(recording.body()) instanceof JsonObject said) {
                assertThat(client.call(request, ONCE).answer().document()).isEqualTo(said);
            } else {
                CallException failed = catchThrowableOfType(CallException.class, () -> client.call(request, ONCE));
                assertThat(failed).hasMessageContaining("JSON, but no object");
            }
        }
    }

    @Test
    void noneIsLeftOut() {
        assertThat(ofKind("stream")).hasSizeGreaterThan(50);
        assertThat(ofKind("plain")).hasSizeGreaterThan(50);
        assertThat(ofKind("error")).hasSizeGreaterThan(10);
    }

    private static Stream<Recording> ofKind(String kind) {
        return Recording.all().stream()
                .filter(recording -> recording.isChat() && recording.kind().equals(kind));
    }

    private static void playStream(Recording recording, int pieceSize) {
        Said said = recording.said();
        try (var provider = FaultyProvider.start(FaultScript.always(recording.reply(pieceSize)));
                ResilientClient client = client(provider)) {
            if (said.error() || recording.body().size() == 0) {
                assertThat(failure(client, true).attempts()).hasSize(1);
                return;
            }
            var events = new ArrayList<StreamEvent>();
            try (ModelStream stream = client.stream(REQUEST, ONCE)) {
                stream.forEach(events::add);
                check(stream.toResponse(), said);
            }
            assertThat(Reader.textOf(events)).isEqualTo(said.content());
            assertThat(provider.requests()).hasSize(1);
        }
    }

    private static void playAnswer(Recording recording) {
        Said said = recording.said();
        try (var provider = FaultyProvider.start(FaultScript.always(recording.reply(1_000)));
                ResilientClient client = client(provider)) {
            if (said.error()) {
                assertThat(failure(client, false).attempts()).hasSize(1);
                assertThat(failure(client, true).attempts()).hasSize(1);
                return;
            }
            ModelResponse called = client.call(REQUEST, ONCE);
            check(called, said);
            try (ModelStream stream = client.stream(REQUEST, ONCE)) {
                assertThat(stream.toResponse().answer()).isEqualTo(called.answer());
            }
        }
    }

    private static void playError(Recording recording) {
        try (var provider = FaultyProvider.start(FaultScript.always(recording.reply(1_000)));
                ResilientClient client = client(provider)) {
            CallException called = failure(client, false);
            CallException streamed = failure(client, true);

            assertThat(called.status()).hasValue(recording.status());
            assertThat(streamed.failure()).usingRecursiveComparison().isEqualTo(called.failure());
        }
    }

    private static CallException failure(ResilientClient client, boolean streamed) {
        return catchThrowableOfType(CallException.class, () -> {
            if (streamed) {
                client.stream(REQUEST, ONCE).toResponse();
            } else {
                client.call(REQUEST, ONCE);
            }
        });
    }

    private static void check(ModelResponse response, Said said) {
        assertThat(response.text().orElse("")).isEqualTo(said.content());
        assertThat(response.toolCalls().stream().map(ToolCall::arguments).toList())
                .isEqualTo(said.arguments());
        assertThat(rawFinishReason(response)).isEqualTo(said.finishReason());
        assertThat(response.finishReason().isPresent())
                .isEqualTo(!said.finishReason().isEmpty());
        assertThat(response.finishReason()).isNotEqualTo(Optional.of(FinishReason.OTHER));
        assertThat(response.usage().map(usage -> usage.totalInput() + usage.output()))
                .isEqualTo(said.tokens());
    }

    private static String rawFinishReason(ModelResponse response) {
        return response.document()
                .list("choices")
                .getFirst()
                .asObject()
                .flatMap(choice -> choice.text("finish_reason"))
                .orElse("");
    }

    private static ResilientClient client(FaultyProvider provider) {
        return ResilientClient.builder()
                .endpoint(Endpoint.builder("p1", provider.baseUrl())
                        .credential(Credential.of("sk-test"))
                        .build())
                .transport(new JdkTransport())
                .withoutBreaker()
                .discovery(false)
                .build();
    }

    @Test
    void recordingsHoldWhatTheirReadingSays() {
        List<Said> all = ofKind("stream").map(Recording::said).toList();

        assertThat(all).filteredOn(said -> said.tokens().isPresent()).hasSizeGreaterThan(20);
        assertThat(all).filteredOn(said -> !said.arguments().isEmpty()).hasSizeGreaterThan(3);
        assertThat(all).filteredOn(said -> !said.content().isEmpty()).hasSizeGreaterThan(20);
    }
}
