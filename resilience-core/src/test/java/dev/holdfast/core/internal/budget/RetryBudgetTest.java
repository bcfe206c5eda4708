package dev.holdfast.core.internal.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
    private final ManualTime time = new ManualTime();

    @Test
    void grantsItsReserveAndThenARetryForFiveFirstAttempts() {
        var budget = new RetryBudget(RetryBudgetPolicy.defaults(), time);
        assertThat(withdraw(budget, 200)).isEqualTo(100);
        for (int i = 0; i < 50; i++) {
            budget.recordFirstAttempt();
        }
        assertThat(withdraw(budget, 200)).isEqualTo(10);
    }

    @Test
    void refillsItsReserveWithinAMinute() {
        var budget = new RetryBudget(RetryBudgetPolicy.defaults(), time);
        withdraw(budget, 100);
        time.advance(Duration.ofSeconds(30));
        assertThat(withdraw(budget, 200)).isEqualTo(50);
        time.advance(Duration.ofDays(30));
        assertThat(withdraw(budget, 200)).isEqualTo(100);
    }

    @Test
    void aRefusalTakesNothing() {
        var budget = new RetryBudget(new RetryBudgetPolicy(0.5, 0), time);
        budget.recordFirstAttempt();
        assertThat(withdraw(budget, 50)).isZero();
        budget.recordFirstAttempt();
        assertThat(withdraw(budget, 50)).isEqualTo(1);
    }

    @Test
    void takesBackWhatWasNotSent() {
        var budget = new RetryBudget(new RetryBudgetPolicy(0, 1), time);
        assertThat(budget.tryWithdraw()).isTrue();
        budget.giveBack();
        assertThat(withdraw(budget, 5)).isEqualTo(1);
    }

    @Test
    void readsNoClockForAFirstAttempt() {
        var budget = new RetryBudget(RetryBudgetPolicy.defaults(), time);
        long before = time.readings();
        budget.recordFirstAttempt();
        assertThat(time.readings()).isEqualTo(before);
    }

    @Property
    void neverGrantsMoreThanRatioAndReserveAllowAndStaysWithinItsBounds(
            @ForAll @Size(max = 300) List<@IntRange(max = 9) Integer> steps,
            @ForAll @IntRange(max = 20) int reserve,
            @ForAll @IntRange(max = 10) int tenths) {
        var budget = new RetryBudget(new RetryBudgetPolicy(tenths / 10.0, reserve), time);
        long start = time.nanoTime();
        long latest = start;
        int first = 0;
        int retries = 0;
        for (int step : steps) {
            if (step == 9) {
                time.advance(Duration.ofSeconds(2));
            } else if (step == 8) {
                time.advance(Duration.ofSeconds(-1));
            } else if (step < 4) {
                budget.recordFirstAttempt();
                first++;
            } else if (budget.tryWithdraw()) {
                retries++;
            }
            latest = Math.max(latest, time.nanoTime());
            double minutes = (latest - start) / 60e9;
            assertThat((double) retries).isLessThanOrEqualTo(first * tenths / 10.0 + reserve * (1 + minutes) + 1e-6);
            assertThat(budget.available()).isBetween(0.0, Math.max(1.0, reserve));
        }
    }

    @Property
    void withEveryCallFailingTheRatioBoundsTheAmplification(@ForAll @IntRange(min = 1, max = 5) int tenths) {
        var budget = new RetryBudget(new RetryBudgetPolicy(tenths / 10.0, 10), time);
        int retries = 0;
        for (int call = 0; call < 5_000; call++) {
            budget.recordFirstAttempt();
            while (budget.tryWithdraw()) {
                retries++;
            }
        }
        assertThat(retries / 5_000.0).isCloseTo(tenths / 10.0, within(0.01));
    }

    private static int withdraw(RetryBudget budget, int times) {
        int granted = 0;
        for (int i = 0; i < times; i++) {
            granted += budget.tryWithdraw() ? 1 : 0;
        }
        return granted;
    }
}
