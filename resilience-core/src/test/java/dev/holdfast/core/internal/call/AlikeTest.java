package dev.holdfast.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AlikeTest {
    private static final int MANY = 10_000;

    private final Alike<String> alike = new Alike<>();

    @Test
    void equalValuesBecomeOne() {
        String first = alike.same(text(1));
        assertThat(alike.same(text(1))).isSameAs(first);
    }

    /** Whoever comes with one too many has his own, and takes the place of another. */
    @Test
    void ofMoreThanItRemembersEachStillSaysTheSame() {
        String[] given = new String[MANY];
        for (int i = 0; i < MANY; i++) {
            given[i] = text(i);
            assertThat(alike.same(given[i])).isSameAs(given[i]);
        }
        int remembered = 0;
        for (int i = MANY - 1; i >= 0; i--) {
            String same = alike.same(text(i));
            assertThat(same).isEqualTo(given[i]);
            remembered += isOne(same, given[i]) ? 1 : 0;
        }
        assertThat(remembered).isBetween(1, 64);
    }

    @SuppressWarnings("ReferenceEquality") // what it is about
    private static boolean isOne(String one, String other) {
        return one == other;
    }

    private static String text(int number) {
        return "value " + number;
    }
}
