package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The Java that readers copy is the Java that is tested here: each block of a page is a region of a test's source, between
 * {@code // snippet: name} and {@code // end}, and each region stands in a page.
 */
class SnippetsTest {
    private static final String BEGIN = "// snippet: ";
    private static final String END = "// end";

    @Test
    void everyJavaBlockOfAPageIsARegionThatIsTested() {
        var regions = new HashSet<>(regions().values());
        assertThat(javaBlocks())
                .isNotEmpty()
                .allSatisfy(block -> assertThat(regions).as(block.toString()).contains(block.lines()));
    }

    @Test
    void everyRegionStandsInAPage() {
        var blocks = new HashSet<>(javaBlocks().stream().map(Guide.Block::lines).toList());
        assertThat(regions())
                .isNotEmpty()
                .allSatisfy((name, lines) -> assertThat(blocks)
                        .as("snippet %s:%n%s", name, String.join("\n", lines))
                        .contains(lines));
    }

    @Test
    void aPageOfAFeatureShowsCodeOnItsFirstScreen() {
        for (String feature : List.of(
                "retry",
                "streams",
                "targets",
                "hedging",
                "health",
                "breakers",
                "limits",
                "transport",
                "routing",
                "cache",
                "idempotency",
                "simulation",
                "plugins",
                "configuration")) {
            Path page = Guide.root().resolve("docs/" + feature + ".md");
            assertThat(Guide.blocks(page)).as(feature).isNotEmpty();
            assertThat(Guide.blocks(page).getFirst().line()).as(feature).isLessThanOrEqualTo(15);
        }
    }

    @Test
    void theExampleOfTheReadmeIsShort() {
        List<List<String>> examples = javaBlocks().stream()
                .filter(block -> block.page().equals(Guide.root().resolve("README.md")))
                .map(Guide.Block::lines)
                .toList();
        assertThat(examples).hasSize(1);
        assertThat(examples.getFirst()).hasSizeLessThanOrEqualTo(15);
    }

    private static List<Guide.Block> javaBlocks() {
        return Guide.pages().stream()
                .flatMap(page -> Guide.blocks(page).stream())
                .filter(block -> block.language().equals("java"))
                .toList();
    }

    private static Map<String, List<String>> regions() {
        var regions = new LinkedHashMap<String, List<String>>();
        Path sources = Guide.root().resolve("docs/src/test/java");
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .forEach(file -> collect(Guide.lines(file), regions));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return regions;
    }

    private static void collect(List<String> lines, Map<String, List<String>> regions) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.startsWith(BEGIN)) {
                int end = i + 1;
                while (!lines.get(end).strip().equals(END)) {
                    end++;
                }
                String name = line.substring(BEGIN.length());
                assertThat(regions.put(name, unindented(lines.subList(i + 1, end))))
                        .as("two snippets " + name)
                        .isNull();
            }
        }
    }

    private static List<String> unindented(List<String> lines) {
        return new ArrayList<>(
                String.join("\n", lines).stripIndent().strip().lines().toList());
    }
}
