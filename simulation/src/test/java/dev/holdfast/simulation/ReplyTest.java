package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.simulation.Reply.RetryAfterForm;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReplyTest {
    private static ProviderRequest request(int number, String body) {
        return new ProviderRequest(number, "POST", "/v1/chat/completions", Headers.empty(), Bytes.utf8(body));
    }

    @Test
    void playsAScriptByTheNumbersOfTheRequests() {
        Reply limited = Reply.rateLimited(Duration.ofSeconds(1));
        var script = FaultScript.of(Reply.status(503)).then(2, limited).thenAlways(Reply.hang());
        assertThat(List.of(1, 2, 3, 4, 5000).stream().map(number -> script.reply(request(number, "{}"))))
                .containsExactly(Reply.status(503), limited, limited, Reply.hang(), Reply.hang());
        assertThat(script.reply(request(1, "{}"))).isEqualTo(Reply.status(503));
    }

    @Test
    void answersAStreamToWhoAsksForOne() {
        String asks = "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"a b\"}]}";
        Reply stream = FaultScript.healthy().reply(request(1, asks));
        assertThat(stream.body().toUtf8())
                .contains("\"content\":\"a \"", "\"content\":\"b\"", "\"finish_reason\":\"stop\"")
                .doesNotContain("usage")
                .endsWith("data: [DONE]\n\n");
        assertThat(stream.chunks()).hasSize(5);
    }

    @Test
    void joinsTheTextsOfAMessageInParts() {
        String parts = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":"
                + "[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image_url\"},{\"type\":\"text\",\"text\":\"b\"}]}]}";
        assertThat(FaultScript.healthy().reply(request(1, parts)).body().toUtf8())
                .contains("\"content\":\"ab\"");
    }

    @Test
    void shortensTheBodyToWhatIsPlayed() {
        Reply reply = Reply.events(List.of(Chunk.of("abc"), Chunk.after(Duration.ofSeconds(1), "def")));
        assertThat(reply.played()).isEqualTo(reply.chunks());
        assertThat(reply.cutAfter(4).played())
                .containsExactly(Chunk.of("abc"), Chunk.after(Duration.ofSeconds(1), "d"));
        assertThat(reply.cutAfter(3).played()).containsExactly(Chunk.of("abc"));
        assertThat(reply.cutAfter(0).played()).isEmpty();
        assertThat(reply.cutAfter(-1).ending().beforeHead()).isTrue();
        assertThat(reply.cutAfter(99).played()).isEqualTo(reply.chunks());
    }

    @Test
    void saysDurationsAsServersDo() {
        Reply reply = Reply.status(429);
        assertThat(reply.withRateLimit(0, Duration.ofMillis(12)).headers().first("x-ratelimit-reset-requests"))
                .hasValue("12ms");
        assertThat(reply.withRateLimit(0, Duration.ZERO).headers().first("x-ratelimit-reset-requests"))
                .hasValue("0s");
        assertThat(reply.withRateLimit(0, Duration.ofMinutes(6)).headers().first("x-ratelimit-reset-requests"))
                .hasValue("6m0s");
        assertThat(reply.withRateLimit(0, Duration.ofMillis(73_588)).headers().first("x-ratelimit-reset-requests"))
                .hasValue("1m13.588s");
        assertThat(reply.withRateLimit(0, Duration.ofSeconds(3_601)).headers().first("x-ratelimit-reset-requests"))
                .hasValue("1h0m1s");
    }

    @Test
    void refusesWhatNoServerCouldDo() {
        assertThatThrownBy(() -> Reply.status(99)).hasMessage("status: 99 (expected: 100 to 599)");
        assertThatThrownBy(() -> Reply.status(503).withDelay(Duration.ofSeconds(-1)))
                .hasMessage("delay: PT-1S (expected: >= 0)");
        assertThatThrownBy(() -> Reply.status(503).cutAfter(-2)).hasMessage("afterBytes: -2 (expected: >= -1)");
        assertThatThrownBy(() -> Reply.status(503).inPieces(0)).hasMessage("size: 0 (expected: >= 1)");
        assertThatThrownBy(() -> FaultScript.healthy().then(0, Reply.hang())).hasMessage("times: 0 (expected: >= 1)");
    }

    @Test
    void showsNoContentInItsText() {
        assertThat(Reply.completion("private").toString()).doesNotContain("private");
        assertThat(request(1, "private").toString()).doesNotContain("private");
    }

    @Property
    void neverSaysAShorterTimeThanGiven(@ForAll @LongRange(min = 0, max = 1_000_000_000_000_000L) long nanos) {
        Duration after = Duration.ofNanos(nanos);
        Reply reply = Reply.status(429);
        long seconds = Long.parseLong(reply.withRetryAfter(after, RetryAfterForm.SECONDS)
                .headers()
                .first("Retry-After")
                .orElseThrow());
        assertThat(Duration.ofSeconds(seconds)).isBetween(after, after.plusSeconds(1));
        long millis = Long.parseLong(reply.withRetryAfter(after, RetryAfterForm.MILLISECONDS)
                .headers()
                .first("retry-after-ms")
                .orElseThrow());
        assertThat(Duration.ofMillis(millis)).isBetween(after, after.plusMillis(1));
        Instant now = Instant.ofEpochSecond(1_800_000_000, nanos % 1_000_000_000);
        String date = reply.withRetryAfter(after, RetryAfterForm.HTTP_DATE)
                .headersAt(now)
                .first("Retry-After")
                .orElseThrow();
        Instant said =
                ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        assertThat(said).isBetween(now.plus(after), now.plus(after).plusSeconds(1));
    }

    @Property(tries = 200)
    void keepsTheBytesWhenItCutsOrCompressesThem(
            @ForAll @Size(max = 5) List<@Size(max = 50) byte[]> pieces, @ForAll @IntRange(min = 1, max = 60) int size)
            throws IOException {
        Reply reply = Reply.events(pieces.stream()
                .map(piece -> new Chunk(Duration.ZERO, Bytes.of(piece)))
                .toList());
        assertThat(reply.inPieces(size).body()).isEqualTo(reply.body());
        assertThat(reply.inPieces(size).chunks())
                .allSatisfy(chunk -> assertThat(chunk.bytes().size()).isBetween(1, size));
        try (var gunzip = new GZIPInputStream(
                new ByteArrayInputStream(reply.gzipped().inPieces(size).body().toByteArray()))) {
            assertThat(Bytes.of(gunzip.readAllBytes())).isEqualTo(reply.body());
        }
    }

    @Property
    void readsBackTheJsonItsClientsWrite(@ForAll String text, @ForAll long number) {
        var document = JsonValue.JsonObject.of(text, JsonValue.of(text))
                .with("n", JsonValue.of(number))
                .with("list", JsonValue.JsonArray.of(JsonValue.of(true), JsonValue.JsonNull.NULL));
        assertThat(request(1, document.toJson()).json()).hasValue(document);
    }

    @Property
    void readsNoJsonWithoutAnException(@ForAll String text) {
        assertThat(request(1, "{" + text + "\"").json()).isEmpty();
    }
}
