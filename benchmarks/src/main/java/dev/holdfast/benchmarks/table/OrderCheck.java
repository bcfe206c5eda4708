package dev.holdfast.benchmarks.table;

import dev.holdfast.benchmarks.table.Figures.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The order of the strategies that the table claims, seed by seed. A relation has to hold in 9 of 10 seeds where the reference
 * figures lie further apart than two standard deviations of their difference; where they lie closer it is told and not
 * asked for.
 */
public final class OrderCheck {
    private static final double ENOUGH = 0.9;

    private static final List<Strategy> BY_SUCCESS = List.of(
            Strategy.NONE, Strategy.FIXED, Strategy.EXPONENTIAL, Strategy.EXPONENTIAL_JITTER, Strategy.SMART_ROUTING);
    private static final List<Strategy> BY_TIME = List.of(
            Strategy.NONE, Strategy.SMART_ROUTING, Strategy.FIXED, Strategy.EXPONENTIAL_JITTER, Strategy.EXPONENTIAL);

    private OrderCheck() {}

    /**
     * A relation of two neighbours.
     *
     * @param lower who has less
     * @param upper who has more; as much is enough for the success of jitter beside exponential
     * @param held in how many seeds it held
     * @param seeds of how many
     * @param required whether it has to hold in 9 of 10
     */
    public record Relation(Column column, Strategy lower, Strategy upper, int held, int seeds, boolean required) {
        /** Whether it holds as far as it is claimed. */
        public boolean holds() {
            return !required || held >= ENOUGH * seeds;
        }
    }

    /**
     * Judges the cells of each seed.
     *
     * @param runs the cells of each published strategy, the same seeds in the same order
     */
    public static List<Relation> of(Map<Strategy, List<Cells>> runs) {
        var relations = new ArrayList<Relation>();
        relations.addAll(along(Column.SUCCESS, BY_SUCCESS, runs));
        relations.addAll(along(Column.MEAN, BY_TIME, runs));
        relations.addAll(along(Column.COST, BY_TIME, runs));
        return relations;
    }

    private static List<Relation> along(Column column, List<Strategy> order, Map<Strategy, List<Cells>> runs) {
        var relations = new ArrayList<Relation>();
        for (int i = 1; i < order.size(); i++) {
            relations.add(between(column, order.get(i - 1), order.get(i), runs));
        }
        return relations;
    }

    private static Relation between(Column column, Strategy lower, Strategy upper, Map<Strategy, List<Cells>> runs) {
        List<Cells> less = runs.getOrDefault(lower, List.of());
        List<Cells> more = runs.getOrDefault(upper, List.of());
        boolean equalIsEnough = column == Column.SUCCESS && lower == Strategy.EXPONENTIAL;
        int seeds = Math.min(less.size(), more.size());
        int held = 0;
        for (int i = 0; i < seeds; i++) {
            double gap = column.of(more.get(i)) - column.of(less.get(i));
            held += gap > 0 || (equalIsEnough && gap == 0) ? 1 : 0;
        }
        return new Relation(column, lower, upper, held, seeds, isApart(column, lower, upper));
    }

    private static boolean isApart(Column column, Strategy lower, Strategy upper) {
        Reference less = Figures.reference(lower).orElseThrow();
        Reference more = Figures.reference(upper).orElseThrow();
        double deviation = Math.hypot(column.of(less.deviation()), column.of(more.deviation()));
        return column.of(more.mean()) - column.of(less.mean()) > 2 * deviation;
    }
}
