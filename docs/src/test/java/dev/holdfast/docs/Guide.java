package dev.holdfast.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Markdown files that readers read, and where they lie. */
final class Guide {
    private static final String FENCE = "```";

    private Guide() {}

    /** A block of code in a page. */
    record Block(Path page, int line, String language, List<String> lines) {
        @Override
        public String toString() {
            return root().relativize(page) + ":" + line + "\n" + String.join("\n", lines);
        }
    }

    /** The root of the project: where the launcher is. */
    static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("holdfast"))) {
            at = at.getParent();
        }
        return at;
    }

    /** README, changelog, the guide's pages and the decisions. */
    static List<Path> pages() {
        try (Stream<Path> top = Files.list(root());
                Stream<Path> guide = Files.walk(root().resolve("docs"))) {
            return Stream.concat(top, guide.filter(page -> !page.toString().contains("/target/")))
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The fenced blocks of a page. */
    static List<Block> blocks(Path page) {
        var blocks = new ArrayList<Block>();
        List<String> lines = lines(page);
        int from = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith(FENCE)) {
                continue;
            }
            if (from < 0) {
                from = i;
            } else {
                String language = lines.get(from).substring(FENCE.length()).strip();
                blocks.add(new Block(page, from + 1, language, List.copyOf(lines.subList(from + 1, i))));
                from = -1;
            }
        }
        return blocks;
    }

    /** The lines of a page outside its blocks of code; those inside are empty. */
    static List<String> prose(Path page) {
        var prose = new ArrayList<String>();
        boolean code = false;
        for (String line : lines(page)) {
            boolean fence = line.startsWith(FENCE);
            prose.add(code || fence ? "" : line);
            code ^= fence;
        }
        return prose;
    }
}
