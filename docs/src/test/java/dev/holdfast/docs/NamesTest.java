package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    private final String sources = allSources();

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
            return sources.contains(code) || code.startsWith("HOLDFAST_") || code.equals("JAVA_HOME");
        }
        Matcher name = TYPE.matcher(code);
        if (!name.matches() || OF_OTHERS.contains(name.group(1))) {
            return true;
        }
        boolean declared = Pattern.compile("(class|record|interface|enum) " + name.group(1) + "\\b")
                .matcher(sources)
                .find();
        boolean member = name.group(2) == null
                || Pattern.compile("\\b" + name.group(2) + "\\b")
                        .matcher(sources)
                        .find();
        return (declared && member) || isOfTheJdk(name.group(1));
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

    private static String allSources() {
        var text = new StringBuilder();
        try (Stream<Path> files = Files.walk(Guide.root())) {
            for (Path file : files.filter(NamesTest::isSource).toList()) {
                text.append(Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static boolean isSource(Path file) {
        return file.toString().endsWith(".java") && !file.toString().contains("/target/");
    }
}
