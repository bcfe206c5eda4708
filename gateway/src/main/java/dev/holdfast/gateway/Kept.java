package dev.holdfast.gateway;

import dev.holdfast.gateway.internal.call.PromptLog;
import dev.holdfast.gateway.internal.reload.ReloadReport;
import dev.holdfast.gateway.internal.route.Stage;
import dev.holdfast.micrometer.ClientMetrics;
import dev.holdfast.routing.Ledger;
import dev.holdfast.routing.LiveStats;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Transport;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What a gateway keeps whatever its configuration becomes. Safe for use by many threads.
 *
 * @param time where time comes from
 * @param transport sends what is for no model
 * @param started when it was started
 * @param stage whether it stops
 * @param ledger what calls cost
 * @param stats how models did lately
 * @param registry what is counted
 * @param metrics counts it
 * @param prompts whether prompts are logged
 * @param configuration which configuration runs
 */
record Kept(
        Timekeeper time,
        Transport transport,
        Instant started,
        Stage stage,
        Ledger ledger,
        LiveStats stats,
        PrometheusMeterRegistry registry,
        ClientMetrics metrics,
        PromptLog prompts,
        AtomicReference<ReloadReport> configuration) {
    static Kept begin(GatewaySettings settings, Timekeeper time) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Instant now = time.now();
        return new Kept(
                time,
                found(),
                now,
                new Stage(),
                Ledger.create(),
                LiveStats.create(),
                registry,
                ClientMetrics.of(registry),
                PromptLog.of(settings.logPrompts()),
                new AtomicReference<>(ReloadReport.started(now)));
    }

    private static Transport found() {
        return ServiceLoader.load(Transport.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("transport: none found (expected: transport-jdk)"));
    }

    /** Ends what it began. */
    void close() {
        metrics.close();
        transport.close();
    }
}
