package dev.holdfast.benchmarks.routing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A prompt, and whether a weak and a strong model answered it rightly.
 *
 * @param text the prompt
 * @param weak whether the weak model was right
 * @param strong whether the strong one was
 */
record GradedPrompt(String text, boolean weak, boolean strong) {
    /** Reads RouteLLM's table: prompt, weak, strong, and the answers, which are passed over. */
    static List<GradedPrompt> read(Path file) throws IOException {
        var prompts = new ArrayList<GradedPrompt>();
        for (List<String> row : rows(Files.readString(file))) {
            prompts.add(new GradedPrompt(
                    row.get(0), row.get(1).equals("True"), row.get(2).equals("True")));
        }
        return List.copyOf(prompts.subList(1, prompts.size()));
    }

    /** The records of a CSV file by RFC 4180, quoted line breaks and quotes included. */
    static List<List<String>> rows(String csv) {
        var rows = new ArrayList<List<String>>();
        var row = new ArrayList<String>();
        var field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < csv.length(); i++) {
            char c = csv.charAt(i);
            if (quoted) {
                boolean twice = c == '"' && i + 1 < csv.length() && csv.charAt(i + 1) == '"';
                quoted = c != '"' || twice;
                if (quoted) {
                    field.append(c);
                    i += twice ? 1 : 0;
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == ',' || c == '\n') {
                row.add(field.toString().strip());
                field.setLength(0);
                if (c == '\n') {
                    rows.add(List.copyOf(row));
                    row.clear();
                }
            } else if (c != '\r') {
                field.append(c);
            }
        }
        if (!row.isEmpty()) {
            row.add(field.toString().strip());
            rows.add(List.copyOf(row));
        }
        return rows;
    }
}
