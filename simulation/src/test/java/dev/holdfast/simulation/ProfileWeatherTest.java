package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProfileWeatherTest {
    private static final Profile PUBLISHED = Profile.named("published");
    private static final String MODEL = "gpt-4.1";

    @Test
    void requestsArriveInOrderElevenASecond() {
        var weather = PUBLISHED.weather(1, 1_100);
        var arrivals = IntStream.range(0, 1_100).mapToObj(weather::arrival).toList();

        assertThat(arrivals).isSorted();
        assertThat(arrivals.getFirst()).isBetween(Duration.ZERO, Duration.ofSeconds(1));
        assertThat(arrivals.getLast()).isBetween(Duration.ofSeconds(99), Duration.ofSeconds(100));
    }

    @Test
    void theSameSeedIsTheSameWeatherAndAnotherAnother() {
        assertThat(statuses(5)).isEqualTo(statuses(5));
        assertThat(statuses(5)).isNotEqualTo(statuses(6));
    }

    @Test
    void statusesComeAsDocumentsOfTheDialect() {
        var weather = PUBLISHED.weather(3, 10_000);
        Map<Integer, String> codes = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            Reply reply = weather.reply(request(i, i % 2 == 0 ? MODEL : "claude-sonnet-4.5"), weather.arrival(i));
            JsonObject document = document(reply);
            codes.putIfAbsent(
                    reply.status(),
                    document.object("error")
                            .flatMap(error -> error.text("code"))
                            .orElse(document.text("object").orElse("?")));
        }

        assertThat(codes)
                .containsExactly(
                        Map.entry(200, "chat.completion"),
                        Map.entry(400, "content_policy_violation"),
                        Map.entry(429, "rate_limit_exceeded"),
                        Map.entry(503, "server_is_overloaded"));
    }

    @Test
    void aRefusedRequestIsRefusedAgain() {
        var weather = PUBLISHED.weather(3, 10_000);
        int refused = IntStream.range(0, 10_000)
                .filter(i -> weather.attempt(i, MODEL, weather.arrival(i)).status() == 400)
                .findFirst()
                .orElseThrow();

        assertThat(weather.attempt(refused, MODEL, Duration.ofHours(1)))
                .isEqualTo(new ProfileWeather.Outcome(400, Duration.ofMillis(10), Optional.empty(), Optional.empty()));
    }

    @Test
    void thePlannedOutagesCoverTheirShareOfTheTime() {
        var weather = PUBLISHED.weather(8, 10_000);
        long down = IntStream.range(0, 9_000)
                .filter(i ->
                        weather.attempt(i, MODEL, Duration.ofMillis(100L * i)).status() == 503)
                .count();

        // 11 outages of 3.52 s, and what a beginning outage drops: 0.89 s before each.
        assertThat(down / 10.0).isCloseTo(11 * (3.52 + 0.89), within(4.0));
    }

    @Test
    void theLimitedModelLetsThreeAtOnceThroughAndTenASecond() {
        var weather = PUBLISHED.weather(1, 100);
        var statuses = new ArrayList<Integer>();
        for (int i = 0; i < 5; i++) {
            statuses.add(weather.attempt(i, "claude-sonnet-4.5", Duration.ZERO).status());
        }
        statuses.add(
                weather.attempt(5, "claude-sonnet-4.5", Duration.ofMillis(101)).status());

        assertThat(statuses).containsExactly(200, 200, 200, 429, 429, 200);
    }

    @Test
    void longAnswersOfATraceTakeLonger() {
        var trace =
                new Trace(List.of(new Trace.Row(Duration.ZERO, 7, 0), new Trace.Row(Duration.ofSeconds(90), 7, 200)));
        var weather = PUBLISHED.withArrivals(Arrivals.of(trace)).weather(1, 2);
        Duration shortest = weather.attempt(0, MODEL, Duration.ofDays(1)).latency();
        Duration longest = weather.attempt(1, MODEL, Duration.ofDays(1)).latency();

        // 0.25 and 0.25 + 0.75 * 2 times a number around 0.89 s.
        assertThat(longest).isGreaterThan(shortest.multipliedBy(2));
        JsonObject usage = document(weather.reply(request(1, MODEL), Duration.ofDays(1)))
                .object("usage")
                .orElseThrow();
        assertThat(usage.longValue("completion_tokens")).hasValue(200);
        assertThat(weather.requests()).isEqualTo(2);
    }

    @Test
    void strangersGetNotFound() {
        var weather = PUBLISHED.weather(1, 10);

        assertThat(weather.reply(request(10, MODEL), Duration.ZERO).status()).isEqualTo(404);
        assertThat(weather.reply(request(0, "gpt-5"), Duration.ZERO).status()).isEqualTo(404);
        assertThatThrownBy(() -> PUBLISHED.weather(1, 0)).hasMessage("requests: 0 (expected: >= 1)");
    }

    private static List<String> statuses(long seed) {
        var weather = PUBLISHED.weather(seed, 500);
        return IntStream.range(0, 500)
                .mapToObj(i -> weather.attempt(i, MODEL, weather.arrival(i)).toString())
                .toList();
    }

    private static ProviderRequest request(int number, String model) {
        Bytes body = Bytes.utf8("{\"model\":\"" + model + "\",\"user\":\"r" + number + "\"}");
        return new ProviderRequest(1, "POST", "/v1/chat/completions", Headers.empty(), body);
    }

    private static JsonObject document(Reply reply) {
        return new ProviderRequest(1, "POST", "/", Headers.empty(), reply.body())
                .json()
                .orElseThrow();
    }
}
