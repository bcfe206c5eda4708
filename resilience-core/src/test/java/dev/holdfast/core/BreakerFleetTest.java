package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.core.CircuitBreaker.Open;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.NoThreads;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerFleetTest {
    private final ManualTime time = new ManualTime();

    @Test
    void whereNoThreadStartsABreakerGoesOnByItself() {
        var threadless = new NoThreads(time);
        BreakerPolicy policy = BreakerPolicy.defaults().withFailureThreshold(1).withProbes(1, 1);
        CircuitBreaker breaker = CircuitBreaker.of("t", policy, threadless);
        try (var fleet = BreakerFleet.of(new InMemoryBreakerStore(threadless), threadless)) {
            fleet.join(breaker);
            for (int i = 0; i < 3; i++) {
                ((Permit) breaker.acquire()).failed();
                assertThat(breaker.acquire()).isInstanceOf(Open.class);
                time.advance(Duration.ofSeconds(30));
            }
            ((Permit) breaker.acquire()).succeeded();
            assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        }
    }
}
