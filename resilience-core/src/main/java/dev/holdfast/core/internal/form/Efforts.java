package dev.holdfast.core.internal.form;

import dev.holdfast.core.internal.form.Conversation.Placed;
import dev.holdfast.core.internal.form.Conversation.Thinking;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * How much a model thinks, in words and in tokens. The two are matched as Google matches them where it speaks OpenAI's form
 * (ai.google.dev, "OpenAI compatibility"): low is 1,024 tokens, medium 8,192, high 24,576.
 */
final class Efforts {
    private static final long LOW = 1_024;
    private static final long MEDIUM = 8_192;
    private static final long HIGH = 24_576;
    private static final long HIGHEST = 32_768;

    private Efforts() {}

    /** Tells that nothing of it is said, with the place of each thing that was. */
    static void dropped(Thinking thinking, String why, Changes changes) {
        changes.note(thinking.place(), why);
        Stream.of(thinking.effort(), thinking.budget(), thinking.shown())
                .flatMap(Optional::stream)
                .filter(each -> !isWithin(each.place(), thinking.place()))
                .forEach(each -> changes.note(each.place(), why));
    }

    private static boolean isWithin(Place inner, Place outer) {
        return (inner + "/").startsWith(outer + "/");
    }

    /** Tells of a measure that is not used. */
    static void unused(Optional<Placed> measure, String why, Changes changes) {
        measure.ifPresent(each -> changes.note(each.place(), "dropped: " + why));
    }

    /** The budget in tokens, where a thought is bounded at all. */
    static OptionalLong budget(Thinking thinking) {
        if (thinking.budget().isPresent()) {
            return thinking.tokens();
        }
        return thinking.word()
                .map(word -> OptionalLong.of(
                        switch (word) {
                            case "none" -> 0;
                            case "minimal", "low" -> LOW;
                            case "high" -> HIGH;
                            case "xhigh", "max" -> HIGHEST;
                            default -> MEDIUM;
                        }))
                .orElse(OptionalLong.empty());
    }

    /** The effort in a word: low, medium or high, or as the source said. */
    static String word(Thinking thinking) {
        return thinking.word().orElseGet(() -> {
            long budget = budget(thinking).orElse(MEDIUM);
            return budget <= LOW ? "low" : budget <= MEDIUM ? "medium" : "high";
        });
    }
}
