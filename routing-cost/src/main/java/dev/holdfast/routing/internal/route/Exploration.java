package dev.holdfast.routing.internal.route;

import dev.holdfast.spi.ModelRouter.ModelStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Asks, now and then, another than the best: what is never asked is never known to have become better.
 *
 * @param share how often, 0 to 1
 * @param random decides when, and whom
 */
public record Exploration(double share, RandomGenerator random) {
    /** Refuses what is no share. */
    public Exploration {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("exploration: " + share + " (expected: 0 to 1)");
        }
    }

    /**
     * What came of it.
     *
     * @param models the models, perhaps another in front
     * @param note says so in the reason of a route; empty where nothing was changed
     */
    public record Explored(List<ModelStatus> models, String note) {}

    /** The models, perhaps with another available one in front. */
    public Explored explore(List<ModelStatus> best) {
        long available = best.stream().filter(ModelStatus::available).count();
        if (available < 2 || share == 0 || random.nextDouble() >= share) {
            return new Explored(best, "");
        }
        var changed = new ArrayList<>(best);
        ModelStatus chosen = changed.remove(1 + random.nextInt((int) available - 1));
        changed.addFirst(chosen);
        return new Explored(List.copyOf(changed), "; explores " + chosen.model());
    }
}
