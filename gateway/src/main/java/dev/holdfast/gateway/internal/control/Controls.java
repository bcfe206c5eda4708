package dev.holdfast.gateway.internal.control;

import dev.holdfast.Bytes;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.Target;
import dev.holdfast.core.ClientControl;
import dev.holdfast.core.ClientControl.Feature;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.JsonTextException;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.gateway.internal.access.Doorkeeper;
import dev.holdfast.gateway.internal.api.ProblemException;
import dev.holdfast.gateway.internal.http.BodyRefusedException;
import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Orders to a client as documents, {@code POST /api/control/…}: of breakers, endpoints, features and the calls in flight. What is
 * ordered ends by itself, after {@code for}. Safe for use by many threads.
 */
public final class Controls {
    /** Where orders are given. */
    public static final String PATH = "/api/control/";

    private static final long LONGEST_BODY = 16 << 10;
    private static final Pattern LENGTH = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Map<String, Long> UNITS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    private final ResilientClient client;

    /**
     * Creates the orders.
     *
     * @param client who obeys
     */
    public Controls(ResilientClient client) {
        this.client = client;
    }

    /**
     * {@return what holds once an order is given}
     *
     * @param exchange the order
     */
    public HttpAnswer order(Exchange exchange) {
        JsonObject document = document(exchange);
        try {
            switch (exchange.path().substring(PATH.length())) {
                case "breaker" -> breaker(document);
                case "endpoint" -> endpoint(document);
                case "feature" -> feature(document);
                case "calls" -> calls(document);
                default ->
                    throw ProblemException.of(
                            404,
                            "invalid_request_error",
                            "unknown_url",
                            "no such order (expected: breaker, endpoint, feature or calls)");
            }
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid(String.valueOf(e.getMessage()));
        }
        return HttpAnswer.json(200, standing());
    }

    private void breaker(JsonObject document) {
        ClientControl control = client.control();
        var target = new Target(text(document, "model"), text(document, "endpoint"));
        switch (text(document, "action")) {
            case "force-open" -> control.forceOpen(target, length(document));
            case "disable" -> control.disable(target, length(document));
            case "reset" -> control.reset(target);
            default -> throw unknown("action", "force-open, disable or reset");
        }
    }

    private void endpoint(JsonObject document) {
        ClientControl control = client.control();
        String endpoint = text(document, "endpoint");
        switch (text(document, "action")) {
            case "isolate" -> control.isolate(endpoint, length(document));
            case "drain" -> control.drain(endpoint, length(document));
            case "restore" -> control.restore(endpoint);
            default -> throw unknown("action", "isolate, drain or restore");
        }
    }

    private void feature(JsonObject document) {
        ClientControl control = client.control();
        Feature feature =
                switch (text(document, "feature")) {
                    case "retry" -> Feature.RETRY;
                    case "fallback" -> Feature.FALLBACK;
                    case "hedge" -> Feature.HEDGE;
                    case "cache" -> Feature.CACHE;
                    default -> throw unknown("feature", "retry, fallback, hedge or cache");
                };
        switch (text(document, "action")) {
            case "off" -> control.switchOff(feature, length(document));
            case "on" -> control.switchOn(feature);
            default -> throw unknown("action", "off or on");
        }
    }

    private void calls(JsonObject document) {
        ClientControl control = client.control();
        switch (text(document, "action")) {
            case "cap" -> control.capCalls(most(document), length(document));
            case "uncap" -> control.uncapCalls();
            default -> throw unknown("action", "cap or uncap");
        }
    }

    private JsonObject standing() {
        ClientControl control = client.control();
        return JsonObject.of(
                        "orders",
                        new JsonArray(control.orders().stream()
                                .<JsonValue>map(order -> JsonObject.of("order", JsonValue.of(order.order()))
                                        .with(
                                                "remaining_ms",
                                                JsonValue.of(order.remaining().toMillis())))
                                .toList()))
                .with(
                        "breakers",
                        new JsonArray(control.breakers().stream()
                                .<JsonValue>map(breaker -> JsonObject.of("name", JsonValue.of(breaker.name()))
                                        .with(
                                                "state",
                                                JsonValue.of(
                                                        breaker.state().name().toLowerCase(Locale.ROOT))))
                                .toList()));
    }

    private static JsonObject document(Exchange exchange) {
        Doorkeeper.checkContent(exchange.headers());
        try {
            Bytes body = exchange.body(LONGEST_BODY);
            return JsonText.parse(body)
                    .asObject()
                    .orElseThrow(() -> ProblemException.invalid("the body is no JSON object (expected: one)"));
        } catch (BodyRefusedException e) {
            throw ProblemException.of(e.status(), "invalid_request_error", "invalid_request", e.getMessage());
        } catch (JsonTextException e) {
            throw ProblemException.invalid("the body is no JSON: " + e.getMessage());
        }
    }

    private static String text(JsonObject document, String name) {
        return document.text(name)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> ProblemException.invalid(name + ": missing (expected: a text)")
                        .withParam(name));
    }

    private static int most(JsonObject document) {
        long most = document.longValue("most")
                .orElseThrow(() -> ProblemException.invalid("most: missing (expected: a number)")
                        .withParam("most"));
        return Math.toIntExact(Math.clamp(most, -1L, Integer.MAX_VALUE));
    }

    private static Duration length(JsonObject document) {
        Matcher written = LENGTH.matcher(text(document, "for"));
        if (!written.matches()) {
            throw ProblemException.invalid("for: no duration (expected: how long the order holds, as in 15m)")
                    .withParam("for");
        }
        return Duration.ofMillis(
                Math.multiplyExact(Long.parseLong(written.group(1)), UNITS.getOrDefault(written.group(2), 1L)));
    }

    private static ProblemException unknown(String name, String expected) {
        return ProblemException.invalid(name + ": not known (expected: " + expected + ")")
                .withParam(name);
    }
}
