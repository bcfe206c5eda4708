package dev.holdfast.gateway.internal.call;

import dev.holdfast.Failure;
import dev.holdfast.Headers;
import dev.holdfast.ModelResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** The header fields of an answer that say how it was come by. For one thread. */
final class AnswerHeaders {
    private static final String COST = "x-holdfast-cost-usd";

    private Headers fields = Headers.empty();

    /** Those of a whole answer, to a request with that idempotency key or without one. */
    static Headers of(ModelResponse response, CallWatch watch, Optional<String> key) {
        var fields = new AnswerHeaders();
        fields.put("x-request-id", response.callId());
        response.model().ifPresent(model -> fields.put("x-holdfast-model", model));
        response.endpoint().ifPresent(endpoint -> fields.put("x-holdfast-endpoint", endpoint));
        fields.put("x-holdfast-attempts", Integer.toString(response.attempts().size()));
        fields.put("x-holdfast-fallbacks", Integer.toString(response.fallbackCount()));
        fields.putMaybeBilled((int) response.attempts().stream()
                .flatMap(attempt -> attempt.failure().stream())
                .filter(Failure::mayHaveBeenBilled)
                .count());
        fields.put("x-holdfast-cache", watch.cache());
        fields.put("x-holdfast-degraded", Boolean.toString(response.degraded()));
        cost(response).ifPresent(cost -> fields.put(COST, cost));
        fields.put("idempotency-key", key.orElse(response.callId()));
        if (watch.isReplayed()) {
            fields.put("idempotent-replayed", "true");
        }
        return fields.build();
    }

    /** What is known only when a stream is over. */
    static Headers atTheEnd(ModelResponse response) {
        return cost(response).map(cost -> Headers.of(COST, cost)).orElse(Headers.empty());
    }

    private static Optional<String> cost(ModelResponse response) {
        return response.cost().map(cost -> cost.usd().toPlainString());
    }

    /** How many attempts brought nothing and may have been paid for all the same. Where there is none, nothing is said. */
    void putMaybeBilled(int attempts) {
        if (attempts > 0) {
            put("x-holdfast-maybe-billed", Integer.toString(attempts));
        }
    }

    /** Sets a field. What cannot stand in one is percent-encoded, so that names of any language can be told. */
    void put(String name, String value) {
        fields = fields.with(name, safe(value));
    }

    Headers build() {
        return fields;
    }

    private static String safe(String value) {
        if (value.chars().allMatch(c -> c >= 0x20 && c <= 0x7E)) {
            return value;
        }
        var out = new StringBuilder();
        for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
            if (octet > 0x20 && octet <= 0x7E && octet != '%') {
                out.append((char) octet);
            } else {
                out.append(String.format(Locale.ROOT, "%%%02X", octet & 0xFF));
            }
        }
        return out.toString();
    }
}
