package dev.holdfast.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Experiment;
import dev.holdfast.simulation.lab.LabPolicy;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Sweep;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report as a browser shows it. */
@Tag("slow")
class ReportInBrowserTest {
    /** Pairs of texts of one visible drawing that lie on each other, and texts that lie outside of theirs. */
    private static final String COLLISIONS = """
            const bad = [];
            for (const svg of document.querySelectorAll('svg')) {
              if (svg.getClientRects().length === 0) continue;
              const own = svg.getBoundingClientRect();
              const texts = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
              texts.forEach(([text, a], i) => {
                if (a.left < own.left - 2 || a.right > own.right + 2 || a.bottom > own.bottom + 2) bad.push(svg.id + ' outside: ' + text);
                for (const [other, b] of texts.slice(i + 1)) {
                  if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom) bad.push(text + ' on ' + other);
                }
              });
            }
            return bad.join('; ');""";

    @TempDir
    private Path directory;

    @Test
    void thePageIsWholeOnWideAndNarrowScreensInLightAndDark() throws Exception {
        Optional<Browser> found = Browser.find();
        assumeThat(found)
                .as("no chromedriver on the PATH: install chromium and chromium-driver to test the report in a browser")
                .isPresent();
        Path page = directory.resolve("lab.html");
        Report report = Experiment.of(Profile.named("outages"))
                .withPolicies(LabPolicy.named("fixed"), LabPolicy.named("adaptive"))
                .withSweep(Sweep.of("retry.max-attempts=1,2,3", "hedge.after=off,p90"))
                .withRequests(800)
                .withSeeds(1, 2)
                .run((done, all) -> {});
        Files.writeString(page, report.html());
        try (Browser browser = found.orElseThrow()) {
            for (int width : new int[] {1_200, 800, 400, 320}) {
                for (String scheme : new String[] {"light", "dark"}) {
                    browser.show(width, scheme);
                    browser.open(page);
                    isWhole(browser, width, scheme);
                }
            }
            choosingARowShowsItAlone(browser);
            assertThat(browser.console()).isEqualTo("[]");
        }
    }

    private static void isWhole(Browser browser, int width, String scheme) {
        String where = width + " px, " + scheme;
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth ? 'fits' : 'is too wide';"))
                .as(where)
                .isEqualTo("fits");
        assertThat(
                        browser.run(
                                "return [...document.querySelectorAll('figure')].filter(f => "
                                        + "[...f.querySelectorAll('svg')].filter(s => s.getClientRects().length > 0).length !== 1).length + '';"))
                .as(where + ": figures that do not show just one drawing")
                .isEqualTo("0");
        assertThat(browser.run(COLLISIONS)).as(where).isEmpty();
        assertThat(browser.run("return getComputedStyle(document.body).backgroundColor;"))
                .as(where)
                .isEqualTo(scheme.equals("dark") ? "rgb(17, 22, 29)" : "rgb(255, 255, 255)");
    }

    private static void choosingARowShowsItAlone(Browser browser) {
        String state = "return [document.querySelector('main').className,"
                + " document.querySelectorAll('#variants button[aria-pressed=true]').length,"
                + " new Set([...document.querySelectorAll('svg .v.on')].map(g => g.dataset.v)).size].join(' ');";

        browser.run("document.querySelectorAll('#variants button')[2].click();");
        assertThat(browser.run(state)).isEqualTo("chosen 1 1");
        browser.run("document.querySelectorAll('#variants button')[3].click();");
        assertThat(browser.run(state)).isEqualTo("chosen 1 1");
        browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));");
        assertThat(browser.run(state)).isEqualTo(" 0 0");
    }
}
