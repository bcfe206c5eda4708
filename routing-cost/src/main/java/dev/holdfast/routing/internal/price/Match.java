package dev.holdfast.routing.internal.price;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What names a list of prices understands, in its own words. Case does not matter. */
sealed interface Match extends Predicate<String> {
    /** No name. */
    Match NEVER = new Any(List.of());

    /** One of several. */
    record Any(List<Match> matches) implements Match {
        @Override
        public boolean test(String name) {
            return matches.stream().anyMatch(match -> match.test(name));
        }
    }

    /** All of several. */
    record All(List<Match> matches) implements Match {
        @Override
        public boolean test(String name) {
            return matches.stream().allMatch(match -> match.test(name));
        }
    }

    /** A word and where it stands; the word is in lower case. */
    record Word(Place place, String word) implements Match {
        static Word of(Place place, String word) {
            return new Word(place, word.toLowerCase(Locale.ROOT));
        }

        @Override
        public boolean test(String name) {
            String lower = name.toLowerCase(Locale.ROOT);
            return switch (place) {
                case EQUALS -> lower.equals(word);
                case STARTS_WITH -> lower.startsWith(word);
                case ENDS_WITH -> lower.endsWith(word);
                case CONTAINS -> lower.contains(word);
            };
        }
    }

    /** Where a word stands in a name. */
    enum Place {
        EQUALS,
        STARTS_WITH,
        ENDS_WITH,
        CONTAINS
    }

    /** A pattern that is found in the name. */
    record Regex(Pattern pattern) implements Match {
        @Override
        public boolean test(String name) {
            return pattern.matcher(name).find();
        }
    }
}
