package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FailureKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PoliciesTest {
    @Test
    void presetsGoByTheirNames() {
        assertThat(Policies.presets())
                .containsOnlyKeys("standard", "adaptive")
                .containsEntry("standard", Policies.standard())
                .containsEntry("adaptive", Policies.adaptive());
    }

    @Test
    void theStandardIsWhatAClientDoesThatNamesNone() {
        assertThat(Policies.standard().retry()).isEqualTo(RetryPolicy.standard());
        assertThat(Policies.standard().breaker()).hasValue(BreakerPolicy.adaptive());
    }

    @Test
    void adaptiveTriesOnceMoreAtOnceAndOpensBriefly() {
        RetryPolicy retry = Policies.adaptive().retry();
        BreakerPolicy breaker = Policies.adaptive().breaker().orElseThrow();

        assertThat(retry.maxAttempts()).isEqualTo(2);
        assertThat(retry.fallbackIfWaitOver()).isEqualTo(Duration.ofMillis(250));
        assertThat(retry.kinds()).containsOnlyKeys(FailureKind.RATE_LIMITED);
        assertThat(RetryPolicy.parse(retry.toString())).isEqualTo(retry);
        assertThat(breaker.failureThreshold()).isEqualTo(3);
        assertThat(breaker.openTime()).isEqualTo(Duration.ofMillis(200));
        assertThat(breaker.maxOpenTime()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aPartIsReplacedAndTheOtherStays() {
        Policies changed = Policies.adaptive().withRetry(RetryPolicy.batch()).withBreaker(BreakerPolicy.defaults());

        assertThat(changed.retry()).isEqualTo(RetryPolicy.batch());
        assertThat(changed.breaker()).hasValue(BreakerPolicy.defaults());
        assertThat(changed.withoutBreaker().breaker()).isEmpty();
        assertThat(changed.withoutBreaker().retry()).isEqualTo(RetryPolicy.batch());
    }
}
