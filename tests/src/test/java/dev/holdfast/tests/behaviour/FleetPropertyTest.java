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
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whatever breakers and their store go through, a healthy target is served again by all, and no two clients probe at a
 * time, as long as the store works. */
class FleetPropertyTest {
    private static final Duration OPEN = Duration.ofSeconds(5);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(8);
    private static final BreakerPolicy POLICY = BreakerPolicy.defaults()
            .withFailureThreshold(2)
            .withOpenTime(OPEN)
            .withProbes(1, 1)
            .withProbeTimeout(PROBE_TIMEOUT);

    @Test
    void allAreServedAgain() {
        int probes = 0;
        for (int seed = 0; seed < 300; seed++) {
            var world = new Clients(true);
            var random = new Random(seed);
            world.time.run(() -> {
                world.join();
                for (int i = 0; i < 150; i++) {
                    world.step(random.nextInt(1_000));
                }
                world.recover();
            });
            probes += world.probes;
        }
        assertThat(probes).isGreaterThan(1_000);
    }

    @Test
    void whileTheStoreWorksOneClientProbesAtATime() {
        int probes = 0;
        for (int seed = 0; seed < 300; seed++) {
            var world = new Clients(false);
            var random = new Random(seed);
            world.time.run(() -> {
                world.join();
                for (int i = 0; i < 150; i++) {
                    world.step(random.nextInt(1_000));
                    assertThat(world.probing()).isLessThanOrEqualTo(1);
                }
                world.recover();
            });
            probes += world.probes;
        }
        assertThat(probes).isGreaterThan(1_000);
    }

    /** Three clients' breakers of one target. */
    private static final class Clients {
        private final VirtualTime time = new VirtualTime();
        private final Moody store = new Moody(new InMemoryBreakerStore(time));
        private final List<BreakerFleet> fleets = new ArrayList<>();
        private final List<CircuitBreaker> breakers = new ArrayList<>();
        private final List<Permit> held = new ArrayList<>();
        private final Map<CircuitBreaker, Duration> probedAt = new IdentityHashMap<>();
        private final boolean moody;
        private int probes;

        Clients(boolean moody) {
            this.moody = moody;
            for (int i = 0; i < 3; i++) {
                var fleet = BreakerFleet.of(store, time);
                var breaker = CircuitBreaker.of("t", POLICY, time, new Random(i), transition -> {});
                fleets.add(fleet);
                breakers.add(breaker);
            }
        }

        void step(int step) {
            CircuitBreaker breaker = breakers.get(step % 3);
            int argument = step / 30;
            switch (step / 3 % 10) {
                case 0, 1, 2, 3 -> {
                    if (breaker.acquire() instanceof Permit permit) {
                        held.add(permit);
                        if (permit.isProbe()) {
                            probes++;
                            probedAt.put(breaker, time.elapsed());
                        }
                    }
                }
                case 4, 5 -> end(argument, 1);
                case 6 -> end(argument, argument % 3);
                case 7 -> sleep(Duration.ofMillis(argument * 200L));
                case 8 -> sleep(Duration.ofMillis(10));
                default -> store.failing = moody && argument % 2 == 0;
            }
            sleep(Duration.ofNanos(1));
        }

        private void join() {
            for (int i = 0; i < 3; i++) {
                fleets.get(i).join(breakers.get(i));
            }
            sleep(Duration.ofMillis(1));
        }

        private void end(int argument, int outcome) {
            if (!held.isEmpty()) {
                Permit permit = held.remove(argument % held.size());
                switch (outcome) {
                    case 0 -> permit.succeeded();
                    case 1 -> permit.failed();
                    default -> permit.ignored();
                }
            }
        }

        long probing() {
            return breakers.stream()
                    .filter(each -> each.status().probesOutstanding() > 0)
                    .filter(each -> time.elapsed().minus(probedAt.get(each)).compareTo(PROBE_TIMEOUT) < 0)
                    .count();
        }

        void recover() {
            store.failing = false;
            held.forEach(Permit::ignored);
            sleep(Duration.ofMinutes(2));
            for (int i = 0; i < 20; i++) {
                for (CircuitBreaker breaker : breakers) {
                    if (breaker.acquire() instanceof Permit permit) {
                        permit.succeeded();
                    }
                    sleep(Duration.ofSeconds(1));
                }
            }
            assertThat(breakers).extracting(CircuitBreaker::state).containsOnly(BreakerState.CLOSED);
            fleets.forEach(BreakerFleet::close);
        }

        private void sleep(Duration length) {
            try {
                time.sleep(length);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final class Moody implements BreakerStore {
        private final BreakerStore kept;
        private volatile boolean failing;

        Moody(BreakerStore kept) {
            this.kept = kept;
        }

        private BreakerStore kept() {
            if (failing) {
                throw new IllegalStateException("no connection");
            }
            return kept;
        }

        @Override
        public Optional<BreakerSnapshot> load(String key) {
            return kept().load(key);
        }

        @Override
        public boolean compareAndSet(String key, long expectedGeneration, BreakerSnapshot next) {
            return kept().compareAndSet(key, expectedGeneration, next);
        }

        @Override
        public Watch watch(String key, Consumer<BreakerSnapshot> listener) {
            return kept().watch(key, listener);
        }
    }
}
