package dev.holdfast.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.core.InMemoryBreakerStore;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.testkit.BreakerStoreContract;
import dev.holdfast.testkit.ManualTimekeeper;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InMemoryBreakerStoreContractTest extends BreakerStoreContract {
    private final ManualTimekeeper time = new ManualTimekeeper();
    private final BreakerStore store = new InMemoryBreakerStore(time);

    @Override
    protected BreakerStore store() {
        return store;
    }

    @Override
    protected void pass(Duration length) {
        time.advance(length);
    }

    @Test
    void forgetsClosedBreakersFirstWhenThereAreTooMany() {
        assertThat(store.compareAndSet("open", 0, snapshot(BreakerState.OPEN))).isTrue();
        for (int i = 0; i < 10_050; i++) {
            store.compareAndSet("key-" + i, 0, snapshot(BreakerState.CLOSED));
        }
        assertThat(store.load("open")).isPresent();
        assertThat(store.load("key-10049")).isPresent();
        int kept = 0;
        for (int i = 0; i < 10_050; i++) {
            kept += store.load("key-" + i).isPresent() ? 1 : 0;
        }
        assertThat(kept).isEqualTo(9_999);
    }

    @Test
    void anOpenTimeOfLessThanNothingIsOverHoweverLongAgo() {
        var past = new BreakerStore.BreakerSnapshot(BreakerState.OPEN, 1, Duration.ofSeconds(Long.MIN_VALUE), 1);
        assertThat(store.compareAndSet("past", 0, past)).isTrue();
        assertThat(store.load("past").orElseThrow().remainingOpen()).isZero();
    }

    private static BreakerStore.BreakerSnapshot snapshot(BreakerState state) {
        return new BreakerStore.BreakerSnapshot(state, 1, Duration.ofSeconds(5), 1);
    }
}
