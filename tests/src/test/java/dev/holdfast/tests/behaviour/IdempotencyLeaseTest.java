package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallOptions;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.FailureKind;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.tests.behaviour.World.Ended;
import dev.holdfast.tests.plugins.LeasedKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Processes that share a store which outlives them: one that dies leaves its key in doubt, one that is only slow keeps it. */
class IdempotencyLeaseTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final CallOptions ORDER =
            CallOptions.none().withIdempotencyKey("order-17").withRetry(false);
    private static final CallOptions PATIENT =
            ORDER.withTimeout(Duration.ofMinutes(10)).withDeadline(Duration.ofMinutes(10));

    @Test
    void aCallThatTakesLongKeepsItsKey() {
        World world = World.always(Reply.completion("ok").withDelay(Duration.ofMinutes(2)));
        IdempotencyStore store = new LeasedKeys(world.time(), LEASE);
        List<Ended> ends = new ArrayList<>();
        try (ResilientClient here = client(world, store, IdempotencyPolicy.defaults());
                ResilientClient there = client(world, store, IdempotencyPolicy.defaults())) {
            world.time().run(() -> {
                start(world, here, ends);
                world.sleep(Duration.ofSeconds(1));
                start(world, there, ends);
            });
        }
        assertThat(world.sent()).hasSize(1);
        assertThat(ends)
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.answer().text()).contains("ok"));
    }

    @Test
    void whatADeadProcessHeldIsInDoubtAfterTheLease() {
        World world = World.of(Reply.hang());
        IdempotencyStore store = new LeasedKeys(world.time(), LEASE);
        var dying = new Mortal(store);
        List<Ended> ends = new ArrayList<>();
        try (ResilientClient dead = client(world, dying, IdempotencyPolicy.defaults());
                ResilientClient other = client(world, store, IdempotencyPolicy.defaults())) {
            world.time().run(() -> {
                var task = start(world, dead, ends);
                world.sleep(Duration.ofSeconds(60));
                dying.dead = true;
                Ended waiting = world.callHere(other, World.request(), ORDER.withDeadline(Duration.ofSeconds(5)));
                assertThat(waiting.failure()).isInstanceOf(DeadlineExceededException.class);
                Ended told = world.callHere(other, World.request(), ORDER);
                assertThat(told.failure().kind()).isEqualTo(FailureKind.IDEMPOTENCY_UNKNOWN);
                assertThat(told.took()).as("it waited for the lease").isBetween(Duration.ofSeconds(1), LEASE);
                task.interrupt();
            });
            world.pass(IdempotencyPolicy.defaults().lifetime());
            assertThat(world.call(other, ORDER).answer().text()).isPresent();
        }
    }

    @Test
    void whereTheProviderExecutesAKeyOnceTheDoubtIsSettledByAskingAgain() {
        World world = World.of(Reply.hang());
        IdempotencyStore store = new LeasedKeys(world.time(), LEASE);
        var dying = new Mortal(store);
        IdempotencyPolicy repeats = IdempotencyPolicy.defaults().withWhenUnknown(WhenUnknown.REPEAT);
        List<Ended> ends = new ArrayList<>();
        try (ResilientClient dead = client(world, dying, repeats);
                ResilientClient other = client(world, store, repeats)) {
            world.time().run(() -> {
                var task = start(world, dead, ends);
                world.sleep(Duration.ofSeconds(1));
                dying.dead = true;
                Ended settled = world.callHere(other, World.request(), ORDER);
                assertThat(settled.answer().text()).isPresent();
                assertThat(settled.took()).isBetween(Duration.ofSeconds(8), LEASE.plusSeconds(1));
                task.interrupt();
            });
        }
        assertThat(world.sent())
                .hasSize(2)
                .extracting(sent -> sent.header("Idempotency-Key"))
                .containsOnly("order-17");
    }

    @Test
    void aStoreThatFailsAtARenewalCostsAWarningAndNotTheCall() {
        World world = World.always(Reply.completion("ok").withDelay(Duration.ofSeconds(30)));
        var renewals = new ArrayList<Duration>();
        var failing = new Mortal(new LeasedKeys(world.time(), LEASE)) {
            @Override
            public void renew(Key key, String token) {
                renewals.add(world.time().elapsed());
                throw new IllegalStateException("down");
            }
        };
        try (ResilientClient client = client(world, failing, IdempotencyPolicy.defaults())) {
            assertThat(world.call(client, PATIENT).answer().text()).contains("ok");
            assertThat(world.call(client, PATIENT).answer().fromCache())
                    .as("its late word counts")
                    .isTrue();
        }
        assertThat(renewals).hasSizeBetween(8, 9);
    }

    @Test
    void nothingIsRenewedWhileNothingIsExecuted() {
        World world = World.of();
        var renewals = new ArrayList<Duration>();
        var counting = new Mortal(new LeasedKeys(world.time(), LEASE)) {
            @Override
            public void renew(Key key, String token) {
                renewals.add(world.time().elapsed());
            }
        };
        try (ResilientClient client = client(world, counting, IdempotencyPolicy.defaults())) {
            world.call(client, ORDER).answer();
            world.pass(Duration.ofHours(1));
        }
        assertThat(renewals).isEmpty();
    }

    @Test
    void aLeaseThatIsNoneIsRefused() {
        World world = World.of();
        assertThatThrownBy(
                        () -> client(world, new LeasedKeys(world.time(), Duration.ZERO), IdempotencyPolicy.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lease: PT0S (expected: > 0)");
    }

    private static dev.holdfast.spi.Timekeeper.Task start(World world, ResilientClient client, List<Ended> ends) {
        return world.time()
                .start("holdfast-test-call", () -> ends.add(world.callHere(client, World.request(), PATIENT)));
    }

    private static ResilientClient client(World world, IdempotencyStore store, IdempotencyPolicy policy) {
        return world.builder()
                .interceptor(IdempotencyGuard.of(store, policy, world.time()))
                .build();
    }

    /** What one process says to the store; nothing any more once it is dead. */
    private static class Mortal implements IdempotencyStore {
        private final IdempotencyStore store;
        private volatile boolean dead;

        Mortal(IdempotencyStore store) {
            this.store = store;
        }

        @Override
        public Optional<Duration> lease() {
            return store.lease();
        }

        @Override
        public Reservation reserve(Key key, String fingerprint, Duration lifetime) {
            return store.reserve(key, fingerprint, lifetime);
        }

        @Override
        public Reservation takeOver(Key key, String fingerprint, Duration lifetime) {
            return store.takeOver(key, fingerprint, lifetime);
        }

        @Override
        public void renew(Key key, String token) {
            unlessDead(() -> store.renew(key, token));
        }

        @Override
        public void complete(Key key, String token, GivenAnswer answer) {
            unlessDead(() -> store.complete(key, token, answer));
        }

        @Override
        public void release(Key key, String token) {
            unlessDead(() -> store.release(key, token));
        }

        @Override
        public void markUnknown(Key key, String token) {
            unlessDead(() -> store.markUnknown(key, token));
        }

        private void unlessDead(Runnable word) {
            if (!dead) {
                word.run();
            }
        }
    }
}
