package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.Bytes;
import dev.holdfast.FailureKind;
import dev.holdfast.FinishReason;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Exchanges that others recorded with real providers; skipped where they are not at hand. */
class RecordedExchangesTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final List<Recorded> ALL = new ArrayList<>();

    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));
    private final OpenAiDialect dialect = new OpenAiDialect();
    private final ModelRequest request = ModelRequest.chat("m").user("hi").build();

    private record Recorded(String provider, String id, String kind, boolean chat, ReceivedAnswer answer) {
        @Override
        public String toString() {
            return provider + " " + id;
        }
    }

    @BeforeAll
    static void readAll() throws IOException {
        Path folder = Path.of(System.getProperty("holdfast.shared", "../../shared"), "data", "exchanges");
        assumeThat(folder)
                .as("recorded exchanges at ../shared/data/exchanges from the project's root")
                .isDirectory();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    ALL.add(recorded(JsonText.parse(line).asObject().orElseThrow()));
                }
            }
        }
    }

    private static Recorded recorded(JsonObject entry) {
        JsonObject response = entry.object("response").orElseThrow();
        var fields = new ArrayList<Map.Entry<String, String>>();
        for (JsonValue field : response.list("headers")) {
            fields.add(Map.entry(
                    field.asList().get(0).asText().orElseThrow(),
                    field.asList().get(1).asText().orElseThrow()));
        }
        Bytes body = response.text("bodyBase64")
                .map(text -> Bytes.of(Base64.getDecoder().decode(text)))
                .orElseGet(() -> Bytes.utf8(response.text("body").orElse("")));
        String uri = entry.object("request").orElseThrow().text("uri").orElseThrow();
        return new Recorded(
                entry.text("provider").orElseThrow(),
                entry.text("id").orElseThrow(),
                entry.text("kind").orElseThrow(),
                uri.contains("chat/completions"),
                ReceivedAnswer.of((int) response.longValue("status").orElseThrow(), Headers.of(fields), body, NOW));
    }

    private static List<Recorded> ofKind(String kind) {
        return ALL.stream().filter(recorded -> recorded.kind().equals(kind)).toList();
    }

    @Test
    void errorsAreWhatTheyWere() {
        assertThat(ofKind("error"))
                .hasSizeGreaterThan(20)
                .allSatisfy(recorded -> assertThat(classifier
                                .classify(recorded.answer())
                                .orElseThrow()
                                .kind())
                        .isEqualTo(expected(recorded)));
    }

    private static FailureKind expected(Recorded recorded) {
        String body = recorded.answer().body().toUtf8();
        return switch (recorded.answer().status()) {
            case 401 -> FailureKind.AUTH;
            case 404 -> FailureKind.MODEL_NOT_FOUND;
            case 429 -> FailureKind.RATE_LIMITED;
            default -> {
                if (body.contains("too long") || body.contains("maximum context length")) {
                    yield FailureKind.CONTEXT_LENGTH;
                }
                yield body.contains("API key not valid") ? FailureKind.AUTH : FailureKind.INVALID_REQUEST;
            }
        };
    }

    @Test
    void goodAnswersAreGood() {
        assertThat(ofKind("plain").stream()
                        .filter(recorded -> !recorded.answer().body().toUtf8().startsWith("["))
                        .filter(recorded -> !isError(recorded))
                        .toList())
                .hasSizeGreaterThan(100)
                .allSatisfy(recorded ->
                        assertThat(classifier.classify(recorded.answer())).isEmpty());
    }

    private static boolean isError(Recorded recorded) {
        return JsonText.parse(recorded.answer().body())
                .asObject()
                .flatMap(object -> object.get("error"))
                .filter(error -> !error.isNull())
                .isPresent();
    }

    @Test
    void errorsWithinASuccessAreErrors() {
        assertThat(ofKind("plain").stream()
                        .filter(RecordedExchangesTest::isError)
                        .map(recorded -> classifier
                                .classify(recorded.answer())
                                .orElseThrow()
                                .kind()))
                .containsExactly(FailureKind.CONTENT_POLICY);
    }

    @Test
    void answersInOpenAisFormAreDecodedAndWrittenAgainUnchanged() {
        assertThat(ofKind("plain").stream()
                        .filter(recorded -> recorded.chat() && !isError(recorded))
                        .toList())
                .hasSizeGreaterThan(50)
                .allSatisfy(recorded -> {
                    JsonObject document =
                            JsonText.parse(recorded.answer().body()).asObject().orElseThrow();
                    ModelAnswer answer = dialect.decodeAnswer(request, document);
                    assertThat(answer.finishReason().filter(FinishReason.OTHER::equals))
                            .isEmpty();
                    assertThat(answer.usage()).isPresent();
                    assertThat(JsonText.parse(document.toJson())).isEqualTo(document);
                });
    }

    @Test
    void limitsAreReadFromWhatProvidersSend() {
        assertThat(ALL)
                .allSatisfy(recorded -> RateLimitHeaders.parse(recorded.answer().headers(), NOW));
        assertThat(ALL.stream()
                        .filter(recorded -> RateLimitHeaders.parse(
                                        recorded.answer().headers(), NOW)
                                .isPresent())
                        .map(Recorded::provider)
                        .distinct())
                .contains("openai", "azure", "anthropic", "mistral", "together");
    }

    @Test
    void streamsInOpenAisFormComeTogether() {
        assertThat(ofKind("stream").stream()
                        .filter(Recorded::chat)
                        .filter(recorded -> !recorded.answer().body().toUtf8().isBlank())
                        .toList())
                .hasSizeGreaterThan(40)
                .allSatisfy(recorded -> check(recorded.answer()));
    }

    private void check(ReceivedAnswer answer) throws DialectException {
        StreamDecoder decoder = dialect.streams().orElseThrow().decoder(request);
        boolean failed = false;
        for (ServerSentEvent event : events(answer.body().toUtf8())) {
            failed |= classifier.classify(event, answer).isPresent();
            decoder.decode(event);
        }
        assertThat(decoder.isComplete()).isNotEqualTo(failed);
        if (!failed) {
            ModelAnswer whole = decoder.answer();
            assertThat(whole.text().isPresent() || !whole.toolCalls().isEmpty()).isTrue();
            assertThat(dialect.decodeAnswer(request, whole.document())).isEqualTo(whole);
        }
    }

    /** The recorded streams are plain ones: a name and a line of data per event. */
    private static List<ServerSentEvent> events(String body) {
        var events = new ArrayList<ServerSentEvent>();
        String name = "";
        for (String line : body.split("\r\n|\n")) {
            if (line.startsWith("event:")) {
                name = line.substring(6).strip();
            } else if (line.startsWith("data:")) {
                events.add(new ServerSentEvent(name, line.substring(5).strip(), ""));
                name = "";
            }
        }
        return events;
    }
}
