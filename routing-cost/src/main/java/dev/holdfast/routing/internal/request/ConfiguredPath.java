package dev.holdfast.routing.internal.request;

import dev.holdfast.spi.ModelRouter.ModelStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Turns a preset's path into the models that the user configured, in the user's own spelling. */
public record ConfiguredPath(Function<String, Optional<String>> listedName) {
    /** The models of the path that are configured, in the path's order. */
    public List<String> of(List<String> path, List<ModelStatus> models) {
        return path.stream().flatMap(model -> find(model, models).stream()).toList();
    }

    private Optional<String> find(String model, List<ModelStatus> models) {
        return models.stream()
                .map(ModelStatus::model)
                .filter(name -> name.equals(model)
                        || listedName.apply(name).filter(model::equals).isPresent())
                .findFirst();
    }
}
