package dev.holdfast.gateway;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Variables;
import dev.holdfast.gateway.internal.http.ServerLimits;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/** A gateway in front of a provider that plays a script, and a client of the JDK that calls it. */
final class Served implements AutoCloseable {
    static final String CHAT = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"one two three\"}]}";
    static final String STREAM =
            "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"one two three\"}]}";

    /** A key of a provider and a prompt that must be nowhere. */
    static final String UPSTREAM_KEY = "upstream-secret-5e1f";

    final FaultyProvider provider;
    final Gateway gateway;
    final HttpClient http = HttpClient.newHttpClient();

    private Served(FaultyProvider provider, Gateway gateway) {
        this.provider = provider;
        this.gateway = gateway;
    }

    static Served by(FaultScript script) {
        return by(script, "");
    }

    /** Settings beside the endpoint {@code up} and the model {@code m}, as lines of YAML. */
    static Served by(FaultScript script, String more) {
        return by(script, more, ServerLimits.defaults());
    }

    static Served by(FaultScript script, String more, ServerLimits limits) {
        FaultyProvider provider = FaultyProvider.start(script);
        try {
            return new Served(provider, Gateway.start(settings(provider, more), limits));
        } catch (RuntimeException e) {
            provider.close();
            throw e;
        }
    }

    static GatewaySettings settings(FaultyProvider provider, String more) {
        return settings(provider.uri().getAuthority(), more);
    }

    /** Goes on with providers at another host and port. */
    void reload(String authority, String more) {
        gateway.reload(settings(authority, more));
    }

    private static GatewaySettings settings(String authority, String more) {
        String text = """
                listen: 127.0.0.1:0
                endpoints:
                  - {name: up, base-url: "http://%1$s/v1", api-key: "%2$s", allow-plain-http: true}
                  - {name: claude, dialect: anthropic, base-url: "http://%1$s", api-key: "%2$s", allow-plain-http: true}
                %3$s
                close-grace: 100ms
                %4$s
                %5$s
                %6$s
                """.formatted(
                authority,
                UPSTREAM_KEY,
                more.contains("retry:") ? "" : "retry: {backoff: \"exponential(10ms, x2, max 50ms, jitter 0.5)\"}",
                more.contains("stop:") ? "" : "stop: {wait: 0s, drain: 2s}",
                more.contains("models:") ? "" : "models: {m: {timeout: 60s, endpoints: [up]}}",
                more);
        return GatewaySettings.of(Configuration.ofYaml("g.yaml", text, Variables.ofProcess()));
    }

    static String sha256(String key) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    URI uri(String path) {
        return URI.create(gateway.uri() + path);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).timeout(Duration.ofMinutes(2));
    }

    HttpRequest.Builder post(String path, String body) {
        return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    HttpResponse<String> chat() {
        return send(post("/v1/chat/completions", CHAT));
    }

    static JsonObject json(HttpResponse<String> response) {
        return JsonText.parse(response.body()).asObject().orElseThrow();
    }

    static JsonObject error(HttpResponse<String> response) {
        return json(response).object("error").orElseThrow();
    }

    @Override
    public void close() {
        gateway.close();
        provider.close();
        http.shutdownNow();
    }
}
