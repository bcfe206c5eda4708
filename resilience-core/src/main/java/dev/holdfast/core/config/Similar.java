package dev.holdfast.core.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that someone may have meant. */
final class Similar {
    private static final int FARTHEST = 2;
    private static final int LONGEST = 64;

    private Similar() {}

    /** The name that differs least, by at most two letters; {@code max_attempts} means {@code max-attempts}. */
    static Optional<String> nearest(String text, Collection<String> names) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        String plain = plain(text);
        return names.stream()
                .filter(name -> distance(plain, plain(name)) <= FARTHEST)
                .min(Comparator.comparingInt(name -> distance(plain, plain(name))));
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** The edits between two texts (Levenshtein 1966). */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
