package dev.holdfast.routing;

import dev.holdfast.routing.internal.route.Equations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Learns from graded prompts which ones need a strong model, by the words they have and how long they are: logistic regression
 * with a penalty on large weights, which is chosen on folds that are left out. Nothing is learned by itself and nothing is built
 * in: train it on prompts of your own kind, and use it by {@link ScoreRouter}.
 *
 * <p>Judged on GSM8K (see the guide) it keeps more quality than chance and than length alone at every share of calls to the
 * strong model but the smallest.
 *
 * <p>Immutable; the same examples give the same scorer.
 */
public final class LexicalScorer {
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}]+|\\p{N}+|[%$/]");
    private static final int LEAST_EXAMPLES = 50;
    private static final int LEAST_PROMPTS_OF_A_WORD = 20;
    private static final double[] PENALTIES = {10, 30, 100, 300};
    private static final int FOLDS = 5;
    private static final int ROUNDS = 8;

    private final Map<String, Integer> columns;
    private final double meanLength;
    private final double[] weights;

    private LexicalScorer(Map<String, Integer> columns, double meanLength, double[] weights) {
        this.columns = columns;
        this.meanLength = meanLength;
        this.weights = weights;
    }

    /**
     * A prompt of which it is known whether a strong model was needed.
     *
     * @param prompt the prompt
     * @param needsStrong whether only the strong model answered it well
     */
    public record Example(String prompt, boolean needsStrong) {
        @Override
        public String toString() {
            return "Example[" + needsStrong + "]";
        }
    }

    /**
     * {@return a scorer that has learned from examples}
     *
     * @param examples at least 50, some of which need the strong model and some of which do not
     * @throws IllegalArgumentException if there are fewer, or all are alike
     */
    public static LexicalScorer train(List<Example> examples) {
        long needing = examples.stream().filter(Example::needsStrong).count();
        if (examples.size() < LEAST_EXAMPLES || needing == 0 || needing == examples.size()) {
            throw new IllegalArgumentException("examples: " + examples.size() + ", of which " + needing
                    + " need the strong model (expected: at least " + LEAST_EXAMPLES + ", of both kinds)");
        }
        double best = PENALTIES[0];
        double most = -1;
        for (double penalty : PENALTIES) {
            double found = onFolds(examples, penalty);
            if (found > most) {
                most = found;
                best = penalty;
            }
        }
        return train(examples, best);
    }

    /**
     * {@return how likely it is that only the strong model answers well, 0 to 1}
     *
     * @param prompt the prompt
     */
    public double score(String prompt) {
        return chance(row(prompt), weights);
    }

    /**
     * {@return the score that about this share of the prompts reach}
     *
     * @param share the share, 0 to 1
     * @param prompts prompts as they come in
     */
    public double thresholdFor(double share, List<String> prompts) {
        if (!(share >= 0 && share <= 1) || prompts.isEmpty()) {
            throw new IllegalArgumentException(
                    "share: " + share + " of " + prompts.size() + " prompts (expected: 0 to 1 of at least one)");
        }
        double[] scores = prompts.stream().mapToDouble(this::score).sorted().toArray();
        int passing = (int) Math.round(share * scores.length);
        return passing == 0 ? Math.nextUp(scores[scores.length - 1]) : scores[scores.length - passing];
    }

    @Override
    public String toString() {
        return "LexicalScorer[" + columns.size() + " words]";
    }

    /** How well those that need it are told from the others, where they were left out of the training. */
    private static double onFolds(List<Example> examples, double penalty) {
        double sum = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            var in = new ArrayList<Example>();
            var out = new ArrayList<Example>();
            for (int i = 0; i < examples.size(); i++) {
                (i % FOLDS == fold ? out : in).add(examples.get(i));
            }
            sum += ranking(train(in, penalty), out);
        }
        return sum;
    }

    /** The share of pairs in the right order. */
    private static double ranking(LexicalScorer scorer, List<Example> judged) {
        var byScore = new TreeMap<Double, int[]>();
        for (Example each : judged) {
            byScore.computeIfAbsent(scorer.score(each.prompt()), score -> new int[2])[each.needsStrong() ? 1 : 0]++;
        }
        double right = 0;
        long others = 0;
        long needing = 0;
        for (int[] counts : byScore.values()) {
            right += counts[1] * (others + counts[0] / 2.0);
            others += counts[0];
            needing += counts[1];
        }
        return others * needing == 0 ? 0 : right / ((double) others * needing);
    }

    private static LexicalScorer train(List<Example> examples, double penalty) {
        Map<String, Integer> columns = columns(examples);
        double meanLength = examples.stream()
                .mapToDouble(each -> length(each.prompt()))
                .average()
                .orElse(0);
        double[] weights = new double[columns.size() + 2];
        var scorer = new LexicalScorer(columns, meanLength, weights);
        List<Row> rows =
                examples.stream().map(each -> scorer.row(each.prompt())).toList();
        for (int round = 0; round < ROUNDS; round++) {
            scorer.improve(rows, examples, penalty);
        }
        return scorer;
    }

    private static Map<String, Integer> columns(List<Example> examples) {
        var seen = new TreeMap<String, Integer>();
        examples.forEach(each -> words(each.prompt()).forEach(word -> seen.merge(word, 1, Integer::sum)));
        var columns = new HashMap<String, Integer>();
        seen.forEach((word, count) -> {
            if (count >= LEAST_PROMPTS_OF_A_WORD) {
                columns.put(word, columns.size());
            }
        });
        return columns;
    }

    /** The words of a text, in order, each once; a number is a number. */
    private static Set<String> words(String text) {
        var words = new TreeSet<String>();
        Matcher matcher = WORD.matcher(text.toLowerCase(Locale.ROOT));
        while (matcher.find()) {
            String word = matcher.group();
            words.add(Character.isDigit(word.codePointAt(0)) ? "#" : word);
        }
        return words;
    }

    private static double length(String text) {
        return Math.log(Math.max(1, text.length())) / 0.4;
    }

    /** A prompt as columns that hold 1, and its length; the constant is the last column. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares rows
    private record Row(int[] words, double length) {}

    private Row row(String prompt) {
        int[] present = words(prompt).stream()
                .map(columns::get)
                .filter(column -> column != null)
                .mapToInt(column -> column)
                .toArray();
        return new Row(present, length(prompt) - meanLength);
    }

    private static double chance(Row row, double[] weights) {
        double sum = weights[weights.length - 1] + weights[weights.length - 2] * row.length();
        for (int column : row.words()) {
            sum += weights[column];
        }
        return 1 / (1 + StrictMath.exp(-sum));
    }

    /** One step of Newton's method. */
    private void improve(List<Row> rows, List<Example> examples, double penalty) {
        int size = weights.length;
        double[][] equations = new double[size][size + 1];
        for (int i = 0; i < rows.size(); i++) {
            double chance = chance(rows.get(i), weights);
            double error = chance - (examples.get(i).needsStrong() ? 1 : 0);
            add(equations, rows.get(i), chance * (1 - chance), error);
        }
        for (int i = 0; i < size; i++) {
            double own = i < size - 1 ? penalty : 1e-6;
            equations[i][i] += own;
            equations[i][size] += own * weights[i];
        }
        double[] change = Equations.solve(equations);
        for (int i = 0; i < size; i++) {
            weights[i] -= change[i];
        }
    }

    private static void add(double[][] equations, Row row, double spread, double error) {
        int size = equations.length;
        int[] columns = java.util.Arrays.copyOf(row.words(), row.words().length + 2);
        double[] values = new double[columns.length];
        java.util.Arrays.fill(values, 1);
        columns[columns.length - 2] = size - 2;
        columns[columns.length - 1] = size - 1;
        values[values.length - 2] = row.length();
        for (int a = 0; a < columns.length; a++) {
            for (int b = 0; b < columns.length; b++) {
                equations[columns[a]][columns[b]] += spread * values[a] * values[b];
            }
            equations[columns[a]][size] += error * values[a];
        }
    }
}
