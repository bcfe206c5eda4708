package dev.holdfast.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Target;
import dev.holdfast.Usage;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.internal.call.TokenGuesses.Guess;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TokenGuessesTest {
    private static final Target TARGET = new Target("m", "p");
    private static final TokenEstimate HUNDRED = new TokenEstimate(100, 50);
    private final TokenGuesses guesses = new TokenGuesses(10);

    private Guess guess(TokenEstimate estimate, boolean capped, LimitPolicy policy) {
        return guesses.of(TARGET, estimate, capped, policy);
    }

    private void teach(boolean capped, Usage usage, int times) {
        for (int i = 0; i < times; i++) {
            guess(HUNDRED, capped, LimitPolicy.defaults()).learn(usage);
        }
    }

    @Test
    void aCapOnOutputIsReservedAsItIs() {
        teach(true, Usage.of(200, 150), 50);
        assertThat(guess(HUNDRED, true, LimitPolicy.defaults()).reserved().output())
                .isEqualTo(50);
        teach(true, Usage.of(200, 1), 50);
        assertThat(guess(HUNDRED, true, LimitPolicy.defaults()).reserved().output())
                .isEqualTo(50);
    }

    @Test
    void aGuessAtOutputIsRaisedAndNeverLowered() {
        teach(false, Usage.of(100, 5), 50);
        assertThat(guess(HUNDRED, false, LimitPolicy.defaults()).reserved().output())
                .isEqualTo(50);
        teach(false, Usage.of(100, 150), 300);
        assertThat(guess(HUNDRED, false, LimitPolicy.defaults()).reserved().output())
                .isBetween(150L, 160L);
    }

    @Test
    void whatCameFromTheCacheIsInputThatWasGuessed() {
        teach(true, new Usage(10, 90, 100, 5, 0), 100);
        assertThat(guess(HUNDRED, true, LimitPolicy.defaults()).reserved().input())
                .isBetween(200L, 205L);
    }

    @Test
    void aUsageThatContradictsItselfTeachesNothing() {
        teach(false, Usage.of(400, 400).withContradictory(true), 50);
        assertThat(guess(HUNDRED, false, LimitPolicy.defaults()).reserved()).isEqualTo(HUNDRED);
    }

    @Test
    void eachTargetLearnsForItself() {
        teach(true, Usage.of(300, 50), 50);
        assertThat(guesses.of(new Target("m", "other"), HUNDRED, true, LimitPolicy.defaults())
                        .reserved())
                .isEqualTo(HUNDRED);
    }

    @Test
    void whatFitsIntoAMinuteStillFitsAndWhatDoesNotIsNotMadeToFit() {
        teach(false, Usage.of(390, 190), 50);
        LimitPolicy limits = LimitPolicy.defaults().withTpm(320).withInstances(2);
        assertThat(guess(HUNDRED, false, limits).reserved().total()).isEqualTo(160);
        assertThat(guess(HUNDRED, false, LimitPolicy.defaults().withTpm(120))
                        .reserved()
                        .total())
                .isEqualTo(150);
        assertThat(guess(HUNDRED, false, LimitPolicy.defaults().withInputTpm(110))
                        .reserved()
                        .input())
                .isEqualTo(110);
        assertThat(guess(HUNDRED, false, LimitPolicy.defaults().withOutputTpm(60))
                        .reserved()
                        .output())
                .isEqualTo(60);
    }

    @Property(tries = 500)
    void whatIsReservedStaysWithinItsBounds(
            @ForAll @Size(max = 40) List<@LongRange(max = 100_000) Long> used,
            @ForAll @LongRange(max = 1_000_000) long input,
            @ForAll @LongRange(max = 1_000_000) long output,
            @ForAll @LongRange(min = 1, max = 4_000_000) long limit,
            @ForAll boolean capped,
            @ForAll boolean apart) {
        LimitPolicy policy = apart
                ? LimitPolicy.defaults().withInputTpm(limit).withOutputTpm(limit)
                : LimitPolicy.defaults().withTpm(limit);
        var subject = new TokenGuesses(10);
        var guessed = new TokenEstimate(input, output);
        for (long actual : used) {
            Guess guess = subject.of(TARGET, guessed, capped, policy);
            TokenEstimate reserved = guess.reserved();
            assertThat(reserved.input()).isBetween(input / 4, 4 * input);
            assertThat(reserved.output()).isBetween(output, capped ? output : 4 * output);
            if (!apart && guessed.total() <= limit) {
                assertThat(reserved.total()).isLessThanOrEqualTo(limit);
            }
            if (apart && input <= limit) {
                assertThat(reserved.input()).isLessThanOrEqualTo(limit);
            }
            if (apart && output <= limit) {
                assertThat(reserved.output()).isLessThanOrEqualTo(limit);
            }
            guess.learn(Usage.of(actual, actual));
        }
    }
}
