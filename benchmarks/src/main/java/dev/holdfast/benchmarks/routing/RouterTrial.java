package dev.holdfast.benchmarks.routing;

import dev.holdfast.routing.Complexity;
import dev.holdfast.routing.LexicalScorer;
import dev.holdfast.routing.LexicalScorer.Example;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Routers judged on one half of the prompts, what is learned having been learned on the other.
 *
 * @param prompts the half they are judged on
 * @param curves what each keeps, by name
 * @param learnedGain by how much the learned scorer closes more of the gap than length alone: the 2.5th, 50th and 97.5th
 *     percentile over resampled prompts
 * @param seedShare how many calls the points of the {@code seed} router hold for more than simple
 * @param seedQuality what is right where those go to the strong model
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares trials, and nobody writes to one
record RouterTrial(
        List<GradedPrompt> prompts,
        Map<String, QualityCurve> curves,
        double[] learnedGain,
        double seedShare,
        double seedQuality) {
    static final String CHANCE = "random";
    static final String LENGTH = "length";
    static final String LEARNED = "learned words";

    private static final int RESAMPLES = 1_000;

    /** Learns on one half and judges on the other. */
    static RouterTrial of(List<GradedPrompt> learn, List<GradedPrompt> judge) {
        double[] lengths = lengths(judge);
        LexicalScorer scorer = LexicalScorer.train(learn.stream()
                .map(prompt -> new Example(prompt.text(), prompt.strong() && !prompt.weak()))
                .toList());
        double[] learned = judge.stream()
                .mapToDouble(prompt -> scorer.score(prompt.text()))
                .toArray();
        var curves = new LinkedHashMap<String, QualityCurve>();
        curves.put(CHANCE, QualityCurve.ofChance(judge));
        curves.put(LENGTH, QualityCurve.of(judge, lengths));
        curves.put(LEARNED, QualityCurve.of(judge, learned));
        List<GradedPrompt> hard =
                judge.stream().filter(RouterTrial::isMoreThanSimple).toList();
        long right = judge.stream()
                .filter(prompt -> isMoreThanSimple(prompt) ? prompt.strong() : prompt.weak())
                .count();
        return new RouterTrial(
                judge,
                curves,
                gains(judge, lengths, learned),
                (double) hard.size() / judge.size(),
                (double) right / judge.size());
    }

    QualityCurve curve(String name) {
        return Objects.requireNonNull(curves.get(name), name);
    }

    static List<GradedPrompt> half(List<GradedPrompt> all, int first) {
        return IntStream.range(0, all.size())
                .filter(i -> i % 2 == first)
                .mapToObj(all::get)
                .toList();
    }

    private static boolean isMoreThanSimple(GradedPrompt prompt) {
        return Complexity.of(prompt.text(), 0) != Complexity.SIMPLE;
    }

    private static double[] lengths(List<GradedPrompt> prompts) {
        return prompts.stream().mapToDouble(prompt -> prompt.text().length()).toArray();
    }

    /** How much of the difference is chance: the same comparison over prompts drawn again and again. */
    private static double[] gains(List<GradedPrompt> judge, double[] lengths, double[] learned) {
        var random = new SplittableRandom(1);
        double[] gains = new double[RESAMPLES];
        for (int r = 0; r < RESAMPLES; r++) {
            int[] drawn = random.ints(judge.size(), 0, judge.size()).toArray();
            List<GradedPrompt> prompts =
                    IntStream.of(drawn).mapToObj(judge::get).toList();
            gains[r] = QualityCurve.of(prompts, pick(learned, drawn)).gapClosed()
                    - QualityCurve.of(prompts, pick(lengths, drawn)).gapClosed();
        }
        java.util.Arrays.sort(gains);
        return new double[] {gains[RESAMPLES / 40], gains[RESAMPLES / 2], gains[RESAMPLES - 1 - RESAMPLES / 40]};
    }

    private static double[] pick(double[] values, int[] indexes) {
        return IntStream.of(indexes).mapToDouble(i -> values[i]).toArray();
    }
}
