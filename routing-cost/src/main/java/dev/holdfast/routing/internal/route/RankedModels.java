package dev.holdfast.routing.internal.route;

import dev.holdfast.Route;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Models from the best to the worst, and what the reason of their route says.
 *
 * @param router the router's name, which the reason begins with
 * @param models the models, at least one
 * @param description what the reason says of a model
 * @param note what the reason ends with; empty for nothing
 */
public record RankedModels(
        String router, List<ModelStatus> models, Function<ModelStatus, String> description, String note) {
    /** The one model that a request names, where there is nothing to choose from. */
    public static RankedModels ofNamed(String router, String model) {
        var named = new ModelStatus(model, true, OptionalLong.empty(), Optional.empty(), Optional.empty());
        return new RankedModels(router, List.of(named), status -> "the model it names", "");
    }

    /** The route that asks the best first. */
    public Route route() {
        return routeOf(models, "");
    }

    /** The route that asks another first, and then the rest in their order. */
    public Route exploring(int index) {
        var changed = new ArrayList<>(models);
        ModelStatus chosen = changed.remove(index);
        changed.addFirst(chosen);
        return routeOf(changed, "; explores " + chosen.model());
    }

    private Route routeOf(List<ModelStatus> ordered, String change) {
        return new Route(
                ordered.stream().map(ModelStatus::model).toList(),
                ordered.stream().map(description).collect(Collectors.joining(", ", router + ": ", "")) + change + note);
    }
}
