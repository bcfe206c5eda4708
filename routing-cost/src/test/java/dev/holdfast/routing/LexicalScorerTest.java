package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.routing.LexicalScorer.Example;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LexicalScorerTest {
    private static final List<String> FILLERS = List.of("please", "today", "quickly", "again", "perhaps", "now");

    /** A word decides, with noise; the rest says nothing. */
    private static List<Example> examples(int seed, int count) {
        var random = new Random(seed);
        var examples = new ArrayList<Example>();
        for (int i = 0; i < count; i++) {
            boolean hard = random.nextBoolean();
            boolean strong = random.nextInt(10) == 0 ? !hard : hard;
            examples.add(new Example(
                    (hard ? "증명 prove " : "list ") + FILLERS.get(random.nextInt(FILLERS.size())) + " "
                            + random.nextInt(100),
                    strong));
        }
        return examples;
    }

    @Test
    void theWordThatDecidesIsFound() {
        LexicalScorer scorer = LexicalScorer.train(examples(1, 400));
        List<Example> unseen = examples(2, 400);
        long right = unseen.stream()
                .filter(each -> scorer.score(each.prompt()) >= 0.5 == each.needsStrong())
                .count();
        assertThat(right).isGreaterThan(340);
        assertThat(scorer.score("prove it")).isGreaterThan(scorer.score("list it"));
        assertThat(scorer.score("")).isBetween(0.0, 1.0);
        assertThat(scorer.score("증명")).isGreaterThan(scorer.score("나열"));
    }

    @Test
    void theSameExamplesGiveTheSameScorer() {
        assertThat(LexicalScorer.train(examples(1, 100)).score("prove 3 now"))
                .isEqualTo(LexicalScorer.train(examples(1, 100)).score("prove 3 now"));
    }

    @Test
    void tooFewExamplesAndOnlyOneKindAreRefused() {
        assertThatThrownBy(() -> LexicalScorer.train(examples(1, 49)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "examples: 49, of which \\d+ need the strong model \\(expected: at least 50, of both kinds\\)");
        assertThatThrownBy(() -> LexicalScorer.train(Collections.nCopies(60, new Example("x", true))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aThresholdLetsAboutThatShareThrough() {
        LexicalScorer scorer = LexicalScorer.train(examples(1, 400));
        List<String> prompts = examples(3, 200).stream().map(Example::prompt).toList();
        for (double share : new double[] {0, 0.25, 0.5, 1}) {
            double threshold = scorer.thresholdFor(share, prompts);
            long passing = prompts.stream()
                    .filter(prompt -> scorer.score(prompt) >= threshold)
                    .count();
            assertThat((double) passing / prompts.size()).isBetween(share, share + 0.2);
        }
        assertThatThrownBy(() -> scorer.thresholdFor(2, prompts)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> scorer.thresholdFor(0.5, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHighScoreGoesToTheStrongModelAndTheOtherStandsBy() {
        var router = new ScoreRouter(String::length, 10, "strong", "weak");
        ModelRequest shortOne = ModelRequest.chat("asked").user("brief").build();
        ModelRequest longOne = ModelRequest.chat("asked").user("not so brief").build();
        List<String> both = List.of("weak", "strong");
        assertThat(router.route(SeedRouterTest.request(longOne, both)))
                .isEqualTo(Route.of("score: 12.000, strong from 10.000", "strong", "weak"));
        assertThat(router.route(SeedRouterTest.request(shortOne, both)))
                .isEqualTo(Route.of("score: 5.000, weak, strong from 10.000", "weak", "strong"));
        assertThat(router.route(SeedRouterTest.request(longOne, List.of("weak")))
                        .models())
                .containsExactly("weak");
        assertThat(router.route(SeedRouterTest.request(longOne, List.of())).models())
                .containsExactly("asked");
    }

    @Test
    void anExampleDoesNotShowItsPrompt() {
        assertThat(new Example("secret", true).toString()).doesNotContain("secret");
    }
}
