package dev.holdfast.simulation.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.BreakerState;
import dev.holdfast.JsonValue;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Timeline.Lane;
import dev.holdfast.simulation.lab.Timeline.Stretch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExperimentTest {
    private static final Profile PUBLISHED = Profile.named("published");

    private static Experiment small() {
        return Experiment.of(PUBLISHED)
                .withPolicies(LabPolicy.named("fixed"), LabPolicy.named("adaptive"))
                .withSweep(Sweep.of("retry.max-attempts=1,3"))
                .withObjective(Objective.parse("success>=99, min p99"))
                .withRequests(600)
                .withSeeds(4, 2);
    }

    private static Report run(Experiment experiment) {
        return experiment.run((done, all) -> {});
    }

    /** {@code -Dholdfast.golden=write} writes it anew. */
    @Test
    void theFiguresAreThoseOfRecord() throws IOException {
        String csv = run(small()).csv();
        if ("write".equals(System.getProperty("holdfast.golden"))) {
            Files.writeString(Path.of("src/test/resources/dev/holdfast/simulation/lab/small.csv"), csv);
        }
        try (InputStream golden = ExperimentTest.class.getResourceAsStream("small.csv")) {
            assertThat(golden).isNotNull();
            assertThat(csv).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void theSameExperimentGivesTheSameBytes() {
        Report once = run(small());
        Report again = run(small());

        assertThat(again.csv()).isEqualTo(once.csv());
        assertThat(again.json().toJson()).isEqualTo(once.json().toJson());
        assertThat(again.html()).isEqualTo(once.html());
        assertThat(again.text()).isEqualTo(once.text());
        assertThat(run(small().withSeeds(5, 2)).csv()).isNotEqualTo(once.csv());
    }

    @Test
    void thePolicyOfARowIsTheOneThatWasRun() throws InterruptedException {
        Report report = run(small().withSeeds(4, 1));
        Outcome alone = Trial.run(PUBLISHED, LabPolicy.named("fixed").with("retry.max-attempts", "3"), 4, 600);
        Outcome baseline = Trial.run(PUBLISHED, LabPolicy.named("none"), 4, 600);

        assertThat(report.rows()).hasSize(4);
        assertThat(report.rows().get(1).title()).isEqualTo("fixed retry.max-attempts=3");
        assertThat(report.rows().get(1).mean()).isEqualTo(alone.measures(baseline));
        assertThat(report.rows().get(1).histogram()).isEqualTo(alone.histogram());
    }

    @Test
    void aSweepThatChangesNothingGivesTheRowOfTheTable() throws InterruptedException {
        LabPolicy four = LabPolicy.named("fixed").with("retry.max-attempts", "4");

        assertThat(Trial.run(PUBLISHED, four, 7, 500))
                .isEqualTo(Trial.run(PUBLISHED, LabPolicy.named("fixed"), 7, 500));
    }

    @Test
    void progressCountsEveryRun() {
        var heard = new ArrayList<String>();

        small().run((done, all) -> heard.add(done + "/" + all));

        assertThat(heard)
                .containsExactly("1/10", "2/10", "3/10", "4/10", "5/10", "6/10", "7/10", "8/10", "9/10", "10/10");
    }

    @Test
    void whatIsDoneIsKeptWhenItIsStopped() {
        Report afterASeed = small().run((done, all) -> {
            if (done == 7) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(Thread.interrupted()).isFalse();
        assertThat(afterASeed.isStopped()).isTrue();
        assertThat(afterASeed.rows())
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.seeds()).isEqualTo(1));
        assertThat(afterASeed.csv()).isEqualTo(run(small().withSeeds(4, 1)).csv());
        assertThat(afterASeed.text()).startsWith("stopped: 1 of 2 seeds are done");
        assertThat(afterASeed.html()).contains("Stopped before it was done.").contains("<svg");

        Report within = small().run((done, all) -> {
            if (done == 3) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(within.rows()).hasSize(2);
        assertThat(within.text()).startsWith("stopped: 2 of 4 policies were run");

        Report before = small().run((done, all) -> Thread.currentThread().interrupt());
        assertThat(before.rows()).isEmpty();
        assertThat(before.text()).contains("stopped before the first run was over");
        assertThat(before.html()).contains("Stopped before the first run was over.");
        assertThat(before.csv().lines()).hasSize(1);
    }

    @Test
    void theBestMeetsTheBoundsAndWhereNothingDoesTheNearestIsNamed() {
        Report met = run(small());
        Report missed = run(small().withObjective(Objective.parse("success>=99.99, p99<=10ms, min mean")));

        assertThat(met.isMet()).isTrue();
        assertThat(met.best()).hasValueSatisfying(row -> {
            assertThat(row.meets()).isTrue();
            assertThat(row.mean().successPct()).isGreaterThanOrEqualTo(99);
        });
        assertThat(met.text()).contains("> best by success>=99, min p99: adaptive");
        assertThat(missed.isMet()).isFalse();
        assertThat(missed.text())
                .contains("> nothing meets success>=99.99, p99<=10ms, min mean: nearest is ")
                .contains("misses the objective");
        assertThat(missed.html()).contains("nearest");
    }

    @Test
    void aSettingThatAPolicyCannotHaveIsRefusedBeforeAnythingIsRun() {
        Experiment experiment = small();

        assertThatThrownBy(() -> experiment.withSweep(Sweep.of("retry.max-attempts=2,many")))
                .hasMessage("retry.max-attempts: many (expected: a whole number, 1 to 1000)");
        assertThatThrownBy(() -> experiment.withPolicies(LabPolicy.named("fixed"), LabPolicy.named("fixed")))
                .hasMessage("policies: 'fixed' twice (expected: names that differ)");
    }

    @Test
    void theDocumentHoldsWhatTheReportHolds() {
        JsonValue.JsonObject json = run(small()).json();

        assertThat(json.text("profile")).contains("published");
        assertThat(json.text("best"))
                .hasValueSatisfying(best -> assertThat(best).startsWith("adaptive"));
        assertThat(json.toJson())
                .contains(
                        "\"requests\":600,\"firstSeed\":4,\"seeds\":2,\"seedsDone\":2,\"objective\":\"success>=99, min p99\"")
                .contains("\"sweep\":[{\"key\":\"retry.max-attempts\",\"values\":[\"1\",\"3\"]}]")
                .contains("\"settings\":{\"retry.max-attempts\":\"3\"}")
                .contains("\"timelines\":[{\"policy\":");
    }

    @Test
    void theTimelineShowsTheBreakerOpenWhileTheProviderIsDown() {
        Report report = run(Experiment.of(PUBLISHED)
                .withPolicies(LabPolicy.named("adaptive"))
                .withRequests(4_000));
        Timeline timeline = report.timelines().getFirst();
        Lane first = timeline.lanes().getFirst();
        Stretch down = first.down().getFirst();

        assertThat(timeline.what()).isEqualTo("an outage of gpt-4.1");
        assertThat(first.target()).isEqualTo("gpt-4.1");
        assertThat(first.breaker())
                .anySatisfy(open -> {
                    assertThat(open.state()).isEqualTo(BreakerState.OPEN);
                    assertThat(open.from()).isBetween(down.from(), down.to());
                })
                .allSatisfy(each -> assertThat(each.from()).isGreaterThanOrEqualTo(down.from()));
        assertThat(answeredWithin(first, down, timeline)).isZero();
        assertThat(timeline.lanes().stream().skip(1).mapToInt(lane -> answeredWithin(lane, down, timeline)))
                .anyMatch(answered -> answered > 0);
        assertThat(timeline.inFlight()).anyMatch(count -> count > 0).allMatch(count -> count <= 20);
    }

    @Test
    void aReportWithoutTimelinesHasTheSameRows() {
        Experiment with = small();
        Experiment without = with.withTimelines(false);

        Report report = run(without);

        assertThat(report.timelines()).isEmpty();
        assertThat(run(with).timelines()).isNotEmpty();
        assertThat(report.csv()).isEqualTo(run(with).csv());
        assertThat(without.withRequests(700).withSeeds(1, 2).timelines()).isFalse();
    }

    /** Of the steps that lie wholly within it. */
    private static int answeredWithin(Lane lane, Stretch stretch, Timeline timeline) {
        int answered = 0;
        for (int i = 0; i < timeline.steps(); i++) {
            var from = timeline.from().plus(timeline.step().multipliedBy(i));
            boolean within = from.compareTo(stretch.from()) >= 0
                    && from.plus(timeline.step()).compareTo(stretch.to()) <= 0;
            answered += within ? lane.answered().get(i) : 0;
        }
        return answered;
    }

    @Test
    void everyProfileHasAReport() {
        for (String name : Profile.names()) {
            Report report = run(Experiment.of(Profile.named(name))
                    .withPolicies(LabPolicy.named("none"), LabPolicy.named("adaptive"))
                    .withRequests(400));

            assertThat(report.rows()).as(name).hasSize(2);
            assertThat(report.html()).as(name).endsWith("</html>\n");
            assertThat(report.rows().getFirst().mean().costPct()).as(name).isZero();
        }
        assertThat(List.copyOf(Profile.names())).isNotEmpty();
    }
}
