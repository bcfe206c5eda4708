package dev.holdfast.benchmarks.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RouterTrialTest {
    @Test
    void aTableOfQuotedFieldsIsRead() {
        assertThat(GradedPrompt.rows("a,b\r\n\"x, \"\"y\"\"\nz\",True\nlast,False"))
                .containsExactly(List.of("a", "b"), List.of("x, \"y\"\nz", "True"), List.of("last", "False"));
    }

    @Test
    void aPerfectScoreClosesTheGapAtOnceAndChanceHalfOfIt() {
        List<GradedPrompt> prompts = List.of(
                new GradedPrompt("needs it", false, true),
                new GradedPrompt("does not", true, true),
                new GradedPrompt("hopeless", false, false),
                new GradedPrompt("does not", true, true));
        QualityCurve perfect = QualityCurve.of(prompts, new double[] {1, 0, 0, 0});
        assertThat(perfect.quality()).containsExactly(0.5, 0.75, 0.75, 0.75, 0.75);
        assertThat(QualityCurve.ofChance(prompts).gapClosed()).isCloseTo(0.5, within(1e-12));
        assertThat(QualityCurve.of(prompts, new double[] {0, 1, 1, 1}).at(0.75)).isEqualTo(0.5);
    }

    /** What the guide says, word for word, and that what is learned beats length, on either half. */
    @Test
    @Tag("slow")
    void theGuideShowsWhatIsMeasured() throws IOException {
        Path file = Path.of(
                System.getProperty("holdfast.shared", "../../shared"), "data/prompts/routellm/gsm8k_responses.csv");
        assumeThat(file)
                .as("graded prompts at ../shared/data/prompts from the project's root")
                .isRegularFile();
        List<GradedPrompt> all = GradedPrompt.read(file);
        assertThat(all).hasSize(1_319);
        RouterTrial trial = RouterTrial.of(RouterTrial.half(all, 0), RouterTrial.half(all, 1));
        RouterTrial swapped = RouterTrial.of(RouterTrial.half(all, 1), RouterTrial.half(all, 0));
        assertThat(Files.readString(Path.of("../docs/routing.md"))).contains(RouterCurve.table(trial));
        assertThat(Files.readString(Path.of("../docs/router-curve.svg"))).isEqualTo(RouterCurve.svg(trial));
        assertThat(Files.readString(Path.of("results/routing.txt")))
                .contains(RouterCurve.summary("learned on the first half", trial))
                .contains(RouterCurve.summary("learned on the second half", swapped));
        for (RouterTrial each : List.of(trial, swapped)) {
            assertThat(each.learnedGain()[0])
                    .as("the lower end of what is gained over length")
                    .isPositive();
            assertThat(each.curve(RouterTrial.LENGTH).gapClosed()).isGreaterThan(0.55);
        }
    }
}
