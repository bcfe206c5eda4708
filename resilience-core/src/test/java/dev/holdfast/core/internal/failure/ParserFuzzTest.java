package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Failure;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.ModelRequest;
import dev.holdfast.Secret;
import dev.holdfast.core.Documents;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.JsonTextException;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hammers the parsers with real-looking input, damaged at random, for {@code holdfast.fuzz.seconds} (10 unless set). The seed
 * of a failure stands in its message; {@code -Dholdfast.fuzz.seed=…} plays it again.
 */
@Tag("fuzz")
class ParserFuzzTest {
    private static final String SECRET = "given-0815-Key";
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final List<String> SEEDS = List.of(
            "{\"error\":{\"code\":429,\"message\":\"Please retry in 58.934310785s.\",\"details\":[{\"@type\":\"x\","
                    + "\"retryDelay\":\"58s\"},{\"violations\":[{\"quotaId\":\"PerDay\",\"quotaValue\":\"0\"}]}]}}",
            "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
            "{\"detail\":[{\"loc\":[\"body\",1],\"msg\":\"field required\"}]}",
            "{\"error\":{\"message\":\"Provider returned error\",\"metadata\":{\"raw\":\"{\\\"error\\\":{\\\"code\\\":1}}\","
                    + "\"headers\":{\"X-RateLimit-Reset\":\"1767607242000\",\"X-RateLimit-Remaining\":\"0\"}}}}",
            "{\"id\":\"c\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":{\"content\":\"hi\","
                    + "\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
                    + "\"delta\":{\"content\":\"x\",\"tool_calls\":[{\"index\":0,\"id\":\"a\"}]}}],"
                    + "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1,\"total_tokens\":6}}",
            "<html><head><title>502 Bad Gateway</title></head></html>");
    private static final List<String> SENTENCES = List.of(
            "Rate limit reached: Limit 30000, Used 29571, Requested 1124. Please try again in 1 minute and 5 seconds.",
            "Please retry after half an hour, or wait 1,200 seconds (retry-after: 30, retry_after_ms=\"750\")",
            "resets in 00:01:30.5; available in 10h17m5.7s; limit: 0",
            "Bitte versuchen Sie es in 2 Minuten und 3 Sekunden erneut. R\u00E9essayez dans 1 heure 5 minutes.",
            "\u8BF7\u7B49\u5F85 1\u520630\u79D2\u540E\u91CD\u8BD5 30\u79D2\u5F8C\u306B\u518D\u8A66\u884C 30\uCD08 \uD6C4",
            "Incorrect key sk-TESTKEY-00000000 Bearer abcdef0123456789 https://u:p4ss@h/x?key=abc&sig=d api_key: \"0123456789\"",
            "token eyJhbGciOiJI.eyJzdWIi.abc and " + SECRET + " and " + SECRET + SECRET);
    private static final List<String> EVENTS = List.of("", "error", "ping", "throttlingException");
    private static final List<String> VALUES = List.of(
            "6m0s",
            "1767607242000",
            "2026-01-05T10:00:30Z",
            "PT1M30S",
            "Mon, 05 Jan 2026 10:00:30 GMT",
            "\"api\";r=999;t=295",
            "1000, 1000;w=1",
            "99999999999999999999",
            "0.000000001",
            "Monday, 05-Jan-26 10:00:30 GMT",
            "Mon Jan  5 10:00:30 2026",
            "limit=100, remaining=5, reset=30",
            "1m30.5s",
            "-1");

    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));
    private final Redactor redactor = Redactor.of(List.of(Secret.of(SECRET), Secret.of("me")));
    private final OpenAiDialect dialect = new OpenAiDialect();

    @Test
    void damagedInputIsAlwaysUnderstoodSomehow() {
        long seed = Long.getLong("holdfast.fuzz.seed", new Random().nextLong());
        long end = System.nanoTime() + Long.getLong("holdfast.fuzz.seconds", 10) * 1_000_000_000L;
        long rounds = 0;
        do {
            Random random = new Random(seed + rounds);
            try {
                round(random);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("holdfast.fuzz.seed=" + (seed + rounds), e);
            }
            rounds++;
        } while (System.nanoTime() - end < 0);
        assertThat(rounds).isPositive();
    }

    private void round(Random random) {
        String body = random.nextInt(3) == 0
                ? Documents.value(
                                random,
                                6,
                                any -> pick(any, ParsersAreTotalTest.MEMBERS),
                                any -> pick(any, ParsersAreTotalTest.TEXTS))
                        .toJson()
                : damaged(random, pick(random, SEEDS));
        var fields = new ArrayList<Map.Entry<String, String>>();
        for (int i = random.nextInt(6); i > 0; i--) {
            fields.add(Map.entry(pick(random, ParsersAreTotalTest.NAMES), damaged(random, pick(random, VALUES))));
        }
        int status = pick(random, List.of(200, 200, 400, 403, 413, 429, 500, 503, random.nextInt()));
        var answer = new ReceivedAnswer(status, Headers.of(fields), Bytes.utf8(body), random.nextBoolean(), NOW);
        RateLimitHeaders.parse(answer.headers(), NOW);
        Form form = pick(random, List.of(Form.values()));
        switch (classifier.judge(answer, form)) {
            case Judgement.Bad(Failure failure) -> ParsersAreTotalTest.check(failure);
            case Judgement.Good good -> decode(good);
        }
        classifier
                .classify(new ServerSentEvent(pick(random, EVENTS), body, ""), answer)
                .ifPresent(ParsersAreTotalTest::check);
        stream(body);
        roundTrip(body);
        words(damaged(random, pick(random, SENTENCES)), body);
        fields.forEach(field -> lengths(field.getValue()));
    }

    /** What reads sentences: waits as people say them, limits that a request never fits, keys, and what is quoted. */
    private void words(String words, String request) {
        Prose.delay(words).ifPresent(ParserFuzzTest::isLength);
        String lower = words.toLowerCase(Locale.ROOT);
        for (int at = 0; at < lower.length(); at++) {
            int from = at;
            SpokenDelay.at(lower, at).ifPresent(found -> {
                isLength(found.length());
                assertThat(found.end()).isBetween(from + 1, lower.length());
            });
        }
        ErrorWords.neverFits(words);
        ErrorWords.nothingAllowed(words);
        ErrorWords.read(words, 400, false);
        String cleaned = redactor.clean(words);
        assertThat(cleaned.toLowerCase(Locale.ROOT)).doesNotContain(SECRET.toLowerCase(Locale.ROOT));
        assertThat(redactor.clean(cleaned)).as("cleaned again").isEqualTo(cleaned);
        ModelRequest quoting = ModelRequest.chat("m").user(request).user(words).build();
        assertThat(redactor.hiding(() -> Quoted.of(quoting.document()))
                        .clean(words)
                        .length())
                .isLessThanOrEqualTo(500);
        ReceivedAnswer answer = ReceivedAnswer.of(429, Headers.empty(), Bytes.utf8(words), NOW);
        ParsersAreTotalTest.check(classifier.classify(answer).orElseThrow());
    }

    private static void lengths(String value) {
        DelayText.seconds(value).ifPresent(ParserFuzzTest::isLength);
        DelayText.go(value).ifPresent(ParserFuzzTest::isLength);
        DelayText.iso(value).ifPresent(ParserFuzzTest::isLength);
        ResetText.parse(value, NOW).ifPresent(ParserFuzzTest::isLength);
        assertThat(HttpDate.parse(value, NOW)).isNotNull();
    }

    private static void isLength(Duration length) {
        assertThat(length).isBetween(Duration.ZERO, DelayText.LONGEST);
    }

    private void decode(Judgement.Good good) {
        ModelRequest request = ModelRequest.chat("m").user("hi").build();
        try {
            dialect.encodeAnswer(dialect.decodeAnswer(request, good.document()), "m");
            dialect.decodeRequest("/v1/chat/completions", good.document());
        } catch (DialectException e) {
            assertThat(e).hasMessageStartingWith("/");
        }
    }

    private void stream(String body) {
        StreamDecoder decoder = dialect.streams()
                .orElseThrow()
                .decoder(ModelRequest.chat("m").user("hi").build());
        for (int i = 0; i < 3; i++) {
            try {
                decoder.decode(ServerSentEvent.ofData(body));
            } catch (DialectException e) {
                assertThat(e).hasMessageStartingWith("/");
            }
        }
        assertThat(decoder.answer().document().toJson()).isNotEmpty();
    }

    private static void roundTrip(String body) {
        try {
            String text = JsonText.parse(body).toJson();
            assertThat(JsonText.parse(text).toJson()).isEqualTo(text);
        } catch (JsonTextException e) {
            assertThat(e.line()).isPositive();
        }
    }

    private static String damaged(Random random, String text) {
        var damaged = new StringBuilder(text);
        for (int i = random.nextInt(4); i > 0 && !damaged.isEmpty(); i--) {
            int at = random.nextInt(damaged.length());
            switch (random.nextInt(4)) {
                case 0 -> damaged.deleteCharAt(at);
                case 1 -> damaged.insert(at, (char) random.nextInt(random.nextBoolean() ? 128 : 0x10000));
                case 2 -> damaged.setLength(at);
                default -> damaged.insert(at, damaged.substring(at, Math.min(damaged.length(), at + 9)));
            }
        }
        return damaged.toString();
    }

    private static <T> T pick(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
