package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.core.BreakerFleet;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.InMemoryBreakerStore;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.spi.BreakerStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stores that break their contract cost neither a call nor a processor, and are trusted again when they keep it. */
@Timeout(300)
class FleetStoreFaultsTest {
    private static final Duration OPEN = Duration.ofSeconds(20);
    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final BreakerPolicy POLICY = BreakerPolicy.defaults()
            .withFailureThreshold(2)
            .withOpenTime(OPEN)
            .withGrowth(2, LONGEST)
            .withProbes(1, 1);

    private final VirtualTime time = new VirtualTime();
    private final BadStore store = new BadStore(new InMemoryBreakerStore(time));

    /** How a store is out of order. */
    enum Fault {
        ERROR(() -> {
            throw new NoClassDefFoundError("driver/Session");
        }),
        CHECKED(() -> thrown(new Exception("the driver's own"))),
        NOTHING(() -> null);

        private final Supplier<Object> answer;

        Fault(Supplier<Object> answer) {
            this.answer = answer;
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> Object thrown(Throwable thrown) throws E {
            throw (E) thrown;
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aStoreThatThrowsAnythingIsAskedAgainUntilItAnswers(Fault fault) {
        inTime(() -> {
            CircuitBreaker breaker = joined();
            sleep(Duration.ofSeconds(1));
            store.fault = fault;
            fail(breaker, 2);
            sleep(OPEN);
            Duration before = time.elapsed();
            assertThat(breaker.acquire()).isInstanceOfSatisfying(Permit.class, Permit::failed);
            assertThat(time.elapsed().minus(before)).isLessThanOrEqualTo(Duration.ofMillis(50));
            assertThat(store.asked.get()).as("paused between").isLessThan(40);
            store.fault = null;
            sleep(Duration.ofSeconds(31));
            assertThat(store.load("t").orElseThrow().state()).isEqualTo(BreakerState.OPEN);
        });
    }

    @Test
    void aStoreThatNeitherKeepsNorHasAnythingIsNotAskedWithoutAPause() {
        store.empty = true;
        inTime(() -> {
            CircuitBreaker breaker = joined();
            fail(breaker, 2);
            sleep(Duration.ofSeconds(10));
            assertThat(store.asked.get()).isLessThan(40);
            sleep(Duration.ofSeconds(10));
            assertThat(breaker.acquire()).isInstanceOfSatisfying(Permit.class, Permit::failed);
            store.empty = false;
            sleep(Duration.ofSeconds(31));
            assertThat(store.load("t").orElseThrow().state()).isEqualTo(BreakerState.OPEN);
        });
    }

    @Test
    void whateverAStoreSaysABreakerRejectsNoLongerThanItsOwnLongestOpenTime() {
        var random = new Random(7);
        Duration[] remaining = {Duration.ofSeconds(-9), Duration.ZERO, OPEN, Duration.ofSeconds(Long.MAX_VALUE), OPEN};
        long[] generations = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE};
        int[] openings = {Integer.MIN_VALUE, -1, 0, 3, Integer.MAX_VALUE};
        inTime(() -> {
            CircuitBreaker breaker = joined();
            for (int i = 0; i < 2_000; i++) {
                store.said = new BreakerStore.BreakerSnapshot(
                        BreakerState.values()[random.nextInt(6)],
                        generations[random.nextInt(5)],
                        remaining[random.nextInt(5)],
                        openings[random.nextInt(5)]);
                store.changed();
                sleep(Duration.ofMillis(random.nextInt(3_000)));
                switch (breaker.acquire()) {
                    case Permit permit when random.nextBoolean() -> permit.failed();
                    case Permit permit -> permit.succeeded();
                    case CircuitBreaker.Open open ->
                        assertThat(open.availableIn().orElseThrow()).isLessThanOrEqualTo(LONGEST);
                }
            }
            store.said = null;
            store.changed();
            sleep(LONGEST.plusSeconds(1));
            assertThat(breaker.acquire()).isInstanceOfSatisfying(Permit.class, Permit::succeeded);
            assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        });
    }

    @Test
    void aStoreThatHangsHoldsOneCallUpForFiftyMillisecondsAndNoneAfterAClose() {
        inTime(() -> {
            var fleet = BreakerFleet.of(store, time);
            CircuitBreaker breaker = breaker();
            fleet.join(breaker);
            sleep(Duration.ofSeconds(1));
            store.hangs = true;
            fail(breaker, 2);
            for (int i = 0; i < 5; i++) {
                sleep(LONGEST);
                Duration before = time.elapsed();
                assertThat(breaker.acquire()).isInstanceOfSatisfying(Permit.class, Permit::failed);
                assertThat(time.elapsed().minus(before)).isEqualTo(i == 0 ? Duration.ofMillis(50) : Duration.ZERO);
            }
            fleet.close();
            sleep(LONGEST);
            Duration before = time.elapsed();
            assertThat(breaker.acquire()).isInstanceOfSatisfying(Permit.class, Permit::succeeded);
            assertThat(time.elapsed()).isEqualTo(before);
            store.hangs = false;
        });
    }

    private CircuitBreaker joined() {
        CircuitBreaker breaker = breaker();
        BreakerFleet.of(store, time).join(breaker);
        return breaker;
    }

    private CircuitBreaker breaker() {
        return CircuitBreaker.of("t", POLICY, time, new Random(1), transition -> {});
    }

    private static void fail(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(breaker.acquire()).isInstanceOfSatisfying(Permit.class, Permit::failed);
        }
    }

    private void inTime(Runnable body) {
        time.run(body::run);
    }

    private void sleep(Duration length) {
        try {
            time.sleep(length);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private final class BadStore implements BreakerStore {
        private final BreakerStore kept;
        private final AtomicInteger asked = new AtomicInteger();
        private volatile Consumer<BreakerSnapshot> watcher = snapshot -> {};
        private volatile Fault fault;
        private volatile BreakerSnapshot said;
        private volatile boolean empty;
        private volatile boolean hangs;

        BadStore(BreakerStore kept) {
            this.kept = kept;
        }

        void changed() {
            watcher.accept(said);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Optional<BreakerSnapshot> load(String key) {
            count();
            if (fault != null) {
                return (Optional<BreakerSnapshot>) fault.answer.get();
            }
            return empty ? Optional.empty() : said != null ? Optional.of(said) : kept.load(key);
        }

        @Override
        public boolean compareAndSet(String key, long expectedGeneration, BreakerSnapshot next) {
            count();
            if (fault != null) {
                return Boolean.TRUE.equals(fault.answer.get()); // never: it throws, or says nothing of use
            }
            return !empty && said == null && kept.compareAndSet(key, expectedGeneration, next);
        }

        private void count() {
            if (asked.incrementAndGet() > 100_000) {
                throw new IllegalStateException("asked without a pause");
            }
            while (hangs) {
                sleep(Duration.ofHours(1));
            }
        }

        @Override
        public Watch watch(String key, Consumer<BreakerSnapshot> listener) {
            watcher = listener;
            return kept.watch(key, listener);
        }
    }
}
