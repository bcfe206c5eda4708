package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Failure;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.Documents;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.spi.Dialect.StreamCodec;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Whatever a server sends, the parsers have an answer, and it is no negative wait. */
class ParsersAreTotalTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    static final List<String> NAMES = List.of(
            "retry-after",
            "retry-after-ms",
            "x-ms-retry-after-ms",
            "retry-after-retry",
            "date",
            "x-should-retry",
            "x-ratelimit-reset",
            "x-ratelimit-remaining",
            "x-ratelimit-limit-requests",
            "x-ratelimit-remaining-requests",
            "x-ratelimit-reset-requests",
            "anthropic-ratelimit-tokens-reset",
            "anthropic-ratelimit-tokens-remaining",
            "anthropic-ratelimit-unified-status",
            "ratelimit",
            "ratelimit-policy",
            "ratelimitbysize-reset",
            "x-request-id",
            "x-amzn-errortype");
    private static final List<String> PIECES = List.of(
            "0",
            "1",
            "9",
            "999999999999999999",
            ".",
            "-",
            "+",
            "e",
            "s",
            "ms",
            "m",
            "h",
            "d",
            "P",
            "T",
            "S",
            "H",
            ":",
            " ",
            "\t",
            "Mon, 05 Jan 2026 10:00:30 GMT",
            "2026-01-05T10:00:30Z",
            "\u0665",
            "\"api\";r=0;t=",
            ",",
            ";",
            "=",
            "NaN",
            "Infinity",
            "rejected",
            "true",
            "try again in ",
            "µs");

    static final List<String> MEMBERS = List.of(
            "error",
            "code",
            "message",
            "details",
            "retryDelay",
            "metadata",
            "headers",
            "choices",
            "status",
            "errors",
            "retry_after",
            "violations",
            "quotaId",
            "raw",
            "type",
            "detail",
            "loc",
            "response",
            "base_resp");
    static final List<String> TEXTS = List.of(
            "1s",
            "0",
            "-5s",
            "9.9e9",
            "try again in 9999999999h",
            "{\"error\":{\"message\":\"{\\\"code\\\":429}\"}}",
            "insufficient_quota",
            "limit: 0",
            "GenerateRequestsPerDay",
            "[{",
            "error",
            "failed",
            "response",
            "429");

    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));

    @Provide
    Arbitrary<Headers> headers() {
        Arbitrary<String> value = Arbitraries.oneOf(
                Arbitraries.of(PIECES).list().ofMaxSize(6).map(pieces -> String.join("", pieces)),
                Arbitraries.strings().ofMaxLength(20));
        return Combinators.combine(Arbitraries.of(NAMES), value)
                .as(Map::entry)
                .list()
                .ofMaxSize(8)
                .map(Headers::of);
    }

    @Provide
    Arbitrary<JsonValue> documents() {
        return Documents.of(MEMBERS, TEXTS);
    }

    @Property
    void anyDocumentHasAMeaning(
            @ForAll("documents") JsonValue document,
            @ForAll("headers") Headers headers,
            @ForAll @IntRange(min = -10, max = 1100) int status,
            @ForAll Form form) {
        ReceivedAnswer answer = ReceivedAnswer.of(status, headers, Bytes.utf8(document.toJson()), NOW);
        check(answer, form);
        classifier
                .classify(new ServerSentEvent("", document.toJson(), ""), answer)
                .ifPresent(ParsersAreTotalTest::check);
    }

    @Property
    void anyBytesHaveAMeaning(
            @ForAll byte[] body, @ForAll("headers") Headers headers, @ForAll int status, @ForAll boolean cut) {
        check(new ReceivedAnswer(status, headers, Bytes.of(body), cut, NOW), Form.OPENAI_CHAT);
    }

    private void check(ReceivedAnswer answer, Form form) {
        Judgement judgement = classifier.judge(answer, form);
        if (judgement instanceof Judgement.Bad(Failure failure)) {
            check(failure);
        } else {
            assertThat(answer.isSuccess()).isTrue();
        }
        Optional<RateLimitSnapshot> limits = RateLimitHeaders.parse(answer.headers(), NOW);
        limits.stream()
                .flatMap(snapshot -> snapshot.dimensions().values().stream())
                .flatMap(dimension -> dimension.resetIn().stream())
                .forEach(ParsersAreTotalTest::check);
    }

    static void check(Failure failure) {
        assertThat(failure.message()).isNotBlank().hasSizeLessThanOrEqualTo(600);
        assertThat(failure.kind().isRejection()).isFalse();
        failure.suggestedDelay().ifPresent(ParsersAreTotalTest::check);
    }

    private static void check(Duration delay) {
        assertThat(delay).isBetween(Duration.ZERO, DelayText.LONGEST);
    }

    /** Parsers that go back and forth would not come to an end with these; there is no clock here, only an end. */
    @Test
    void longInputIsReadToItsEnd() {
        var inputs = new ArrayList<String>();
        for (String piece : PIECES) {
            inputs.add(piece.repeat(1_000_000 / piece.length()));
        }
        inputs.add("1".repeat(1_000_000) + "x");
        inputs.add("P" + "1D".repeat(500_000));
        inputs.add("1h".repeat(500_000) + "!");
        inputs.add("model ".repeat(160_000));
        inputs.add("{\"error\":".repeat(100_000));
        inputs.add("[{".repeat(500_000));
        inputs.add("{\"message\":\"" + "{\\\"a\\\":".repeat(100_000));
        inputs.add("try again in 1".repeat(70_000));
        inputs.add("sk-".repeat(300_000));
        inputs.add("<title".repeat(160_000));
        inputs.add("https://a".repeat(110_000));
        inputs.add("bearer ".repeat(140_000));
        inputs.add("api key: ".repeat(110_000));
        inputs.add("limit 5,".repeat(120_000));
        for (String input : inputs) {
            var fields = new ArrayList<Map.Entry<String, String>>();
            NAMES.forEach(name -> fields.add(Map.entry(name, input)));
            for (int status : new int[] {200, 400, 429}) {
                check(ReceivedAnswer.of(status, Headers.of(fields), Bytes.utf8(input), NOW), Form.OPENAI_CHAT);
            }
        }
    }

    /** The deepest documents that are read; a thousand levels must not be a thousand times a dozen frames. */
    @Test
    void deepDocumentsHaveAMeaning() throws DialectException {
        for (String[] shell : new String[][] {
            {"{\"error\":", "}"}, {"[", "]"}, {"{\"message\":", "}"}, {"{\"details\":[", "]}"}, {"{\"x\":", "}"}
        }) {
            String deep = shell[0].repeat(495) + "1" + shell[1].repeat(495);
            for (String body : List.of(
                    deep,
                    "{\"error\":" + deep + "}",
                    "{\"choices\":[{\"message\":{\"x\":" + deep + "},\"delta\":{\"x\":" + deep + "}}],\"usage\":{\"x\":"
                            + deep + ",\"prompt_tokens\":1,\"completion_tokens\":1},\"more\":" + deep + "}")) {
                ReceivedAnswer answer = ReceivedAnswer.of(200, Headers.empty(), Bytes.utf8(body), NOW);
                check(answer, Form.OPENAI_CHAT);
                check(ReceivedAnswer.of(429, Headers.empty(), Bytes.utf8(body), NOW), Form.OPENAI_CHAT);
                classifier.classify(ServerSentEvent.ofData(body), answer).ifPresent(ParsersAreTotalTest::check);
                stream(body);
            }
        }
    }

    private static void stream(String body) throws DialectException {
        if (body.startsWith("[")) {
            return;
        }
        ModelRequest request = ModelRequest.of(
                Form.OPENAI_CHAT, "m", JsonText.parse(body).asObject().orElseThrow());
        StreamCodec codec = new OpenAiDialect().streams().orElseThrow();
        StreamDecoder decoder = codec.decoder(request);
        StreamEncoder encoder = codec.encoder(request);
        for (int i = 0; i < 3; i++) {
            decoder.decode(ServerSentEvent.ofData(body)).forEach(encoder::encode);
        }
        assertThat(decoder.answer().document().toJson()).isNotEmpty();
        assertThat(encoder.end()).isNotEmpty();
    }

    @Test
    void manyHeadersMakeNoManyDimensions() {
        var fields = new ArrayList<Map.Entry<String, String>>();
        for (int i = 0; i < 1000; i++) {
            fields.add(Map.entry("x-ratelimit-limit-" + i, "5"));
        }
        assertThat(RateLimitHeaders.parse(Headers.of(fields), NOW)
                        .orElseThrow()
                        .dimensions()
                        .size())
                .isLessThan(100);
    }
}
