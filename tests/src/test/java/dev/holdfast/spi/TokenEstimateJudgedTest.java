package dev.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The estimate against what providers counted: fitted on every other of 809 prompts, judged on the rest. Korean text is judged
 * apart, against public vocabularies. Lies in the package of what it fits, whose features are not public.
 */
class TokenEstimateJudgedTest {
    private static final Path SHARED = Path.of(System.getProperty("holdfast.shared", "../../shared"));
    private static final List<String> KOREAN = List.of(
            "한국의 주요 수출품 다섯 가지를 설명하고 최근 오 년 동안의 변화를 비교해 주세요.",
            "이 계약서에서 해지 조항을 찾아 한 문장으로 요약해 줄래요?",
            "내일 오전 열 시에 서울역에서 부산으로 가는 기차표를 예약하려면 어떻게 해야 하나요?",
            "다음 문장을 영어로 번역하세요: 비가 그친 뒤에 우리는 강가를 따라 천천히 걸었다.",
            "고객이 배송 지연에 대해 불만을 제기했습니다. 정중하고 짧은 답장을 작성해 주세요.",
            "서버 오류가 반복되면 재시도 간격을 점점 늘리고, 일정 횟수를 넘으면 회로를 차단합니다.",
            "매출이 지난 분기보다 12.5% 줄었습니다. 원인을 분석하고 대책을 세 가지 제안하세요.",
            "파이썬으로 이진 탐색 함수를 작성하고 시간 복잡도를 설명해 주세요.",
            "우리 회사의 휴가 규정에 따르면 입사 첫해에는 며칠을 쉴 수 있습니까?",
            "환불 절차가 궁금합니다. 카드로 결제했는데 현금으로 돌려받을 수 있나요?");

    private record Counted(String text, long tokens) {}

    @Test
    void onTheHalfThatWasNotSeenTheMiddleErrorIsBelowTenPercent() throws IOException {
        List<Counted> judged = half(prompts(), 1);
        assertThat(judged).hasSize(404);
        double[] errors = errors(judged);
        report("prompts not seen", errors);
        assertThat(percentile(errors, 50)).isLessThan(0.10);
        assertThat(percentile(errors, 95)).isLessThan(0.30);
    }

    @Test
    void theWeightsAreTheOnesThatTheOtherHalfGives() throws IOException {
        List<Counted> seen = half(prompts(), 0);
        long[] refitted = Arrays.stream(fit(seen))
                .mapToLong(weight -> Math.round(weight * 100))
                .toArray();
        assertThat(Arrays.copyOf(refitted, TextTokens.FITTED)).isEqualTo(weights());
        assertThat(refitted[TextTokens.FITTED])
                .isEqualTo(LexicalTokenEstimator.REQUEST_HUNDREDTHS + LexicalTokenEstimator.MESSAGE_HUNDREDTHS);
    }

    @Test
    void fourCharactersATokenWouldBeWorse() throws IOException {
        double[] rough = half(prompts(), 1).stream()
                .mapToDouble(one -> Math.abs(one.text().length() / 4.0 - one.tokens()) / one.tokens())
                .sorted()
                .toArray();
        report("characters / 4", rough);
        assertThat(percentile(rough, 95)).isGreaterThan(0.30);
    }

    /** The text alone, since a vocabulary knows of no request around it. */
    @Test
    void koreanIsJudgedApart() {
        double[] today = koreanErrors(KOREAN, EncodingType.O200K_BASE);
        double[] yesterday = koreanErrors(KOREAN, EncodingType.CL100K_BASE);
        report("Korean, o200k", today);
        report("Korean, cl100k", yesterday);
        assertThat(percentile(today, 50)).isLessThan(0.10);
        assertThat(percentile(today, 95)).isLessThan(0.30);
        assertThat(percentile(yesterday, 95))
                .as("an older vocabulary takes more")
                .isLessThan(0.60);
    }

