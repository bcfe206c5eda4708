package dev.holdfast.routing.internal.route;

import dev.holdfast.spi.ModelRouter.ModelStatus;
import java.util.ArrayList;
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

    /**
     * What came of it.
     *
     * @param probability how likely it was, 0 to 1
     * @param models the models, perhaps another in front
     * @param note says so in the reason of a route; empty where nothing was changed
     */
    public record Explored(double probability, List<ModelStatus> models, String note) {}

    /** The models, perhaps with another available one in front. */
    public Explored explore(List<ModelStatus> best) {
        int others = others(best);
        if (others == 0 || random.nextDouble() >= share) {
            return kept(best, others);
        }
        return inFront(1 + random.nextInt(others), best, others);
    }

    /** All that {@link #explore} may come to, the likeliest first. */
    public List<Explored> likely(List<ModelStatus> best) {
        int others = others(best);
        return Stream.concat(
                        Stream.of(kept(best, others)),
                        IntStream.rangeClosed(1, others).mapToObj(i -> inFront(i, best, others)))
                .filter(each -> each.probability() > 0)
                .sorted(Comparator.comparingDouble(Explored::probability).reversed())
                .toList();
    }

    /** How many may come in front instead of the best. */
    private int others(List<ModelStatus> best) {
        int available = (int) best.stream().filter(ModelStatus::available).count();
        return share == 0 ? 0 : Math.max(0, available - 1);
    }

    private Explored kept(List<ModelStatus> best, int others) {
        return new Explored(others == 0 ? 1 : 1 - share, best, "");
    }

    private Explored inFront(int index, List<ModelStatus> best, int others) {
        var changed = new ArrayList<>(best);
        ModelStatus chosen = changed.remove(index);
        changed.addFirst(chosen);
        return new Explored(share / others, List.copyOf(changed), "; explores " + chosen.model());
    }
}
