package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link within the project leads somewhere, also those to a heading. */
class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#{1,6}\\s+(.*?)\\s*#*");

    @Test
    void everyRelativeLinkAndAnchorResolves() {
        var broken = new ArrayList<String>();
        int links = 0;
        for (Path page : Guide.pages()) {
            List<String> prose = Guide.prose(page);
            for (int i = 0; i < prose.size(); i++) {
                for (String link : links(prose.get(i))) {
                    links++;
                    if (!resolves(page, link)) {
                        broken.add(Guide.root().relativize(page) + ":" + (i + 1) + " " + link);
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(20);
    }

    @Test
    void everyPageOfTheGuideIsInItsIndex() {
        Path index = Guide.root().resolve("docs/README.md");
        List<String> linked = Guide.prose(index).stream()
                .flatMap(line -> links(line).stream())
                .toList();
        assertThat(Guide.pages())
                .filteredOn(page -> page.startsWith(index.getParent()) && !page.equals(index))
                .allSatisfy(page -> assertThat(linked)
                        .contains(index.getParent().relativize(page).toString()));
    }

    private static List<String> links(String line) {
        return LINK.matcher(line.replaceAll("`[^`]*`", "`"))
                .results()
                .map(match -> match.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .toList();
    }

    private static boolean resolves(Path page, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.getParent().resolve(file).normalize();
        if (!target.startsWith(Guide.root()) || !Files.exists(target)) {
            return false;
        }
        return hash < 0 || (target.toString().endsWith(".md") && anchors(target).contains(link.substring(hash + 1)));
    }

    /** As GitHub makes them: lower case, punctuation dropped, blanks to hyphens, repetitions numbered. */
    private static Set<String> anchors(Path page) {
        var anchors = new HashSet<String>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : Guide.prose(page)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String slug = slug(heading.group(1));
                int before = seen.merge(slug, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? slug : slug + "-" + before);
            }
        }
        return anchors;
    }

    private static String slug(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\-_ ]", "")
                .replace(' ', '-');
    }
}