    @Test
    void theArticlesKoreanIsJudgedToo() throws IOException {
        Path seeds = SHARED.resolve("seeds");
        assumeTrue(Files.isDirectory(seeds), "articles at ../shared/seeds from the project's root");
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(seeds)) {
            for (Path file : files.sorted().toList()) {
                Files.readAllLines(file).stream()
                        .filter(TokenEstimateJudgedTest::isKorean)
                        .forEach(lines::add);
            }
        }
        assertThat(lines).hasSizeGreaterThan(100);
        double[] today = koreanErrors(lines, EncodingType.O200K_BASE);
        report(lines.size() + " Korean lines of the articles, o200k", today);
        assertThat(percentile(today, 50)).isLessThan(0.15);
        assertThat(percentile(today, 95)).isLessThan(0.40);
    }

    private static boolean isKorean(String line) {
        long hangul =
                line.chars().filter(each -> each >= 0xac00 && each <= 0xd7a3).count();
        return hangul >= 10 && hangul * 2 >= line.length();
    }

    private static double[] koreanErrors(List<String> texts, EncodingType type) {
        Encoding vocabulary = Encodings.newLazyEncodingRegistry().getEncoding(type);
        return texts.stream()
                .mapToDouble(text -> {
                    double tokens = vocabulary.countTokens(text);
                    return Math.abs(TextTokens.hundredths(text) / 100.0 - tokens) / tokens;
                })
                .sorted()
                .toArray();
    }

    private static List<Counted> prompts() throws IOException {
        Path file = SHARED.resolve("data/prompts/routerarena/claude-3-haiku-20240307.jsonl");
        assumeTrue(Files.isRegularFile(file), "prompts at ../shared/data/prompts from the project's root");
        List<Counted> all = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            JsonObject row = JsonText.parse(line).asObject().orElseThrow();
            all.add(new Counted(
                    row.text("question").orElseThrow(),
                    row.object("token_usage")
                            .orElseThrow()
                            .longValue("input_tokens")
                            .orElseThrow()));
        }
        assertThat(all).hasSize(809);
        return all;
    }

    private static List<Counted> half(List<Counted> all, int first) {
        return IntStream.range(0, all.size())
                .filter(i -> i % 2 == first)
                .mapToObj(all::get)
                .toList();
    }

    private static double[] errors(List<Counted> judged) {
        TokenEstimator estimator = TokenEstimator.lexical();
        return judged.stream()
                .mapToDouble(one -> {
                    ModelRequest request =
                            ModelRequest.chat("m").user(one.text()).build();
                    return Math.abs(estimator.estimate(request).input() - (double) one.tokens()) / one.tokens();
                })
                .sorted()
                .toArray();
    }

    private static double percentile(double[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }

    private static void report(String what, double[] sorted) {
        System.out.printf(
                "%s: %d, median %.1f %%, 95th percentile %.1f %%, largest %.1f %%%n",
                what,
                sorted.length,
                100 * percentile(sorted, 50),
                100 * percentile(sorted, 95),
                100 * sorted[sorted.length - 1]);
    }

    private static long[] weights() {
        return IntStream.range(0, TextTokens.FITTED)
                .mapToLong(feature -> {
                    var one = new long[TextTokens.FEATURES];
                    one[feature] = 1;
                    return TextTokens.weigh(one);
                })
                .toArray();
    }

    /**
     * Least squares of the relative error, each row weighted anew by the root of its last error, a hundred times. The last
     * weight is the request's own; features that are not fitted are taken as they are.
     */
    private static double[] fit(List<Counted> rows) {
        int size = TextTokens.FITTED + 1;
        double[][] features = new double[rows.size()][size];
        double[] rest = new double[rows.size()];
        double[] weights = new double[rows.size()];
        for (int i = 0; i < rows.size(); i++) {
            long[] counted = TextTokens.features(rows.get(i).text());
            for (int j = 0; j < TextTokens.FITTED; j++) {
                features[i][j] = counted[j];
                counted[j] = 0;
            }
            features[i][TextTokens.FITTED] = 1;
            rest[i] = rows.get(i).tokens() - TextTokens.weigh(counted) / 100.0;
            weights[i] = 1.0 / rows.get(i).tokens();
        }
        double[] solution = new double[size];
        for (int round = 0; round < 100; round++) {
            solution = solve(features, rest, weights);
            for (int i = 0; i < rows.size(); i++) {
                double tokens = rows.get(i).tokens();
                double error = Math.abs(dot(features[i], solution) - rest[i]) / tokens;
                weights[i] = 1 / tokens / Math.sqrt(Math.max(error, 0.01));
            }
        }
        return solution;
    }

    private static double dot(double[] one, double[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }

    /** The normal equations, by Gauss and Jordan. */
    private static double[] solve(double[][] rows, double[] target, double[] weights) {
        int size = rows[0].length;
        double[][] equations = new double[size][size + 1];
        for (int i = 0; i < rows.length; i++) {
            double square = weights[i] * weights[i];
            for (int a = 0; a < size; a++) {
                for (int b = 0; b < size; b++) {
                    equations[a][b] += square * rows[i][a] * rows[i][b];
                }
                equations[a][size] += square * rows[i][a] * target[i];
            }
        }
        for (int pivot = 0; pivot < size; pivot++) {
            for (int other = 0; other < size; other++) {
                double factor = other == pivot ? 0 : equations[other][pivot] / equations[pivot][pivot];
                for (int column = pivot; column <= size && other != pivot; column++) {
                    equations[other][column] -= factor * equations[pivot][column];
                }
            }
        }
        double[] solution = new double[size];
        for (int i = 0; i < size; i++) {
            solution[i] = equations[i][size] / equations[i][i];
        }
        return solution;
    }
}
