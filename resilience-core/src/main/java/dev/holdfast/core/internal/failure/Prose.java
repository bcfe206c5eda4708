package dev.holdfast.core.internal.failure;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the wait that a server names in a sentence: {@code "Please try again in 6m0s."}. */
final class Prose {
    /** Sentences stand at the beginning; what is further down is a document. */
    static final int LONGEST = 8192;

    private static final Pattern LEAD =
            Pattern.compile("(?:try again|retry|retrying|retried|wait|resets?|available|come back)"
                    + "(?: (?:again|in|after|for|at least|about|approximately|another|until|request|requests)){0,4}"
                    + ":? (?=[0-9])");

    private Prose() {}

    /** The longest wait that the text names with a unit. */
    static Optional<Duration> delay(String text) {
        String lower = beginning(text).toLowerCase(Locale.ROOT);
        Optional<Duration> longest = Optional.empty();
        Matcher lead = LEAD.matcher(lower);
        while (lead.find()) {
            Optional<Duration> found = DelayText.prose(lower, lead.end());
            longest = longer(longest, found);
        }
        return longest;
    }

    static Optional<Duration> longer(Optional<Duration> one, Optional<Duration> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().compareTo(other.get()) >= 0 ? one : other;
    }

    static String beginning(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
