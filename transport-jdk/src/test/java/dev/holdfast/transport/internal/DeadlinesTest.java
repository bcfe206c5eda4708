package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.TransportTimeouts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    @Test
    void takesTimeoutsOfAnyLength() {
        Deadlines deadlines = Deadlines.startNow(TransportTimeouts.total(FOREVER));
        long century = Duration.ofDays(36_500).toNanos();
        assertThat(deadlines.connectLeft()).isGreaterThan(century);
        assertThat(deadlines.firstByteLeft()).isGreaterThan(century);
        assertThat(deadlines.readLeft()).isGreaterThan(century);
    }

    @Test
    void boundsEachPartByTheWhole() {
        Duration second = Duration.ofSeconds(1);
        Deadlines deadlines = Deadlines.startNow(new TransportTimeouts(FOREVER, FOREVER, FOREVER, second));
        assertThat(deadlines.connectLeft()).isLessThanOrEqualTo(second.toNanos());
        assertThat(deadlines.firstByteLeft()).isLessThanOrEqualTo(second.toNanos());
        assertThat(deadlines.readLeft()).isLessThanOrEqualTo(second.toNanos());
    }

    @Test
    void givesEachReadOfTheBodyTheWholeIdleTime() {
        Duration idle = Duration.ofNanos(1);
        assertThat(Deadlines.startNow(new TransportTimeouts(FOREVER, FOREVER, idle, FOREVER))
                        .readLeft())
                .isEqualTo(1);
    }
}
