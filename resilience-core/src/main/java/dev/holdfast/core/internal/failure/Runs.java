package dev.holdfast.core.internal.failure;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The runs of a short text that longer texts have too, by a suffix automaton of the short one (Blumer and others, 1985): each
 * character of the longer texts is looked at once, whatever they hold.
 */
final class Runs {
    private static final int LATIN = 256;

    private final String text;
    private final int[] letterOfLatin = new int[LATIN];
    private final Map<Character, Integer> letterOfOthers = new HashMap<>();
    private int letters = 1;

    private final int[][] next;
    private final int[] link;
    private final int[] length;
    private final int[] firstEnd;
    /** The longest match that ended in the state. */
    private final int[] best;
    /** The state of each beginning of the text. */
    private final int[] beginnings;

    private int states = 1;

    /** What is done with a run. */
    interface Action {
        void accept(int start, int end);
    }

    Runs(String text) {
        this.text = text;
        int most = Math.max(1, 2 * text.length());
        for (int i = 0; i < text.length(); i++) {
            addLetter(text.charAt(i));
        }
        next = new int[most][];
        link = new int[most];
        length = new int[most];
        firstEnd = new int[most];
        best = new int[most];
        beginnings = new int[text.length()];
        next[0] = new int[letters];
        link[0] = -1;
        int last = 0;
        for (int i = 0; i < text.length(); i++) {
            last = extend(last, letterOf(text.charAt(i)), i);
            beginnings[i] = last;
        }
    }

    private void addLetter(char c) {
        if (c < LATIN) {
            letterOfLatin[c] = letterOfLatin[c] == 0 ? letters++ : letterOfLatin[c];
        } else if (!letterOfOthers.containsKey(c)) {
            letterOfOthers.put(c, letters++);
        }
    }

    /** Zero for what the text does not have. */
    private int letterOf(char c) {
        return c < LATIN ? letterOfLatin[c] : letterOfOthers.getOrDefault(c, 0);
    }

    private int extend(int last, int letter, int end) {
        int added = states++;
        next[added] = new int[letters];
        length[added] = length[last] + 1;
        firstEnd[added] = end;
        int from = last;
        while (from >= 0 && next[from][letter] == 0) {
            next[from][letter] = added;
            from = link[from];
        }
        if (from >= 0) {
            int to = next[from][letter];
            link[added] = length[to] == length[from] + 1 ? to : split(from, to, letter);
        }
        return added;
    }

    private int split(int from, int to, int letter) {
        int copy = states++;
        next[copy] = next[to].clone();
        length[copy] = length[from] + 1;
        link[copy] = link[to];
        firstEnd[copy] = firstEnd[to];
        link[to] = copy;
        for (int at = from; at >= 0 && next[at][letter] == to; at = link[at]) {
            next[at][letter] = copy;
        }
        return copy;
    }

    /** Compares a longer text; gives it back if the short one holds all of it. */
    Optional<String> follow(String longer) {
        int state = 0;
        int matched = 0;
        for (int i = 0; i < longer.length(); i++) {
            int letter = letterOf(longer.charAt(i));
            while (state > 0 && next[state][letter] == 0) {
                state = link[state];
                matched = length[state];
            }
            if (letter != 0 && next[state][letter] != 0) {
                state = next[state][letter];
                matched++;
            } else {
                matched = 0;
            }
            best[state] = Math.max(best[state], matched);
        }
        boolean whole = matched == longer.length() && matched > 0;
        return whole
                ? Optional.of(text.substring(firstEnd[state] - matched + 1, firstEnd[state] + 1))
                : Optional.empty();
    }

    /** Every run that cannot be made longer, once the longer texts were compared. */
    void forEach(Action action) {
        int[] longest = longestAtEnds();
        for (int i = 0; i < longest.length; i++) {
            boolean goesOn = i + 1 < longest.length && longest[i + 1] == longest[i] + 1;
            if (longest[i] > 0 && !goesOn) {
                action.accept(i - longest[i] + 1, i + 1);
            }
        }
    }

    private int[] longestAtEnds() {
        Integer[] byLength = new Integer[states];
        Arrays.setAll(byLength, state -> state);
        Arrays.sort(byLength, (one, other) -> Integer.compare(length[other], length[one]));
        for (int state : byLength) {
            if (best[state] > 0 && link[state] > 0) {
                best[link[state]] = length[link[state]];
            }
        }
        int[] longest = new int[text.length()];
        for (int i = 0; i < longest.length; i++) {
            int state = beginnings[i];
            while (state > 0 && best[state] == 0) {
                state = link[state];
            }
            longest[i] = state > 0 ? best[state] : 0;
        }
        return longest;
    }
}
