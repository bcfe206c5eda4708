package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CacheMode;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent.KeyConsulted;
import dev.holdfast.CallEvent.KeyOutcome;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.Cost;
import dev.holdfast.Credential;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.OnStoreFailure;
import dev.holdfast.cache.IdempotencyPolicy.WhenInFlight;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.Timekeeper.Task;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A client whose calls with a key of their caller's are guarded. */
class IdempotencyGuardTest {
    private static final CallOptions ORDER = CallOptions.none().withIdempotencyKey("order-17");
    private static final ModelRequest OTHER =
            ModelRequest.chat(World.MODEL).user("Name three lakes.").build();
    private static final Reply SLOW = Reply.completion("ok").withDelay(Duration.ofSeconds(5));

    private final IdempotencyPolicy policy = IdempotencyPolicy.defaults();

    @Test
    void aSecondCallWithTheKeyGetsTheFirstAnswer() {
        World world = World.of();
        try (ResilientClient client = client(world, policy)) {
            Ended first = world.call(client, ORDER);
            Ended second = world.call(client, ORDER);

            assertThat(world.sent()).hasSize(1);
            assertThat(second.answer().answer()).isEqualTo(first.answer().answer());
            assertThat(second.answer().servedBy()).isEqualTo(first.answer().servedBy());
            assertThat(second.answer().fromCache()).isTrue();
            assertThat(second.answer().cost()).contains(Cost.ZERO);
            assertThat(second.answer().attempts()).isEmpty();
            assertThat(second.answer().idempotencyKey()).contains("order-17");
            assertThat(outcomes(world)).containsExactly(KeyOutcome.RESERVED, KeyOutcome.REPLAYED);
        }
    }

    @Test
    void callsWithoutAKeyAreNotTouched() {
        World world = World.of();
        try (ResilientClient client = client(world, policy)) {
            world.call(client).answer();
            world.call(client).answer();
        }
        assertThat(world.sent()).hasSize(2);
        assertThat(outcomes(world)).isEmpty();
    }

    @Test
    void aKeyBelongsToOneRequest() {
        World world = World.of();
        try (ResilientClient client = client(world, policy)) {
            world.call(client, ORDER).answer();
            Ended conflict = world.call(client, OTHER, ORDER);

            assertThat(conflict.failure()).isInstanceOf(CallRejectedException.class);
            assertThat(conflict.failure().kind()).isEqualTo(FailureKind.IDEMPOTENCY_CONFLICT);
            assertThat(conflict.failure())
                    .hasMessage("idempotency_conflict: the idempotency key was used for another request"
                            + " (expected: a key for each request)");
        }
        assertThat(world.sent()).hasSize(1);
    }

    @Test
    void keysLiveInTheirScope() {
        World world = World.of();
        try (ResilientClient client = client(world, policy)) {
            world.call(client, ORDER).answer();
            world.call(client, OTHER, ORDER.withTenant("a")).answer();
            world.call(client, OTHER, ORDER.withTenant("b")).answer();
            world.call(client, OTHER, ORDER.withTenant("a").withCredential(key("1")))
                    .answer();
            world.call(client, OTHER, ORDER.withTenant("a").withCredential(key("2")))
                    .answer();
            world.call(client, OTHER, ORDER.withTenant("a").withCredential(key("2")))
                    .answer();
        }
        assertThat(world.sent()).hasSize(5);
    }

