package dev.holdfast.core.internal.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecentShareTest {
    private final ManualTime time = new ManualTime();
    private final RecentShare share = new RecentShare(time);

    @Test
    void isTheShareOfWhatCameLately() {
        for (int i = 0; i < 8; i++) {
            share.add(i % 4 == 0);
        }
        assertThat(share.read().all()).isEqualTo(8);
        assertThat(share.read().share()).isEqualTo(0.25);
    }

    @Test
    void ofNothingIsNothing() {
        assertThat(share.read().share()).isZero();
    }

    @Test
    void forgetsInFiveToTenMinutes() {
        share.add(true);
        time.advance(Duration.ofMinutes(6));
        share.add(false);
        assertThat(share.read().all()).isEqualTo(2);

        time.advance(Duration.ofMinutes(5));
        assertThat(share.read().all()).isEqualTo(1);
        time.advance(Duration.ofMinutes(5));
        assertThat(share.read().all()).isZero();
    }
}
