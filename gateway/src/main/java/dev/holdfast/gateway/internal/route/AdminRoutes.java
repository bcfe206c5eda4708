package dev.holdfast.gateway.internal.route;

import dev.holdfast.Bytes;
import dev.holdfast.gateway.internal.access.Doorkeeper;
import dev.holdfast.gateway.internal.api.ApiShape;
import dev.holdfast.gateway.internal.control.Controls;
import dev.holdfast.gateway.internal.http.Application;
import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.gateway.internal.status.MetricsPage;
import dev.holdfast.gateway.internal.status.StatusPage;
import java.util.Optional;

/**
 * What who runs the gateway is served, on a listener of its own: metrics, status, orders and health.
 *
 * @param door knows by which names it may be called
 * @param key the digest of the key that is asked for; none is without it
 * @param stage whether the gateway stops
 * @param status the page of the status
 * @param metrics the page of the metrics
 * @param controls takes orders
 */
public record AdminRoutes(
        Doorkeeper door, Optional<Bytes> key, Stage stage, StatusPage status, MetricsPage metrics, Controls controls)
        implements Application {
    @Override
    public void serve(Exchange exchange) {
        Routes.guarded(exchange, ApiShape.OPENAI, () -> {
            if (exchange.path().startsWith("/health/")) {
                Routes.get(exchange, () -> stage.health(exchange.path()).orElseThrow(Routes::unknownPath));
                return;
            }
            door.checkHost(exchange.headers());
            Doorkeeper.admitAdmin(exchange.headers(), key);
            switch (exchange.path()) {
                case "/metrics" -> Routes.get(exchange, () -> metrics.answer(exchange.headers()));
                case "/api/status" -> Routes.get(exchange, () -> status.answer(!stage.isReady(), true));
                default -> {
                    if (!exchange.path().startsWith(Controls.PATH)) {
                        throw Routes.unknownPath();
                    }
                    Routes.post(exchange, () -> exchange.answer(controls.order(exchange)));
                }
            }
        });
    }
}
