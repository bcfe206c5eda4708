package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.InMemoryBreakerStore;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several clients that share a store, as several processes would; each has its own breaker of the same target. */
class FleetTest {
    private static final Duration OPEN = Duration.ofSeconds(20);
    private static final BreakerPolicy POLICY =
            BreakerPolicy.defaults().withFailureThreshold(3).withOpenTime(OPEN).withProbes(1, 1);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final CallOptions ONCE = CallOptions.none().withRetry(false);
    private static final Target TARGET = new Target(World.MODEL, "p1");

    private World world = World.always(Reply.status(503));
    private final List<ResilientClient> clients = new ArrayList<>();
    private MoodyStore store = new MoodyStore(world);

    @AfterEach
    void closeAll() {
        clients.forEach(ResilientClient::close);
    }

    @Test
    void whatOneFindsOutAllKnow() {
        ResilientClient one = client();
        ResilientClient other = client();
        inWorld(() -> {
            call(other);
            fail(one, 3);
            world.sleep(Duration.ofSeconds(5));
            Ended rejected = call(other);
            assertThat(rejected.failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            assertThat(rejected.failure().retryAfter()).contains(OPEN.minusSeconds(5));
        });
        assertThat(world.sent()).hasSize(4);
    }

    @Test
    void samplesAreNotShared() {
        ResilientClient one = client();
        ResilientClient other = client();
        inWorld(() -> {
            fail(one, 2);
            fail(other, 2);
        });
        assertThat(states()).containsExactly(BreakerState.CLOSED, BreakerState.CLOSED);
    }

    @Test
    void whileOneProbesTheOthersSendNothing() {
        Reply slow = Reply.completion("ok").withDelay(Duration.ofSeconds(3));
        Reply bad = Reply.status(503);
        world = new World().provider("p1", FaultScript.of(bad, bad, bad).thenAlways(slow));
        store = new MoodyStore(world);
        ResilientClient first = client();
        List<ResilientClient> others = List.of(client(), client(), client());
        List<Ended> ended = new ArrayList<>();
        inWorld(() -> {
            others.forEach(each -> each.control().reset(TARGET));
            fail(first, 3);
            world.sleep(OPEN);
            for (ResilientClient each : clients) {
                world.time().start("holdfast-test-call", () -> ended.add(call(each)));
            }
            world.sleep(Duration.ofSeconds(2));
            assertThat(world.sent()).as("the probe of one").hasSize(4);
            assertThat(ended).hasSize(3).allMatch(each -> each.failure().kind() == FailureKind.CIRCUIT_OPEN);
            world.sleep(Duration.ofSeconds(2));
            assertThat(states()).containsOnly(BreakerState.CLOSED);
        });
        assertThat(ended.getLast().response()).isPresent();
    }

    @Test
    void aProbeThatFailsOpensAllOfThemAgain() {
        ResilientClient one = client();
        ResilientClient other = client();
        inWorld(() -> {
            call(other);
            fail(one, 3);
            world.sleep(OPEN);
            call(other);
            world.sleep(Duration.ofMillis(100));
            assertThat(call(one).failure().retryAfter()).contains(OPEN.minusMillis(100));
        });
        assertThat(world.sent()).hasSize(5);
    }

    @Test
    void aProberThatDiesIsReplacedTenSecondsAfterItsLastWord() {
        Reply bad = Reply.status(503);
        world = new World()
                .provider("p1", FaultScript.of(bad, bad, bad, Reply.hang()).thenAlways(Reply.completion("ok")));
        store = new MoodyStore(world);
        var line = new Line(store);
        ResilientClient dying = client(line);
        ResilientClient other = client();
        inWorld(() -> {
            other.control().reset(TARGET);
            fail(dying, 3);
            world.sleep(OPEN);
            var probe = world.time().start("holdfast-test-call", () -> call(dying));
            world.sleep(Duration.ofMillis(100));
            line.cut = true;
            world.sleep(Duration.ofMillis(9_800));
            assertThat(call(other).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            world.sleep(Duration.ofMillis(200));
            assertThat(call(other).response()).isPresent();
            probe.interrupt();
            dying.close();
        });
    }

    @Test
    void whileAProbeTakesItsTimeTheOthersWaitForItsWord() {
        Reply bad = Reply.status(503);
        Reply slow = Reply.completion("ok").withDelay(Duration.ofSeconds(55));
        world = new World().provider("p1", FaultScript.of(bad, bad, bad).thenAlways(slow));
        store = new MoodyStore(world);
        ResilientClient prober = client();
        ResilientClient other = client();
        inWorld(() -> {
            other.control().reset(TARGET);
            fail(prober, 3);
            world.sleep(OPEN);
            world.time().start("holdfast-test-call", () -> call(prober));
            for (int i = 0; i < 54; i++) {
                world.sleep(Duration.ofSeconds(1));
                assertThat(call(other).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            }
            assertThat(world.sent()).as("one probe").hasSize(4);
            world.sleep(Duration.ofSeconds(2));
            assertThat(states()).containsOnly(BreakerState.CLOSED);
        });
    }

    /** A target that hangs must not keep the others out for longer than one client alone would be kept out. */
    @Test
    void aProbeThatOutlivesItsTimeIsNoLongerWaitedFor() {
        Reply bad = Reply.status(503);
        world = new World()
                .provider("p1", FaultScript.of(bad, bad, bad, Reply.hang()).thenAlways(Reply.completion("ok")));
        store = new MoodyStore(world);
        Duration probeTimeout = Duration.ofSeconds(25);
        ResilientClient prober = client(store, POLICY.withProbeTimeout(probeTimeout));
        ResilientClient other = client(store, POLICY.withProbeTimeout(probeTimeout));
        inWorld(() -> {
            other.control().reset(TARGET);
            fail(prober, 3);
            world.sleep(OPEN);
            var probe = world.time().start("holdfast-test-call", () -> call(prober));
            world.sleep(probeTimeout);
            assertThat(call(other).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            world.sleep(LEASE);
            assertThat(call(other).response()).isPresent();
            probe.interrupt();
        });
    }

    @Test
    void aProberThatWasCutOffStillHasASayAfterAnotherOneJoinedIn() {
        Reply bad = Reply.status(503);
        Reply slow = Reply.completion("ok").withDelay(Duration.ofSeconds(20));
        world = new World()
                .provider(
                        "p1", FaultScript.of(bad, bad, bad, slow, Reply.hang()).thenAlways(slow));
        store = new MoodyStore(world);
        var line = new Line(store);
        ResilientClient slowOne = client(line);
        ResilientClient other = client();
        inWorld(() -> {
            other.control().reset(TARGET);
            fail(slowOne, 3);
            world.sleep(OPEN);
            world.time().start("holdfast-test-call", () -> call(slowOne));
            world.sleep(Duration.ofSeconds(1));
            line.cut = true;
            world.sleep(Duration.ofSeconds(10));
            var hanging = world.time().start("holdfast-test-call", () -> call(other));
            world.sleep(Duration.ofMillis(500));
            assertThat(world.sent()).as("both probe").hasSize(5);
            line.cut = false;
            world.sleep(Duration.ofSeconds(9));
            assertThat(states()).containsOnly(BreakerState.CLOSED);
            hanging.interrupt();
        });
    }

    @Test
    void aClientThatIsClosedWhileItProbesKeepsNoThread() {
        Reply bad = Reply.status(503);
        world = new World().provider("p1", FaultScript.of(bad, bad, bad).thenAlways(Reply.hang()));
        store = new MoodyStore(world);
        ResilientClient one = world.builder()
                .breaker(POLICY)
                .breakerStore(store)
                .closeGrace(Duration.ZERO)
                .build();
        inWorld(() -> {
            fail(one, 3);
            world.sleep(OPEN);
            world.time().start("holdfast-test-call", () -> call(one));
            world.sleep(Duration.ofSeconds(5));
            one.close();
        });
        assertThat(world.time().elapsed()).as("all threads have ended").isEqualTo(OPEN.plusSeconds(5));
    }

    @Test
    void aStoreThatFailsCostsNoCallAndOneLineAndHeals() {
        try (LogCapture log = new LogCapture()) {
            ResilientClient one = client();
            ResilientClient other = client();
            store.failing = true;
            inWorld(() -> {
                call(other);
                fail(one, 3);
                world.sleep(OPEN);
                Duration before = world.time().elapsed();
                assertThat(call(one).failure().kind()).as("a probe of its own").isEqualTo(FailureKind.OVERLOADED);
                assertThat(world.time().elapsed())
                        .as("a store known to fail is not waited for")
                        .isEqualTo(before);
                assertThat(call(one).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
                assertThat(call(other).failure().kind()).as("nobody told it").isEqualTo(FailureKind.OVERLOADED);
                store.failing = false;
                world.sleep(Duration.ofSeconds(16));
                assertThat(call(other).failure().kind()).as("it has heard").isEqualTo(FailureKind.CIRCUIT_OPEN);
            });
            assertThat(log.text().lines())
                    .filteredOn(line -> line.contains("the breaker store fails"))
                    .hasSize(2);
            assertThat(log.text().lines())
                    .filteredOn(line -> line.contains("answers again"))
                    .hasSize(2);
        }
    }

    @Test
    void aStoreThatIsSlowHoldsAProbeUpForFiftyMillisecondsAtMost() {
        ResilientClient one = client();
        inWorld(() -> {
            fail(one, 3);
            world.sleep(OPEN);
            store.delay = Duration.ofMinutes(3);
            Ended probe = call(one);
            assertThat(probe.failure().kind()).isEqualTo(FailureKind.OVERLOADED);
            assertThat(probe.took()).isEqualTo(Duration.ofMillis(50));
            world.sleep(OPEN);
            Ended second = call(one);
            assertThat(second.failure().kind()).isEqualTo(FailureKind.OVERLOADED);
            assertThat(second.took()).as("it is known to be slow").isZero();
        });
    }

    @Test
    void aStoreThatForgotIsToldAgain() {
        ResilientClient one = client();
        ResilientClient other = client();
        inWorld(() -> {
            call(other);
            fail(one, 3);
            world.sleep(Duration.ofSeconds(1));
            store.forget();
            world.sleep(OPEN);
            assertThat(call(one).failure().kind()).isEqualTo(FailureKind.OVERLOADED);
            world.sleep(Duration.ofMillis(100));
            assertThat(store.load(TARGET.toString()).orElseThrow().state()).isEqualTo(BreakerState.OPEN);
            assertThat(call(other).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
        });
    }

    @Test
    void aClientThatComesLaterHearsOfAnOpenBreaker() {
        ResilientClient one = client();
        inWorld(() -> fail(one, 3));
        ResilientClient late = client();
        inWorld(() -> {
            call(late);
            world.sleep(Duration.ofMillis(10));
            assertThat(call(late).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
        });
        assertThat(world.sent()).hasSize(4);
    }

    @Test
    void whatIsOrderedByHandIsNotSharedButAResetIs() {
        ResilientClient one = client();
        ResilientClient other = client();
        inWorld(() -> {
            other.control().reset(TARGET);
            one.control().forceOpen(TARGET, Duration.ofHours(1));
            world.sleep(Duration.ofSeconds(1));
            assertThat(states()).containsExactly(BreakerState.FORCED_OPEN, BreakerState.CLOSED);
            fail(other, 3);
            world.sleep(Duration.ofSeconds(1));
            assertThat(states()).containsExactly(BreakerState.FORCED_OPEN, BreakerState.OPEN);
            one.control().reset(TARGET);
            world.sleep(Duration.ofSeconds(1));
            assertThat(states()).containsExactly(BreakerState.CLOSED, BreakerState.CLOSED);
        });
    }

    @Test
    void aClosedClientLeavesTheOthersAlone() {
        ResilientClient one = client();
        ResilientClient other = client();
        inWorld(() -> {
            call(other);
            fail(one, 3);
            world.sleep(Duration.ofSeconds(1));
            one.close();
            assertThat(call(other).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
        });
        assertThat(store.closed).isFalse();
    }

    private ResilientClient client() {
        return client(store);
    }

    private ResilientClient client(BreakerStore seen) {
        return client(seen, POLICY);
    }

    private ResilientClient client(BreakerStore seen, BreakerPolicy policy) {
        ResilientClient client =
                world.builder().breaker(policy).breakerStore(seen).build();
        clients.add(client);
        return client;
    }

    private void inWorld(Runnable body) {
        world.time().run(body::run);
    }

    private Ended call(ResilientClient client) {
        return world.callHere(client, World.request(), ONCE);
    }

    private void fail(ResilientClient client, int times) {
        for (int i = 0; i < times; i++) {
            call(client).failure();
        }
    }

    private List<BreakerState> states() {
        return clients.stream()
                .flatMap(client -> client.control().breakers().stream())
                .map(status -> status.state())
                .toList();
    }

    /** The line of one client to the store, which may be cut: then nothing that it says arrives. */
    private static final class Line implements BreakerStore {
        private final BreakerStore far;
        private volatile boolean cut;

        Line(BreakerStore far) {
            this.far = far;
        }

        private BreakerStore far() {
            if (cut) {
                throw new IllegalStateException("the line is cut");
            }
            return far;
        }

        @Override
        public Optional<BreakerSnapshot> load(String key) {
            return far().load(key);
        }

        @Override
        public boolean compareAndSet(String key, long expectedGeneration, BreakerSnapshot next) {
            return far().compareAndSet(key, expectedGeneration, next);
        }

        @Override
        public Watch watch(String key, Consumer<BreakerSnapshot> listener) {
            return far().watch(key, listener);
        }
    }

    /** A store that fails, hangs or forgets when it is told to. */
    private static final class MoodyStore implements BreakerStore {
        private final World world;
        private InMemoryBreakerStore kept;
        private final List<Runnable> rewatch = new ArrayList<>();
        private volatile boolean failing;
        private volatile boolean closed;
        private volatile Duration delay = Duration.ZERO;

        MoodyStore(World world) {
            this.world = world;
            this.kept = new InMemoryBreakerStore(world.time());
        }

        void forget() {
            kept = new InMemoryBreakerStore(world.time());
            rewatch.forEach(Runnable::run);
        }

        private void mood() {
            if (failing) {
                throw new IllegalStateException("no connection");
            }
            if (delay.isPositive()) {
                world.sleep(delay);
            }
        }

        @Override
        public Optional<BreakerSnapshot> load(String key) {
            mood();
            return kept.load(key);
        }

        @Override
        public boolean compareAndSet(String key, long expectedGeneration, BreakerSnapshot next) {
            mood();
            return kept.compareAndSet(key, expectedGeneration, next);
        }

        @Override
        public Watch watch(String key, Consumer<BreakerSnapshot> listener) {
            mood();
            rewatch.add(() -> kept.watch(key, listener));
            return kept.watch(key, listener);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
