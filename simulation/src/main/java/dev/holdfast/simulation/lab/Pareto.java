package dev.holdfast.simulation.lab;

import java.util.List;
import java.util.stream.IntStream;

/** Which of several are not beaten: no other is at least as good in everything and better in something. */
final class Pareto {
    private Pareto() {}

    /**
     * Whether each is beaten by none.
     *
     * @param scores of each the same scores; less is better, and what is not a number is worst
     */
    static List<Boolean> front(List<double[]> scores) {
        return scores.stream()
                .map(each -> scores.stream().noneMatch(other -> beats(other, each)))
                .toList();
    }

    private static boolean beats(double[] one, double[] other) {
        // compare() puts what is not a number last.
        boolean asGood = IntStream.range(0, one.length).allMatch(i -> Double.compare(one[i], other[i]) <= 0);
        return asGood && IntStream.range(0, one.length).anyMatch(i -> Double.compare(one[i], other[i]) < 0);
    }
}
