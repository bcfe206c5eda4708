package dev.holdfast.gateway.internal.status;

import dev.holdfast.EndpointHealth;
import dev.holdfast.HealthReport;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.cache.CacheStatistics;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import dev.holdfast.gateway.internal.reload.ReloadReport;
import dev.holdfast.routing.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** {@code GET /api/status}: the articles' fields of each endpoint, and ours. Safe for use by many threads. */
public final class StatusPage {
    private final ResilientClient client;
    private final Ledger ledger;
    private final Optional<ResponseCaching> caching;
    private final Instant started;
    private final boolean logsPrompts;
    private final Supplier<ReloadReport> configuration;

    /**
     * Creates the page.
     *
     * @param client reports on models and endpoints
     * @param ledger what calls cost
     * @param caching the cache, if there is one
     * @param started when the gateway was started
     * @param logsPrompts whether prompts and answers are logged
     * @param configuration which configuration runs
     */
    public StatusPage(
            ResilientClient client,
            Ledger ledger,
            Optional<ResponseCaching> caching,
            Instant started,
            boolean logsPrompts,
            Supplier<ReloadReport> configuration) {
        this.client = client;
        this.ledger = ledger;
        this.caching = caching;
        this.started = started;
        this.logsPrompts = logsPrompts;
        this.configuration = configuration;
    }

    /**
     * {@return the answer}
     *
     * @param stopping whether the gateway stops
     * @param admin whether it is for who runs the gateway: errors of the configuration name files
     */
    public HttpAnswer answer(boolean stopping, boolean admin) {
        HealthReport report = client.health();
        JsonObject document = report.document();
        JsonObject.Builder json = JsonObject.builder()
                .with("endpoints", endpoints(report))
                .with("started_at", JsonValue.of(started.toString()))
                .with("stopping", JsonValue.of(stopping))
                .with("calls_in_flight", JsonValue.of(client.control().callsInFlight()));
        for (String name : new String[] {"at", "status", "ready", "models"}) {
            document.get(name).ifPresent(value -> json.with(name, value));
        }
        json.with("spend", spend());
        caching.ifPresent(cache -> json.with("cache", cache(cache.statistics())));
        json.with("orders", orders());
        json.with("log_prompts", JsonValue.of(logsPrompts));
        if (admin) {
            json.with("configuration", configuration.get().document());
        }
        return HttpAnswer.json(200, json.build());
    }

    private static JsonArray endpoints(HealthReport report) {
        return new JsonArray(
                report.endpoints().stream().<JsonValue>map(StatusPage::endpoint).toList());
    }

    private static JsonObject endpoint(EndpointHealth endpoint) {
        return JsonObject.builder()
                .with("name", JsonValue.of(endpoint.endpoint()))
                .with("status", JsonValue.of(endpoint.status().name().toLowerCase(Locale.ROOT)))
                .with("avg_latency_ms", millis(endpoint.latency().or(endpoint::probeLatency)))
                .with("consecutive_failures", JsonValue.of(endpoint.failuresInRow()))
                .with(
                        "last_check",
                        endpoint.lastProbe()
                                .<JsonValue>map(at -> JsonValue.of(at.toString()))
                                .orElse(JsonNull.NULL))
                .with("in_flight", JsonValue.of(endpoint.inFlight()))
                .build();
    }

    private static JsonValue millis(Optional<Duration> length) {
        return length.<JsonValue>map(each -> JsonValue.of(each.toMillis())).orElse(JsonNull.NULL);
    }

    private JsonObject spend() {
        JsonObject.Builder models = JsonObject.builder();
        ledger.byModel()
                .byName()
                .forEach((model, totals) ->
                        models.with(model, JsonValue.of(totals.cost().usd())));
        return JsonObject.of("usd", JsonValue.of(ledger.total().cost().usd()))
                .with("lower_bound", JsonValue.of(ledger.total().isLowerBound()))
                .with("usd_by_model", models.build());
    }

    private static JsonObject cache(CacheStatistics counts) {
        return JsonObject.builder()
                .with("hits", JsonValue.of(counts.hits()))
                .with("misses", JsonValue.of(counts.misses()))
                .with("joined", JsonValue.of(counts.joined()))
                .with("stale", JsonValue.of(counts.stale()))
                .with("bypassed", JsonValue.of(counts.bypassed()))
                .build();
    }

    private JsonArray orders() {
        return new JsonArray(client.control().orders().stream()
                .<JsonValue>map(order -> JsonObject.of("order", JsonValue.of(order.order()))
                        .with("remaining_ms", JsonValue.of(order.remaining().toMillis())))
                .toList());
    }
}
