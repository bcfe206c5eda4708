package dev.holdfast.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.CacheMode;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Headers;
import dev.holdfast.ModelRequest;
import dev.holdfast.Secret;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.CanonicalRequest;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.LogCapture;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.tests.behaviour.World.Ended;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Cases that look for a secret in everything that can be read: what is printed, what is thrown, what is logged. */
final class SecretScan {
    private static final String BARE_KEY = "sk-TESTKEY-000000000000000000000000";

    private SecretScan() {}

    static void play(Case one) {
        assertThat(one.expect().path("secret_in")).isEmpty();
        if (one.given().has("headers")) {
            scanHeaders(one);
        } else if (one.given().has("request")) {
            scanCaching(one);
        } else if (one.given().has("server")) {
            scanAnswer(one);
        } else {
            scanKeys(one);
        }
    }

    private static void scanHeaders(Case one) {
        var fields = new ArrayList<Map.Entry<String, String>>();
        Case.elements(one.given().path("headers"))
                .forEach(field ->
                        fields.add(Map.entry(field.get(0).asText(), field.get(1).asText())));
        Set<String> extra = new HashSet<>();
        Case.elements(one.given().path("extra_secret_headers")).forEach(name -> extra.add(name.asText()));
        Headers headers = Headers.of(fields);

        assertThat(headers.toString(extra)).doesNotContain(BARE_KEY);
        for (JsonNode visible : one.expect().path("visible")) {
            assertThat(headers.toString(extra)).contains(visible.asText());
        }
        var upper = fields.stream()
                .map(field -> Map.entry(field.getKey().toUpperCase(java.util.Locale.ROOT), field.getValue()))
                .toList();
        assertThat(Headers.of(upper).toString(extra)).doesNotContain(BARE_KEY);
    }

    private static void scanKeys(Case one) {
        String given = one.given().path("api_key").asText();
        assertThat(given).startsWith(BARE_KEY);
        for (String key : List.of(given, BARE_KEY.replaceFirst("-", "-\t"), BARE_KEY.replaceFirst("-", "-\u00e9"))) {
            var shown = new StringBuilder();
            World world = new World().provider("p1", FaultScript.healthy());
            try (var log = new LogCapture()) {
                try (ResilientClient client = world.builder()
                        .defaults(CallOptions.none().withCredential(Credential.of(key)))
                        .build()) {
                    Ended call = world.call(client);
                    shown.append(client)
                            .append(call.answer())
                            .append(call.answer().attempts());
                    assertThat(world.sent().getFirst().header("Authorization")).isEqualTo("Bearer " + BARE_KEY);
                } catch (IllegalArgumentException e) {
                    assertThat(key).isNotEqualTo(given);
                    shown.append(trace(e));
                }
                shown.append(log.text());
            }
            assertThat(shown.toString()).isNotEmpty().doesNotContain("TESTKEY");
        }
    }

    private static void scanAnswer(Case one) {
        String key = one.given().path("api_key").asText();
        World world =
                new World(one.now()).provider("p1", Replies.script(one.given().path("server"), Duration.ZERO));
        var shown = new StringBuilder();
        try (var log = new LogCapture();
                ResilientClient client = world.builder()
                        .defaults(CallOptions.none().withCredential(new Credential("default", Secret.of(key))))
                        .build()) {
            Ended call = world.call(client);
            shown.append(trace(call.failure())).append(call.failure().failure()).append(log.text());
            world.events().forEach(shown::append);

            assertThat(call.failure().kind().wireName())
                    .isEqualTo(one.expect().at("/error/category").asText());
            assertThat(call.failure())
                    .hasMessageContaining(
                            one.expect().at("/error/message_contains").asText());
        }
        assertThat(shown.toString()).doesNotContain(key);
    }

    /** A miss, a hit, an eviction, a refusal by a limit, a fallback and a failure, each with the prompt in it. */
    private static void scanCaching(Case one) {
        String marker = one.expect().path("marker").asText();
        assertThat(one.given().path("request").toString()).contains(marker);
        World world = new World()
                .provider("p1", FaultScript.of(Reply.completion(marker), Reply.status(402)))
                .provider("p2", FaultScript.of(Reply.completion(marker), Reply.status(400)));
        var caching = ResponseCaching.of(
                new CaffeineResponseCache(1_000, world.time()),
                CachePolicy.defaults().withMode(CacheMode.ALL),
                world.time(),
                new Random(1));
        var shown = new StringBuilder();
        try (var log = new LogCapture();
                ResilientClient client = world.builder()
                        .interceptor(caching)
                        .limits("limited", LimitPolicy.defaults().withRpm(1).withMaxWait(Duration.ZERO))
                        .retry(World.retry().withDeadline(Duration.ofSeconds(5)))
                        .model(ModelSettings.of(World.MODEL).withEndpoints("p1").withFallbacks("other"))
                        .model(ModelSettings.of("other").withEndpoints("p2"))
                        .build()) {
            for (String model : List.of(World.MODEL, World.MODEL, "other", "limited", "limited", "limited")) {
                for (String more : List.of("", " again")) {
                    ModelRequest request =
                            ModelRequest.chat(model).user(marker + more).build();
                    Ended call = world.call(client, request, CallOptions.none());
                    call.response().ifPresent(shown::append);
                    call.error().ifPresent(error -> shown.append(trace(error)));
                    String key = CanonicalRequest.of(request)
                            .key(CallOptions.none(), "family")
                            .toString();
                    assertThat(key.length())
                            .isLessThanOrEqualTo(
                                    one.expect().path("cache_key_length_max").asInt());
                    shown.append(key);
                }
            }
            world.events().forEach(shown::append);
            shown.append(caching).append(client).append(log.text());
        }
        assertThat(shown.toString()).contains("gpt-4.1").doesNotContain(marker);
    }

    private static String trace(Throwable thrown) {
        var out = new StringWriter();
        thrown.printStackTrace(new PrintWriter(out));
        return out.toString();
    }
}
