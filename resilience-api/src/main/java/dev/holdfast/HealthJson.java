package dev.holdfast;

import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Writes a {@link HealthReport} as a document. */
final class HealthJson {
    private HealthJson() {}

    static JsonObject of(HealthReport report) {
        return JsonObject.builder()
                .with("at", JsonValue.of(report.at().toString()))
                .with("status", word(report.status()))
                .with("ready", JsonValue.of(report.isReady()))
                .with("models", array(report.models(), HealthJson::model))
                .with("endpoints", array(report.endpoints(), HealthJson::endpoint))
                .build();
    }

    private static JsonObject model(ModelHealth model) {
        return JsonObject.builder()
                .with("model", JsonValue.of(model.model()))
                .with("status", word(model.status()))
                .with("calls", JsonValue.of(model.calls()))
                .with("fallback_rate", share(model.fallbackRate()))
                .with("targets", array(model.targets(), HealthJson::target))
                .build();
    }

    private static JsonObject target(TargetHealth target) {
        JsonObject.Builder json = JsonObject.builder()
                .with("endpoint", JsonValue.of(target.target().endpoint()))
                .with("status", word(target.status()))
                .with("available", JsonValue.of(target.isAvailable()))
                .with("callable", JsonValue.of(target.isCallable()))
                .with("misconfigured", JsonValue.of(target.misconfigured()))
                .with("error_rate", share(target.errorRate()))
                .with("in_flight", JsonValue.of(target.inFlight()));
        target.breaker().ifPresent(state -> json.with("breaker", word(state)));
        target.coolsDownUntil().ifPresent(until -> json.with("cools_down_until", JsonValue.of(until.toString())));
        json.with("latency", latency(target.latency()));
        if (target.firstEvent().samples() > 0) {
            json.with("first_event", latency(target.firstEvent()));
        }
        target.limits().ifPresent(limits -> json.with("limits", limits(limits)));
        return json.build();
    }

    private static JsonObject latency(LatencySummary summary) {
        JsonObject.Builder json = JsonObject.builder().with("samples", JsonValue.of(summary.samples()));
        if (summary.samples() > 0) {
            json.with("p50_ms", millis(summary.median()))
                    .with("p95_ms", millis(summary.ninetyFifth()))
                    .with("p99_ms", millis(summary.ninetyNinth()));
        }
        return json.build();
    }

    private static JsonObject limits(RateLimitSnapshot snapshot) {
        JsonObject.Builder json = JsonObject.builder()
                .with("taken_at", JsonValue.of(snapshot.takenAt().toString()));
        for (Map.Entry<String, RateLimitSnapshot.Dimension> entry :
                snapshot.dimensions().entrySet()) {
            JsonObject.Builder dimension = JsonObject.builder();
            entry.getValue().limit().ifPresent(limit -> dimension.with("limit", JsonValue.of(limit)));
            entry.getValue().remaining().ifPresent(left -> dimension.with("remaining", JsonValue.of(left)));
            entry.getValue().resetIn().ifPresent(in -> dimension.with("reset_in_ms", millis(in)));
            json.with(entry.getKey().isEmpty() ? "all" : entry.getKey(), dimension.build());
        }
        return json.build();
    }

    private static JsonObject endpoint(EndpointHealth endpoint) {
        JsonObject.Builder json = JsonObject.builder()
                .with("name", JsonValue.of(endpoint.endpoint()))
                .with("status", word(endpoint.status()));
        endpoint.latency().ifPresent(mean -> json.with("avg_latency_ms", millis(mean)));
        endpoint.probeLatency().ifPresent(mean -> json.with("avg_probe_latency_ms", millis(mean)));
        json.with("consecutive_failures", JsonValue.of(endpoint.failuresInRow()))
                .with("in_flight", JsonValue.of(endpoint.inFlight()));
        endpoint.lastProbe().ifPresent(at -> json.with("last_probe", JsonValue.of(at.toString())));
        return json.build();
    }

    private static <T> JsonArray array(List<T> all, Function<T, JsonObject> form) {
        return new JsonArray(all.stream().<JsonValue>map(form).toList());
    }

    private static JsonValue word(Enum<?> value) {
        return JsonValue.of(value.name().toLowerCase(Locale.ROOT));
    }

    private static JsonValue millis(Duration length) {
        return JsonValue.of(length.toMillis());
    }

    private static JsonValue share(double value) {
        return JsonValue.of(
                BigDecimal.valueOf(value).setScale(4, RoundingMode.HALF_UP).stripTrailingZeros());
    }
}
