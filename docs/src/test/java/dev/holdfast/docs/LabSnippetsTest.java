package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Experiment;
import dev.holdfast.simulation.lab.LabPolicy;
import dev.holdfast.simulation.lab.Objective;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Sweep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippet and the picture of docs/lab.md. */
class LabSnippetsTest {
    @TempDir
    private Path directory;

    @Test
    void theLabAsALibrary() throws IOException {
        Path file = Files.writeString(directory.resolve("mine.json"), "{\"retry\": {\"backoff\": \"fixed(200ms)\"}}");
        Path page = directory.resolve("lab.html");
        // snippet: lab
        Report report = Experiment.of(Profile.named("outages"))
                .withPolicies(LabPolicy.read(file), LabPolicy.named("adaptive"))
                .withSweep(Sweep.of("retry.max-attempts=1,2,3"))
                .withObjective(Objective.parse("success>=99, min p99"))
                .withRequests(500)
                .run((done, all) -> {});
        assertThat(report.best()).isPresent();
        Files.writeString(page, report.html());
        // end
        assertThat(page).content().contains("retry.max-attempts");
    }

    /** {@code -Dholdfast.docs.write=true} draws it anew. */
    @Test
    void thePictureIsDrawnByTheLab() throws IOException {
        Path picture = Guide.root().resolve("docs/lab.svg");
        String drawn =
                Experiment.of(Profile.named("published")).run((done, all) -> {}).picture();
        if (Boolean.getBoolean("holdfast.docs.write")) {
            Files.writeString(picture, drawn);
        }
        assertThat(picture).hasContent(drawn.strip());
    }
}
