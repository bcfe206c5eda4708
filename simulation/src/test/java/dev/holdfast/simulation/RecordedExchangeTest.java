package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedExchangeTest {
    private static final String PLAIN = """
            {"id": "a", "provider": "p", "request": {"method": "POST", "uri": "https://api.example.com/v1/chat/completions?key=<KEY>",
             "headers": [["accept", "*/*"]], "body": "{\\"model\\": \\"m\\", \\"n\\": 1}"},
             "response": {"status": 200, "headers": [["Content-Type", "application/json"], ["Content-Length", "99"]], "body": "{}"}}
            """.replace("\n", " ");
    private static final String STREAM = """
            {"id": "b", "request": {"uri": "https://api.example.com/v1/chat/completions", "body": "{\\"model\\":\\"m\\",\\"stream\\":true}"},
             "response": {"status": 200, "headers": [["content-type", "text/event-stream"], ["content-encoding", "gzip"]],
             "body": "data: 1\\n\\ndata: 2\\r\\n\\r\\nrest"}}
            """.replace("\n", " ");

    private static ProviderRequest request(int number, String body) {
        return new ProviderRequest(number, "POST", "/v1/chat/completions", Headers.empty(), Bytes.utf8(body));
    }

    @Test
    void readsOneExchangeFromEachLine(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("some.jsonl"), PLAIN + "\n\n" + STREAM + "\n");
        assertThat(RecordedExchange.read(file)).extracting(RecordedExchange::id).containsExactly("a", "b");
    }

    @Test
    void saysWhichLineIsNoExchange(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("some.jsonl"), PLAIN + "\n{\"request\": {}}\n");
        assertThatThrownBy(() -> RecordedExchange.read(file)).hasMessageContaining("some.jsonl:2: response missing");
        assertThatThrownBy(() -> RecordedExchange.parse("no")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        RecordedExchange.parse("{\"request\":{\"uri\":\"http://h/\"},\"response\":{\"status\":99}}"))
                .hasMessageContaining("response.status");
    }

    @Test
    void knowsItsRequestByPathAndContent() {
        RecordedExchange plain = RecordedExchange.parse(PLAIN);
        assertThat(plain.answers(request(1, "{\"n\":1,\"model\":\"m\"}"))).isTrue();
        assertThat(plain.answers(request(1, "{\"n\":2,\"model\":\"m\"}"))).isFalse();
        assertThat(plain.answers(request(1, "no json"))).isFalse();
    }

    @Test
    void carriesTheAnswerAsItWas() {
        Reply plain = RecordedExchange.parse(PLAIN).reply();
        assertThat(plain.framing()).isEqualTo(Reply.Framing.CONTENT_LENGTH);
        assertThat(plain.headers()).isEqualTo(Headers.of("Content-Type", "application/json"));
        Reply stream = RecordedExchange.parse(STREAM).reply();
        assertThat(stream.framing()).isEqualTo(Reply.Framing.CHUNKED);
        assertThat(stream.headers().first("Content-Encoding")).hasValue("gzip");
        assertThat(stream.chunks()).hasSize(3);
    }

    @Test
    void playsTheAnswerThatWasRecordedForARequest() {
        FaultScript script =
                FaultScript.recorded(List.of(RecordedExchange.parse(PLAIN), RecordedExchange.parse(STREAM)));
        assertThat(script.reply(request(1, "{\"model\":\"m\",\"n\":1}")).body()).isEqualTo(Bytes.utf8("{}"));
        assertThat(script.reply(request(2, "{}")).status()).isEqualTo(404);
    }

    @Test
    void takesTurnsWhereOneRequestWasRecordedMoreThanOnce() {
        RecordedExchange first = RecordedExchange.parse(PLAIN);
        RecordedExchange second = RecordedExchange.parse(PLAIN.replace("\"status\": 200", "\"status\": 503"));
        FaultScript script = FaultScript.recorded(List.of(first, second));
        String body = "{\"model\":\"m\",\"n\":1}";
        assertThat(List.of(1, 2, 3))
                .extracting(n -> script.reply(request(n, body)).status())
                .containsExactly(200, 503, 200);
    }
}
