package dev.holdfast;

import java.util.LinkedHashSet;
import java.util.List;

/**
 * The models to try, best first, and why in that order.
 *
 * @param models at least one model; a repeated one counts where it stands first
 * @param reason one sentence for logs and {@code explain}
 */
public record Route(List<String> models, String reason) {
    /** Drops repetitions and refuses an empty route. */
    public Route {
        if (models.isEmpty()) {
            throw new IllegalArgumentException("models: none (expected: at least one)");
        }
        models = List.copyOf(models.size() == 1 ? models : new LinkedHashSet<>(models));
    }

    /**
     * {@return a route}
     *
     * @param reason why in that order
     * @param models the models, best first
     */
    public static Route of(String reason, String... models) {
        return new Route(List.of(models), reason);
    }
}
