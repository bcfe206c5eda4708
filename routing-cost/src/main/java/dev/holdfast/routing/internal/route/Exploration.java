package dev.holdfast.routing.internal.route;

import dev.holdfast.Route;
import dev.holdfast.spi.ModelRouter.LikelyRoute;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

    /** The route of ranked models, perhaps with another available model in front. */
    public Route route(RankedModels ranked) {
        int others = others(ranked);
        return others == 0 || random.nextDouble() >= share
                ? ranked.route()
                : ranked.exploring(1 + random.nextInt(others));
    }

    /** All that {@link #route} may come to, the likeliest first. */
    public List<LikelyRoute> likely(RankedModels ranked) {
        int others = others(ranked);
        Stream<LikelyRoute> explored = IntStream.rangeClosed(1, others)
                .mapToObj(index -> new LikelyRoute(share / others, ranked.exploring(index)));
        if (others > 0 && share == 1) {
            return explored.toList();
        }
        var kept = new LikelyRoute(others == 0 ? 1 : 1 - share, ranked.route());
        return Stream.concat(Stream.of(kept), explored)
                .sorted(Comparator.comparingDouble(LikelyRoute::probability).reversed())
                .toList();
    }

    /** How many may come in front instead of the best. */
    private int others(RankedModels ranked) {
        int available =
                (int) ranked.models().stream().filter(ModelStatus::available).count();
        return share == 0 ? 0 : Math.max(0, available - 1);
    }
}
