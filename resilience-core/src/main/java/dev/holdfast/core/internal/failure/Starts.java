package dev.holdfast.core.internal.failure;

import java.util.BitSet;

/**
 * The places of a text where one of some words may begin, told by their first three letters: a cheap look before a costly one.
 * May name a place too many, never one too few.
 */
final class Starts {
    private static final int LETTERS = 3;
    private static final int BITS = 5;
    private static final int ONE = (1 << BITS) - 1;

    private final BitSet threes = new BitSet(1 << (LETTERS * BITS));

    /** The words, each by its first three letters. */
    Starts(String... words) {
        for (String word : words) {
            threes.set(three(word, 0));
        }
    }

    /** Whether one of the words may begin here. */
    boolean mayBe(String text, int at) {
        return at + LETTERS <= text.length() && threes.get(three(text, at));
    }

    /** The first place from a position on; negative if there is none. */
    int next(String text, int from) {
        for (int at = from; at + LETTERS <= text.length(); at++) {
            if (threes.get(three(text, at))) {
                return at;
            }
        }
        return -1;
    }

    private static int three(String text, int at) {
        return ((text.charAt(at) & ONE) << (2 * BITS))
                | ((text.charAt(at + 1) & ONE) << BITS)
                | (text.charAt(at + 2) & ONE);
    }
}
