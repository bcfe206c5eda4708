package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages call by name is there: types, their methods, tests, modules and the version. */
class NamesTest {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern TYPE = Pattern.compile("([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)*)(?:\\.(\\w+).*)?");
    private static final Pattern CONSTANT = Pattern.compile("[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+");
    private static final Pattern COORDINATES =
            Pattern.compile("<artifactId>([^<]+)</artifactId><version>([^<]+)</version>");
    private static final List<String> JDK_PACKAGES = List.of(
            "java.lang.",
            "java.time.",
            "java.util.",
            "java.util.concurrent.",
            "java.net.http.",
            "java.io.",
            "java.math.");

    /** Words of others that look like ours: fields of HTTP, of an error's body, of a trace. */
    private static final Set<String> OF_OTHERS =
            Set.of("Authorization", "RetryInfo", "ContextTokens", "GeneratedTokens");

    private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|record|interface|enum) (\\w+)");
    private static final Pattern WORD = Pattern.compile("\\w+");

    private final Set<String> types = new HashSet<>();
    private final Set<String> words = new HashSet<>();

    NamesTest() {
        for (Path file : sources()) {
            String text = String.join("\n", Guide.lines(file));
            DECLARATION.matcher(text).results().forEach(match -> types.add(match.group(1)));
            WORD.matcher(text).results().forEach(match -> words.add(match.group()));
        }
    }

    @Test
    void everyTypeAndMemberInThePagesExists() {
        var unknown = new ArrayList<String>();
        for (Path page : Guide.pages()) {
            for (String line : Guide.prose(page)) {
                CODE.matcher(line).results().map(match -> match.group(1)).forEach(code -> {
                    if (!isKnown(code)) {
                        unknown.add(Guide.root().relativize(page) + ": " + code);
                    }
                });
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void theCoordinatesOfTheReadmeAreModulesOfThisVersion() throws IOException {
        String readme = Files.readString(Guide.root().resolve("README.md"));
        String parent = Files.readString(Guide.root().resolve("pom.xml"));
        assertThat(COORDINATES.matcher(readme).results().toList()).isNotEmpty().allSatisfy(match -> {
            assertThat(parent).contains("<module>" + match.group(1) + "</module>");
            assertThat(parent).contains("<artifactId>holdfast-parent</artifactId>\n  <version>" + match.group(2));
        });
    }

    private boolean isKnown(String code) {
        if (CONSTANT.matcher(code).matches()) {
            return words.contains(code);
        }
        Matcher name = TYPE.matcher(code);
        if (!name.matches() || OF_OTHERS.contains(name.group(1))) {
            return true;
        }
        boolean member = name.group(2) == null || words.contains(name.group(2));
        return (types.contains(name.group(1)) && member) || isOfTheJdk(name.group(1));
    }

    private static boolean isOfTheJdk(String simpleName) {
        return JDK_PACKAGES.stream().anyMatch(each -> {
            try {
                Class.forName(each + simpleName, false, null);
                return true;
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
    }

    private static List<Path> sources() {
        try (Stream<Path> files = Files.find(Guide.root(), 20, (file, attributes) -> isSource(file))) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSource(Path file) {
        String path = file.toString();
        return path.endsWith(".java") && path.contains("/src/") && !path.contains("/target/");
    }
}
