package dev.holdfast.core.internal.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How soon the models of a route answer: their mean latency where every one of them was measured, else their timeouts. The two
 * are never compared with each other.
 *
 * @param byModel by the model's name; what is unknown is not in it
 */
record Paces(Map<String, Duration> byModel) {
    private static final Duration UNKNOWN = Duration.ofDays(36_500);
    static final Paces NONE = new Paces(Map.of());

    /** The models, the one that answers soonest first; equals stay in their order. */
    List<String> fastestFirst(List<String> models) {
        var order = new ArrayList<>(models);
        order.sort(Comparator.comparing(model -> byModel.getOrDefault(model, UNKNOWN)));
        return order;
    }

    Optional<Duration> of(String model) {
        return Optional.ofNullable(byModel.get(model));
    }
}
