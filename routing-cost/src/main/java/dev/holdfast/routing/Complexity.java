package dev.holdfast.routing;

import java.util.List;

/** How much a question asks of a model, by the articles' rule of thumb. */
public enum Complexity {
    /** A plain question. */
    SIMPLE(256, false),
    /** One that reasons, or is long, or wants much. */
    MODERATE(1024, false),
    /** One that reasons and is long or wants much. */
    COMPLEX(4096, true);

    /** Analysis, comparison, inference, logic, calculation, verification. */
    private static final List<String> REASONING = List.of("분석", "비교", "추론", "논리", "계산", "검증");

    private final long outputTokens;
    private final boolean reasoning;

    Complexity(long outputTokens, boolean reasoning) {
        this.outputTokens = outputTokens;
        this.reasoning = reasoning;
    }

    /** {@return how many output tokens such a question usually needs; nothing is cut to it} */
    public long outputTokens() {
        return outputTokens;
    }

    /** {@return whether it needs a model that reasons} */
    public boolean reasoning() {
        return reasoning;
    }

    /**
     * {@return the complexity of a question: 2 points for a word of reasoning, 1 for more than 2,048 tokens of output, 1
     * for more than 500 characters; complex from 3 points, moderate from 1}
     *
     * @param question the question
     * @param maxTokens the cap on output tokens; 0 where there is none
     */
    public static Complexity of(String question, long maxTokens) {
        int points = REASONING.stream().anyMatch(question::contains) ? 2 : 0;
        points += maxTokens > 2048 ? 1 : 0;
        points += question.codePointCount(0, question.length()) > 500 ? 1 : 0;
        return points >= 3 ? COMPLEX : points >= 1 ? MODERATE : SIMPLE;
    }
}
