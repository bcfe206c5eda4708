package dev.holdfast.core.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    private final Calibration calibration = new Calibration();

    @Test
    void aGuessStandsUntilSomethingWasLearned() {
        assertThat(calibration.corrected(1_000)).isEqualTo(1_000);
        calibration.learn(1_000, 0);
        calibration.learn(0, 1_000);
        assertThat(calibration.corrected(1_000)).isEqualTo(1_000);
    }

    @Test
    void oneAnswerThatTookMoreRaisesTheNextGuessAtOnceAndGenerously() {
        calibration.learn(100, 150);
        assertThat(calibration.corrected(1_000)).isBetween(1_500L, 1_750L);
    }

    @Test
    void aSteadyRatioIsFoundWithinAFewPercentAndNeverUndercut() {
        for (int i = 0; i < 100; i++) {
            calibration.learn(1_000, 1_300);
            assertThat(calibration.corrected(1_000)).isBetween(1_300L, 1_510L);
        }
        assertThat(calibration.corrected(1_000)).isBetween(1_300L, 1_310L);
    }

    @Test
    void aGuessIsLoweredOnlyAfterSixteenAnswers() {
        for (int i = 0; i < 15; i++) {
            calibration.learn(1_000, 700);
            assertThat(calibration.corrected(1_000)).isGreaterThanOrEqualTo(1_000);
        }
        calibration.learn(1_000, 700);
        assertThat(calibration.corrected(1_000)).isBetween(700L, 999L);
    }

    @Test
    void oneAnswerThatTookMoreKeepsTheOthersFromBeingLowered() {
        for (int i = 0; i < 64; i++) {
            calibration.learn(1_000, 500);
        }
        assertThat(calibration.corrected(1_000)).isLessThan(600);
        calibration.learn(10, 10);
        assertThat(calibration.corrected(1_000))
                .as("as small as it was, it shows what may come")
                .isEqualTo(1_000);
        for (int i = 0; i < 300; i++) {
            calibration.learn(1_000, 500);
        }
        assertThat(calibration.corrected(1_000)).isLessThan(600);
    }

    @Test
    void whereGuessesVaryItStaysAboveAlmostAllSumsOfAFew() {
        var random = new Random(5);
        int below = 0;
        for (int round = 0; round < 2_000; round++) {
            long reserved = 0;
            long used = 0;
            for (int i = 0; i < 8; i++) {
                long guess = 100 + random.nextInt(2_000);
                long actual = Math.round(guess * (1 + 0.12 * random.nextGaussian()));
                reserved += calibration.corrected(guess);
                used += actual;
                calibration.learn(guess, actual);
            }
            below += reserved < used ? 1 : 0;
        }
        assertThat(below).isLessThanOrEqualTo(10);
    }

    @Property(tries = 500)
    void neverLeavesAQuarterAndFourTimesTheGuess(
            @ForAll @Size(max = 60) List<@LongRange(min = -5, max = Long.MAX_VALUE) Long> used,
            @ForAll @LongRange(min = 1, max = Long.MAX_VALUE / 8) long taught,
            @ForAll @LongRange(max = Long.MAX_VALUE) long guess) {
        var subject = new Calibration();
        for (long actual : used) {
            subject.learn(taught, actual);
            long corrected = subject.corrected(guess);
            assertThat(corrected).isGreaterThanOrEqualTo(guess / 4);
            assertThat(corrected / 4.0).isLessThanOrEqualTo(Math.ceil(guess * 1.000_001));
        }
    }

    @Property(tries = 300)
    void afterFewAnswersAndAboveTheMeanItNeverGoesBelowTheGuess(
            @ForAll @Size(max = 15) List<@LongRange(min = 1, max = 10_000) Long> used) {
        var subject = new Calibration();
        used.forEach(actual -> subject.learn(1_000, actual));
        assertThat(subject.corrected(1_000)).isGreaterThanOrEqualTo(1_000);
    }
}
