package dev.holdfast.core.internal.failure;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Puts a mask in the place of texts that are known, in whatever case: one pass, however many there are. Where two overlap,
 * both are gone to their last character. Prepared once; immutable.
 */
final class KnownSecrets {
    private static final int SLOTS = 128;
    private static final String[][] NONE = {};

    /** A key of three letters is replaced as a word only: else it would blank half the sentence and tell itself thereby. */
    private static final int SHORTEST_WITHIN_WORDS = 4;

    /** By their first letter without its case; the longer first. */
    private final String[][] withinWords;

    private final String[][] asWords;

    private KnownSecrets(String[][] withinWords, String[][] asWords) {
        this.withinWords = withinWords;
        this.asWords = asWords;
    }

    static KnownSecrets of(Collection<String> secrets) {
        return new KnownSecrets(
                slots(secrets.stream()
                        .filter(each -> each.length() >= SHORTEST_WITHIN_WORDS)
                        .toList()),
                slots(secrets.stream()
                        .filter(each -> !each.isEmpty() && each.length() < SHORTEST_WITHIN_WORDS)
                        .toList()));
    }

    /** Empty if there are no texts to look for. */
    private static String[][] slots(List<String> secrets) {
        if (secrets.isEmpty()) {
            return NONE;
        }
        Map<Integer, List<String>> bySlot = secrets.stream()
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .collect(Collectors.groupingBy(secret -> slot(secret.charAt(0))));
        var slots = new String[SLOTS][];
        Arrays.setAll(slots, slot -> bySlot.getOrDefault(slot, List.of()).toArray(String[]::new));
        return slots;
    }

    private static int slot(char c) {
        char folded = c < SLOTS
                ? (c >= 'A' && c <= 'Z' ? (char) (c + 'a' - 'A') : c)
                : Character.toLowerCase(Character.toUpperCase(c));
        return folded % SLOTS;
    }

    /** The text without what is known. */
    String mask(String text) {
        return mask(mask(text, withinWords, false), asWords, true);
    }

    private static String mask(String text, String[][] slots, boolean words) {
        if (slots.length == 0) {
            return text;
        }
        StringBuilder out = null;
        int hidden = 0;
        for (int at = 0; at < text.length(); at++) {
            int end = longest(text, at, slots[slot(text.charAt(at))], words);
            if (end > hidden) {
                if (at >= hidden) {
                    out = out == null ? new StringBuilder(text.length()) : out;
                    out.append(text, hidden, at).append(Redactor.MASK);
                }
                hidden = end;
            }
        }
        return out == null ? text : out.append(text, hidden, text.length()).toString();
    }

    /** Where the longest text that begins here ends; zero if none does. */
    private static int longest(String text, int at, String[] candidates, boolean words) {
        for (String candidate : candidates) {
            int end = at + candidate.length();
            if (text.regionMatches(true, at, candidate, 0, candidate.length())
                    && (!words || (isBorder(text, at - 1) && isBorder(text, end)))) {
                return end;
            }
        }
        return 0;
    }

    private static boolean isBorder(String text, int at) {
        if (at < 0 || at >= text.length()) {
            return true;
        }
        char c = text.charAt(at);
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
    }
}
