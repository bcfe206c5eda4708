package dev.holdfast.core.internal.form;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a model's name tells of what it takes: the vendors publish rules by generation. A name of the family without a number
 * counts as the newest.
 */
final class ModelNames {
    private static final int NEWEST = 99_00;
    /** {@code claude-3-5-haiku-20241022}, {@code claude-sonnet-4-5}, {@code anthropic/claude-opus-4.6}: no number is a date. */
    private static final Pattern CLAUDE =
            Pattern.compile("claude(?:-[a-z]+)*-?v?(?<major>\\d{1,2})(?!\\d)(?:[-.](?<minor>\\d{1,2})(?!\\d))?");

    private static final Pattern GEMINI = Pattern.compile("gemini-(?<major>\\d{1,2})(?:\\.(?<minor>\\d{1,2}))?");
    /** The o series, and the series that began with GPT-5. */
    private static final Pattern REASONING = Pattern.compile("(?:^|/)(?:o[1-9]|gpt-(?:[5-9]|[1-9]\\d))(?![0-9])");

    private ModelNames() {}

    /** Major times 100 plus minor: 405 for Claude 4.5; 0 for another family. */
    static int claude(String model) {
        return version(CLAUDE, "claude", model);
    }

    /** Major times 100 plus minor: 205 for Gemini 2.5; 0 for another family. */
    static int gemini(String model) {
        return version(GEMINI, "gemini", model);
    }

    /** Whether it is a model of OpenAI's that thinks: it counts its thoughts in the cap and takes no sampling. */
    static boolean isOpenAiReasoning(String model) {
        String name = model.toLowerCase(Locale.ROOT);
        return REASONING.matcher(name).find() && !name.contains("-chat");
    }

    private static int version(Pattern pattern, String family, String model) {
        String name = model.toLowerCase(Locale.ROOT);
        Matcher matcher = pattern.matcher(name);
        if (!matcher.find()) {
            return name.contains(family) ? NEWEST : 0;
        }
        String minor = matcher.group("minor");
        return Integer.parseInt(matcher.group("major")) * 100 + (minor == null ? 0 : Integer.parseInt(minor));
    }
}