    @Test
    void whoComesWhileItIsExecutedWaits() {
        World world = World.always(SLOW);
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient client = client(world, policy)) {
            world.time().run(() -> {
                for (int i = 0; i < 20; i++) {
                    start(world, client, ORDER, calls);
                }
            });
        }
        assertThat(world.sent()).hasSize(1);
        assertThat(calls).hasSize(20).allSatisfy(call -> {
            assertThat(call.answer().text()).contains("ok");
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(5));
        });
    }

    @Test
    void orIsRefusedWhereThePolicySaysSo() {
        World world = World.always(SLOW);
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient client = client(world, policy.withWhenInFlight(WhenInFlight.REFUSE))) {
            world.time().run(() -> {
                start(world, client, ORDER, calls);
                start(world, client, ORDER, calls);
            });
        }
        assertThat(world.sent()).hasSize(1);
        assertThat(calls.getFirst().failure().kind()).isEqualTo(FailureKind.IDEMPOTENCY_IN_FLIGHT);
        assertThat(calls.getFirst().took()).isZero();
        assertThat(calls.getLast().answer().text()).contains("ok");
    }

    @Test
    void whoWaitsKeepsItsOwnDeadlineAndMayBeInterrupted() {
        World world = World.always(SLOW);
        List<Ended> first = new ArrayList<>();
        List<Ended> hasty = new ArrayList<>();
        List<Ended> interrupted = new ArrayList<>();
        try (ResilientClient client = client(world, policy)) {
            world.time().run(() -> {
                start(world, client, ORDER, first);
                start(world, client, ORDER.withDeadline(Duration.ofSeconds(2)), hasty);
                Task task = start(world, client, ORDER, interrupted);
                world.sleep(Duration.ofSeconds(1));
                task.interrupt();
            });
        }
        assertThat(first.getFirst().answer().text()).contains("ok");
        assertThat(hasty.getFirst().failure()).isInstanceOf(DeadlineExceededException.class);
        assertThat(hasty.getFirst().took()).isEqualTo(Duration.ofSeconds(2));
        assertThat(interrupted.getFirst().failure()).isInstanceOf(CallCancelledException.class);
        assertThat(interrupted.getFirst().took()).isEqualTo(Duration.ofSeconds(1));
        assertThat(interrupted.getFirst().interrupted()).isTrue();
        assertThat(hasty.getFirst().failure().mayHaveBeenBilled()).isFalse();
    }

    /** Another process has the key: nothing here tells of its end, so the store is asked again and again. */
    @Test
    void whatAnotherProcessExecutesIsWaitedForToo() {
        World world = World.always(SLOW);
        var store = new CaffeineIdempotencyStore(10, world.time());
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient here = client(world, policy, store);
                ResilientClient there = client(world, policy, store)) {
            world.time().run(() -> {
                start(world, here, ORDER, calls);
                start(world, there, ORDER, calls);
            });
        }
        assertThat(world.sent()).hasSize(1);
        assertThat(calls).allSatisfy(call -> assertThat(call.answer().text()).contains("ok"));
        assertThat(calls.getLast().took()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
    }

    static Stream<Reply> certainFailures() {
        return Stream.of(Reply.status(400), Reply.status(401), Reply.status(404), Reply.status(503));
    }

    @ParameterizedTest
    @MethodSource("certainFailures")
    void aFailureThatTheProviderIsSureOfFreesTheKey(Reply refusal) {
        World world = World.of(refusal);
        try (ResilientClient client = client(world, policy)) {
            assertThat(world.call(client, OTHER, ORDER.withRetry(false)).error())
                    .isPresent();
            world.pass(Duration.ofMinutes(2));
            assertThat(world.call(client, ORDER).answer().fromCache()).isFalse();
        }
    }

    static Stream<Reply> doubtfulFailures() {
        Reply answer = Reply.completion("ok");
        return Stream.of(
                Reply.reset(),
                Reply.hang(),
                answer.cutAfter(20),
                answer.withBody(dev.holdfast.Bytes.utf8("{\"choices\":[")),
                answer.withBody(dev.holdfast.Bytes.utf8("")));
    }

    @ParameterizedTest
    @MethodSource("doubtfulFailures")
    void whatMayHaveBeenExecutedIsNotExecutedAgainUntilItIsForgotten(Reply lost) {
        World world = World.of(lost);
        try (ResilientClient client = client(world, policy.withLifetime(Duration.ofHours(1)))) {
            Ended first = world.call(client, ORDER.withRetry(false));
            assertThat(first.failure().mayHaveBeenBilled()).isTrue();

            Ended second = world.call(client, ORDER);
            assertThat(second.failure().kind()).isEqualTo(FailureKind.IDEMPOTENCY_UNKNOWN);
            assertThat(world.call(client, OTHER, ORDER).failure().kind()).isEqualTo(FailureKind.IDEMPOTENCY_CONFLICT);
            assertThat(world.sent()).hasSize(1);

            world.pass(Duration.ofHours(1));
            assertThat(world.call(client, ORDER).answer().text()).isPresent();
        }
    }

    @Test
    void whereTheProviderExecutesAKeyOnceADoubtIsSettledByAskingAgain() {
        World world = World.of(Reply.reset(), Reply.status(400));
        try (ResilientClient client = client(world, policy.withWhenUnknown(WhenUnknown.REPEAT))) {
            CallOptions once = ORDER.withRetry(false);
            assertThat(world.call(client, once).failure().mayHaveBeenBilled()).isTrue();
            assertThat(world.call(client, once).failure().kind()).isEqualTo(FailureKind.INVALID_REQUEST);
            assertThat(world.call(client, once).answer().fromCache()).isFalse();
            assertThat(world.call(client, once).answer().fromCache()).isTrue();
        }
        assertThat(world.sent())
                .extracting(sent -> sent.header("Idempotency-Key"))
                .containsOnly("order-17");
        assertThat(outcomes(world))
                .containsExactly(KeyOutcome.RESERVED, KeyOutcome.REPEATED, KeyOutcome.REPEATED, KeyOutcome.REPLAYED);
    }

    @Test
    void aCallThatIsInterruptedOnItsWayLeavesItsKeyInDoubt() {
        World world = World.always(SLOW);
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient client = client(world, policy)) {
            world.time().run(() -> {
                Task task = start(world, client, ORDER, calls);
                world.sleep(Duration.ofSeconds(1));
                task.interrupt();
            });
            assertThat(calls.getFirst().failure().mayHaveBeenBilled()).isTrue();
            assertThat(world.call(client, ORDER).failure().kind()).isEqualTo(FailureKind.IDEMPOTENCY_UNKNOWN);
        }
    }

    @Test
    void withoutItsStoreACallGoesOnAndSaysSo() {
        World world = World.of();
        try (ResilientClient client = client(world, policy, new Broken())) {
            assertThat(world.call(client, ORDER).answer().text()).isPresent();
            assertThat(world.call(client, ORDER).answer().fromCache()).isFalse();
        }
        assertThat(outcomes(world)).containsExactly(KeyOutcome.UNGUARDED, KeyOutcome.UNGUARDED);
    }

    @Test
    void orIsRefusedIfThatIsWorseThanNoAnswer() {
        World world = World.of();
        try (ResilientClient client = client(world, policy.withOnStoreFailure(OnStoreFailure.REFUSE), new Broken())) {
            Ended refused = world.call(client, ORDER);
            assertThat(refused.failure().kind()).isEqualTo(FailureKind.STORE_UNAVAILABLE);
            assertThat(refused.failure()).hasMessageContaining("IllegalStateException");
            assertThat(world.call(client).answer().text()).isPresent();
        }
        assertThat(world.sent()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(OnStoreFailure.class)
    void aStoreThatFailsInTheEndDoesNotTakeTheAnswerAlong(OnStoreFailure either) {
        World world = World.of();
        var memory = new CaffeineIdempotencyStore(10, world.time());
        var forgetful = new Broken() {
            @Override
            public Reservation reserve(Key key, String fingerprint, Duration lifetime) {
                return memory.reserve(key, fingerprint, lifetime);
            }
        };
        try (ResilientClient client = client(world, policy.withOnStoreFailure(either), forgetful)) {
            assertThat(world.call(client, ORDER).answer().text()).isPresent();
            assertThat(world.call(client, ORDER.withDeadline(Duration.ofSeconds(3)))
                            .failure())
                    .isInstanceOf(DeadlineExceededException.class);
        }
    }

    @Test
    void aStoredAnswerDoesNotHideThatAKeyWasUsedTwice() {
        World world = World.of();
        var caching = ResponseCaching.of(
                new CaffeineResponseCache(1 << 20, world.time()),
                CachePolicy.defaults().withMode(CacheMode.ALL),
                world.time(),
                new Random(1));
        try (ResilientClient client = world.builder()
                .interceptor(guard(world, policy, new CaffeineIdempotencyStore(10, world.time())))
                .interceptor(caching)
                .build()) {
            world.call(client, OTHER, CallOptions.none()).answer();
            world.call(client, ORDER).answer();
            assertThat(world.call(client, OTHER, ORDER).failure().kind()).isEqualTo(FailureKind.IDEMPOTENCY_CONFLICT);
            assertThat(world.call(client, OTHER, ORDER.withIdempotencyKey("order-18"))
                            .answer()
                            .fromCache())
                    .isTrue();
        }
        assertThat(world.sent()).hasSize(2);
    }

    @Test
    void aStreamAndACallWithOneKeyAreOneExecution() {
        World world = new World().provider("p1", FaultScript.healthy());
        try (ResilientClient client = client(world, policy)) {
            Reader streamed = Reader.of(world, client, ORDER);
            assertThat(world.call(client, ORDER).answer().answer())
                    .isEqualTo(streamed.answer().answer());
            Reader again = Reader.of(world, client, ORDER);
            assertThat(again.text()).isEqualTo(streamed.text());
            assertThat(again.answer().fromCache()).isTrue();
        }
        assertThat(world.sent()).hasSize(1);
    }

    @Test
    void aStreamThatIsClosedOrLeftLyingLeavesItsKeyInDoubt() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.always(
                                Sse.every(Duration.ofMillis(50), Sse.ROLE, Sse.text("Rhine"), Sse.STOP, Sse.DONE)));
        CallOptions timed = ORDER.withStreamTimeouts(StreamTimeouts.defaults().withTotal(Duration.ofSeconds(30)));
        try (ResilientClient client = client(world, policy)) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request(), ORDER)) {
                    stream.iterator().next();
                }
                client.stream(World.request(), timed.withIdempotencyKey("order-18"));
            });
            world.pass(Duration.ofMinutes(1));
            assertThat(world.call(client, ORDER).failure().kind()).isEqualTo(FailureKind.IDEMPOTENCY_UNKNOWN);
            assertThat(world.call(client, ORDER.withIdempotencyKey("order-18"))
                            .failure()
                            .kind())
                    .isEqualTo(FailureKind.IDEMPOTENCY_UNKNOWN);
        }
    }

    private static Task start(World world, ResilientClient client, CallOptions options, List<Ended> ends) {
        return world.time()
                .start("holdfast-test-call", () -> ends.add(world.callHere(client, World.request(), options)));
    }

    private static Credential key(String number) {
        return Credential.of("sk-own-0123456789abcdef0123456789abcdef-" + number);
    }

    private static List<KeyOutcome> outcomes(World world) {
        return world.events(KeyConsulted.class).stream()
                .map(KeyConsulted::outcome)
                .toList();
    }

    private static ResilientClient client(World world, IdempotencyPolicy policy) {
        return client(world, policy, new CaffeineIdempotencyStore(100, world.time()));
    }

    private static ResilientClient client(World world, IdempotencyPolicy policy, IdempotencyStore store) {
        return world.builder().interceptor(guard(world, policy, store)).build();
    }

    private static IdempotencyGuard guard(World world, IdempotencyPolicy policy, IdempotencyStore store) {
        return IdempotencyGuard.of(store, policy, world.time());
    }

    /** A store that is down. */
    private static class Broken implements IdempotencyStore {
        @Override
        public Reservation reserve(Key key, String fingerprint, Duration lifetime) {
            throw new IllegalStateException("down");
        }

        @Override
        public void complete(Key key, String token, GivenAnswer answer) {
            throw new IllegalStateException("down");
        }

        @Override
        public void release(Key key, String token) {
            throw new IllegalStateException("down");
        }

        @Override
        public void markUnknown(Key key, String token) {
            throw new IllegalStateException("down");
        }
    }
}
