package dev.holdfast.gateway.internal.status;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * {@code GET /metrics} in Prometheus' text format 0.0.4, or in OpenMetrics 1.0.0 for those who accept that.
 *
 * @param registry what is counted
 */
public record MetricsPage(PrometheusMeterRegistry registry) {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /**
     * {@return the answer}
     *
     * @param headers the request's header fields
     */
    public HttpAnswer answer(Headers headers) {
        boolean open = headers.all("Accept").stream().anyMatch(value -> value.contains("application/openmetrics-text"));
        String type = open ? OPEN_METRICS : TEXT;
        return new HttpAnswer(200, Headers.of("Content-Type", type), Bytes.utf8(registry.scrape(type)));
    }
}
