package dev.holdfast.routing.internal.route;

import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The configured models that a request fits into. Those that would let nothing through now come last. Where a request fits
 * into none, all are kept: a window may be larger than it was said to be.
 *
 * @param models the models, in the order they were configured
 * @param note what was left out, for the reason of a route; empty for nothing
 */
public record Shortlist(List<ModelStatus> models, String note) {
    /** The models of unknown window, and of a window that holds the tokens going in and out. */
    public static Shortlist of(List<ModelStatus> configured, TokenEstimate tokens) {
        List<ModelStatus> fitting =
                configured.stream().filter(model -> holds(model, tokens)).toList();
        if (fitting.size() == configured.size()) {
            return new Shortlist(configured, "");
        }
        String size = tokens.total() + " tokens";
        if (fitting.isEmpty()) {
            return new Shortlist(configured, "; " + size + " fit into none");
        }
        List<String> left = configured.stream()
                .filter(model -> !holds(model, tokens))
                .map(ModelStatus::model)
                .toList();
        return new Shortlist(fitting, "; " + size + " do not fit into " + String.join(", ", left));
    }

    private static boolean holds(ModelStatus model, TokenEstimate tokens) {
        return model.contextWindow().isEmpty() || model.contextWindow().getAsLong() >= tokens.total();
    }

    /** The models by an order, what is not available behind what is; equals stay as they were configured. */
    public List<ModelStatus> sorted(Comparator<ModelStatus> order) {
        var sorted = new ArrayList<>(models);
        sorted.sort(
                Comparator.comparing((ModelStatus model) -> !model.available()).thenComparing(order));
        return List.copyOf(sorted);
    }

    /** The models by a score, the least first. */
    public List<ModelStatus> sortedBy(ToDoubleFunction<ModelStatus> score) {
        return sorted(Comparator.comparingDouble(score));
    }
}
