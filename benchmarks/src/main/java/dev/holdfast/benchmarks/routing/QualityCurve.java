package dev.holdfast.benchmarks.routing;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The share of right answers where the first k prompts by a score go to the strong model and the rest to the weak one, for
 * each k.
 *
 * @param quality the shares, from no strong call to only strong calls
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares curves, and nobody writes to one
record QualityCurve(double[] quality) {
    /** The curve of a score: the highest goes to the strong model first; equals keep their order. */
    static QualityCurve of(List<GradedPrompt> prompts, double[] scores) {
        int[] order = IntStream.range(0, prompts.size())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -scores[i]))
                .mapToInt(i -> i)
                .toArray();
        int right = (int) prompts.stream().filter(GradedPrompt::weak).count();
        double[] quality = new double[prompts.size() + 1];
        quality[0] = (double) right / prompts.size();
        for (int k = 0; k < order.length; k++) {
            GradedPrompt prompt = prompts.get(order[k]);
            right += (prompt.strong() ? 1 : 0) - (prompt.weak() ? 1 : 0);
            quality[k + 1] = (double) right / prompts.size();
        }
        return new QualityCurve(quality);
    }

    /** What chance keeps: a straight line. */
    static QualityCurve ofChance(List<GradedPrompt> prompts) {
        double weak = (double) prompts.stream().filter(GradedPrompt::weak).count() / prompts.size();
        double strong = (double) prompts.stream().filter(GradedPrompt::strong).count() / prompts.size();
        return new QualityCurve(IntStream.rangeClosed(0, prompts.size())
                .mapToDouble(k -> weak + (strong - weak) * k / prompts.size())
                .toArray());
    }

    /** The quality at a share of strong calls, 0 to 1. */
    double at(double share) {
        return quality[(int) Math.round(share * (quality.length - 1))];
    }

    /** The mean share of the gap between the two models that is closed, over all shares of strong calls; chance closes half. */
    double gapClosed() {
        double weak = quality[0];
        double gap = quality[quality.length - 1] - weak;
        double sum = 0;
        for (double each : quality) {
            sum += (each - weak) / gap;
        }
        return sum / quality.length;
    }
}
