package dev.holdfast.core.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import dev.holdfast.core.internal.failure.Redactor;
import dev.holdfast.core.internal.sse.SseDecoder;
import dev.holdfast.core.internal.stream.StreamBrokenException;
import dev.holdfast.core.internal.stream.StreamJudge;
import dev.holdfast.core.internal.stream.StreamReader;
import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.spi.TransportException;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The reported failures of decoding: the events, however the bytes are cut, and the answer that they make. */
class SseCasesTest {
    private static final int PLAYED = 10;

    @TestFactory
    List<DynamicTest> decoding() {
        return played().stream()
                .map(handed -> dynamicTest(handed.displayName(), () -> play(handed)))
                .toList();
    }

    @Test
    void everyCaseOfDecodingIsPlayed() {
        assertThat(played()).hasSize(PLAYED);
        assertThat(played()).extracting(HandedCase::kind).containsOnly("sse", "sse_llm");
    }

    private static List<HandedCase> played() {
        return HandedCase.all().stream()
                .filter(handed -> handed.capability().equals("sse-decoding"))
                .toList();
    }

    private static void play(HandedCase handed) throws Exception {
        List<byte[]> chunks = handed.given().list("chunks_hex").stream()
                .map(chunk -> HexFormat.of().parseHex(chunk.asText().orElseThrow()))
                .toList();
        if (handed.kind().equals("sse")) {
            playEvents(handed.expect(), chunks);
        } else {
            playAnswer(handed.expect(), chunks);
        }
    }

    private static void playEvents(JsonObject expect, List<byte[]> chunks) throws TransportException {
        var decoder = new SseDecoder();
        var events = new ArrayList<ServerSentEvent>();
        var emitted = new ArrayList<Long>();
        for (byte[] chunk : chunks) {
            decoder.decode(chunk, 0, chunk.length, events::add);
            emitted.add((long) events.size());
        }
        byte[] stream = join(chunks);
        for (int cut = 0; cut <= stream.length; cut++) {
            assertThat(cutAt(stream, cut)).as("cut at %d", cut).isEqualTo(events);
        }
        for (var field : expect.members().entrySet()) {
            switch (field.getKey()) {
                case "events" -> checkEvents(events, field.getValue().asList());
                case "emitted_after_chunk" ->
                    assertThat(emitted)
                            .isEqualTo(field.getValue().asList().stream()
                                    .map(each -> each.asLong().orElseThrow())
                                    .toList());
                case "data_is_json" ->
                    assertThat(events)
                            .allSatisfy(event ->
                                    assertThat(JsonText.parse(event.data())).isNotNull());
                case "must_not_throw" -> assertThat(events).isNotEmpty();
                default -> throw new AssertionError("an unknown expectation: " + field.getKey());
            }
        }
    }

    private static void checkEvents(List<ServerSentEvent> events, List<JsonValue> expected) {
        assertThat(events).hasSameSizeAs(expected);
        for (int i = 0; i < events.size(); i++) {
            checkEvent(events.get(i), expected.get(i).asObject().orElseThrow());
        }
    }

    private static void checkEvent(ServerSentEvent event, JsonObject expected) {
        for (var field : expected.members().entrySet()) {
            String actual =
                    switch (field.getKey()) {
                        case "event" -> event.event().isEmpty() ? "message" : event.event();
                        case "data" -> event.data();
                        case "id" -> event.id();
                        default -> throw new AssertionError("an unknown field: " + field.getKey());
                    };
            assertThat(actual)
                    .as(field.getKey())
                    .isEqualTo(field.getValue().asText().orElseThrow());
        }
    }

    private static List<ServerSentEvent> cutAt(byte[] stream, int cut) throws TransportException {
        var decoder = new SseDecoder();
        var events = new ArrayList<ServerSentEvent>();
        decoder.decode(stream, 0, cut, events::add);
        decoder.decode(stream, cut, stream.length - cut, events::add);
        return events;
    }

    private static void playAnswer(JsonObject expect, List<byte[]> chunks) throws Exception {
        byte[] stream = join(chunks);
        var head = ReceivedAnswer.of(200, Headers.of(), Bytes.empty(), Instant.EPOCH);
        var judge = new StreamJudge(new FailureClassifier(Redactor.of(List.of())), head);
        ModelRequest request = ModelRequest.chat("m").user("hi").build();
        var reader = StreamReader.of(
                Bytes.of(stream), new OpenAiDialect().streams().orElseThrow().decoder(request), judge);
        readAll(reader);
        for (var field : expect.members().entrySet()) {
            JsonValue value = field.getValue();
            switch (field.getKey()) {
                case "text" -> assertThat(reader.answer().text()).isEqualTo(value.asText());
                case "finish_reason" ->
                    assertThat(reader.answer().finishReason().orElseThrow().wireName())
                            .isEqualTo(value.asText().orElseThrow());
                case "skipped_payloads" ->
                    assertThat((long) reader.passedOver())
                            .isEqualTo(value.asLong().orElseThrow());
                case "raw_events_first" ->
                    checkEvent(cutAt(stream, 0).getFirst(), value.asObject().orElseThrow());
                case "complete", "must_not_throw" ->
                    assertThat(value.isTrue()).as("it came to a good end").isTrue();
                default -> throw new AssertionError("an unknown expectation: " + field.getKey());
            }
        }
    }

    private static void readAll(StreamReader reader) throws StreamBrokenException, InterruptedException {
        while (reader.next() != null) {
            // put together by the decoder
        }
    }

    private static byte[] join(List<byte[]> chunks) {
        var all = new ByteArrayOutputStream();
        chunks.forEach(all::writeBytes);
        return all.toByteArray();
    }
}
