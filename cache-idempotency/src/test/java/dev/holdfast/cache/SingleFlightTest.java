package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CacheMode;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.CallTrail;
import dev.holdfast.Cost;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Priority;
import dev.holdfast.ProviderFailedException;
import dev.holdfast.spi.ContextCarrier;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Interceptor.CallChain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every wait here is for something that happens, never for time to pass; the timeout only ends a hang. */
@Timeout(60)
class SingleFlightTest {
    private static final ModelRequest HELLO =
            ModelRequest.chat("m").user("hello").build();
    private static final Duration LENGTH = Duration.ofSeconds(10);

    private final ManualTime time = new ManualTime();
    private final GatedUpstream upstream = new GatedUpstream();
    private final ResponseCaching caching = ResponseCaching.of(
            new CaffeineResponseCache(1 << 20, time),
            CachePolicy.defaults().withMode(CacheMode.ALL),
            time,
            new SplittableRandom(1));

    @Test
    void theSameCallInFlightIsMadeOnce() throws Exception {
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            callers.add(start("c" + i, LENGTH));
            time.awaitWaiting(i + 1);
        }
        upstream.letPass();

        assertThat(callers.getFirst().response().fromCache()).isFalse();
        for (Caller follower : callers.subList(1, 20)) {
            ModelResponse response = follower.response();
            assertThat(response.fromCache()).isTrue();
            assertThat(response.cost()).contains(Cost.ZERO);
            assertThat(response.attempts()).isEmpty();
            assertThat(response.callId()).isEqualTo(follower.id);
            assertThat(response.answer())
                    .isEqualTo(callers.getFirst().response().answer());
        }
        assertThat(upstream.calls()).isEqualTo(1);
    }

    @Test
    void whoComesLaterIsAnsweredFromTheCache() throws Exception {
        Caller first = start("c1", LENGTH);
        upstream.letPass();
        first.response();
        assertThat(start("c2", LENGTH).response().fromCache()).isTrue();
        assertThat(upstream.calls()).isEqualTo(1);
    }

    @Test
    void theLeadersDeadlineEndsTheLeaderOnly() throws Exception {
        Caller leader = start("c1", Duration.ofSeconds(1));
        time.awaitWaiting(1);
        Caller follower = start("c2", Duration.ofSeconds(60));
        time.awaitWaiting(2);
        time.advance(Duration.ofSeconds(1));

        assertThat(leader.failure()).isInstanceOf(DeadlineExceededException.class);
        upstream.letPass();
        assertThat(follower.response().text()).contains("answer");
        assertThat(upstream.calls()).isEqualTo(1);
        assertThat(upstream.aborted()).isZero();
    }

    @Test
    void theLeadersInterruptEndsTheLeaderOnly() throws Exception {
        Caller leader = start("c1", LENGTH);
        time.awaitWaiting(1);
        Caller second = start("c2", LENGTH);
        time.awaitWaiting(2);
        Caller third = start("c3", LENGTH);
        time.awaitWaiting(3);
        leader.interrupt();

        assertThat(leader.failure()).isInstanceOf(CallCancelledException.class);
        assertThat(leader.wasInterruptedAtTheEnd()).isTrue();
        upstream.letPass();
        assertThat(second.response().text()).contains("answer");
        assertThat(third.response().text()).contains("answer");
        assertThat(upstream.calls()).isEqualTo(1);
    }

    @Test
    void theFlightEndsWithItsLastCaller() throws Exception {
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            callers.add(start("c" + i, LENGTH));
            time.awaitWaiting(i + 1);
        }
        callers.forEach(Caller::interrupt);
        for (Caller caller : callers) {
            assertThat(caller.failure()).isInstanceOf(CallCancelledException.class);
        }
        assertThat(upstream.aborted()).isEqualTo(1);

        Caller next = start("c4", LENGTH);
        upstream.letPass();
        assertThat(next.response().fromCache()).isFalse();
        assertThat(upstream.calls()).isEqualTo(2);
    }

    @Test
    void theLastCallerHearsWhatTheFlightHadDone() throws Exception {
        Caller leader = start("c1", Duration.ofSeconds(1));
        time.awaitWaiting(1);
        upstream.awaitCalls(1);
        time.advance(Duration.ofSeconds(1));
        CallException failure = (CallException) leader.failure();
        assertThat(failure).isInstanceOf(DeadlineExceededException.class);
        assertThat(failure.callId()).isEqualTo("c1");
        assertThat(failure.getCause()).isInstanceOf(CallCancelledException.class);
        assertThat(upstream.aborted()).isEqualTo(1);
    }

    @Test
    void aFollowersDeadlineIsItsOwn() throws Exception {
        Caller leader = start("c1", Duration.ofSeconds(60));
        time.awaitWaiting(1);
        Caller follower = start("c2", Duration.ofSeconds(1));
        time.awaitWaiting(2);
        time.advance(Duration.ofSeconds(1));
        assertThat(follower.failure()).isInstanceOf(DeadlineExceededException.class);
        upstream.letPass();
        assertThat(leader.response().text()).contains("answer");
    }

    @Test
    void aFailureIsSharedAndNotKept() throws Exception {
        upstream.failure.set(Calls.failure("c1"));
        Caller leader = start("c1", LENGTH);
        time.awaitWaiting(1);
        Caller follower = start("c2", LENGTH);
        time.awaitWaiting(2);
        upstream.letPass();
        assertThat(leader.failure()).isSameAs(upstream.failure.get());
        assertThat(follower.failure())
                .isInstanceOf(AttemptsExhaustedException.class)
                .hasCause(leader.failure())
                .hasMessage("overloaded: too much to do, in the call c1 that this one had joined");
        assertThat(((CallException) follower.failure()).callId()).isEqualTo("c2");
        assertThat(upstream.calls()).isEqualTo(1);

        upstream.failure.set(null);
        upstream.letPass();
        assertThat(start("c3", LENGTH).response().fromCache()).isFalse();
    }

    @Test
    void anErrorReachesEveryCallerToo() throws Exception {
        upstream.failure.set(new AssertionError("broken"));
        Caller leader = start("c1", LENGTH);
        upstream.letPass();
        assertThat(leader.failure()).isSameAs(upstream.failure.get());
    }

    @Test
    void aFlightIsAsPatientAsTheMostPatientOfThoseAboard() throws Exception {
        Caller leader = start("c1", LENGTH);
        time.awaitWaiting(1);
        upstream.awaitCalls(1);
        Call flown = upstream.seen.peek();
        assertThat(flown.id()).isEqualTo("c1");
        assertThat(upstream.threads.peek()).startsWith("holdfast-");
        assertThat(flown.patienceNanos()).isEqualTo(leader.call.deadlineNanos());
        assertThat(flown.deadlineNanos() - leader.call.deadlineNanos()).isPositive();

        Caller patient = start("c2", LENGTH.multipliedBy(3));
        time.awaitWaiting(2);
        assertThat(flown.patienceNanos()).isEqualTo(patient.call.deadlineNanos());
        patient.interrupt();
        patient.join();
        assertThat(flown.patienceNanos()).isEqualTo(leader.call.deadlineNanos());
        upstream.letPass();
        leader.response();
    }

    @Test
    void aDeadlineBeyondAllTimeDoesNotTurnIntoThePast() throws Exception {
        Caller leader = start("c1", Duration.ofNanos(Long.MAX_VALUE));
        upstream.letPass();
        leader.response();
        Call flown = upstream.seen.peek();
        assertThat(flown.deadlineNanos() - time.nanoTime()).isPositive();
    }

    /** The flight has asked how long anyone waits, and then someone boards who waits longer. */
    @Test
    void whoBoardsWhenTheFlightHasGivenUpFliesAgain() throws Exception {
        Caller leader = start("c1", LENGTH);
        time.awaitWaiting(1);
        upstream.awaitCalls(1);
        upstream.seen.peek().patienceNanos();
        Caller follower = start("c2", LENGTH.multipliedBy(5));
        time.awaitWaiting(2);
        upstream.failure.set(deadlineExceeded());
        upstream.letPass();
        assertThat(leader.failure()).isInstanceOf(DeadlineExceededException.class);

        upstream.awaitCalls(2);
        upstream.failure.set(null);
        upstream.letPass();
        assertThat(follower.response().fromCache()).isFalse();
        assertThat(upstream.calls()).isEqualTo(2);
    }

    @Test
    void whomTheFlightKnewSharesItsFailure() throws Exception {
        Caller leader = start("c1", LENGTH);
        time.awaitWaiting(1);
        upstream.awaitCalls(1);
        Caller follower = start("c2", LENGTH.multipliedBy(5));
        time.awaitWaiting(2);
        upstream.seen.peek().patienceNanos();
        upstream.failure.set(deadlineExceeded());
        upstream.letPass();
        assertThat(leader.failure()).isInstanceOf(DeadlineExceededException.class);
        assertThat(follower.failure()).isInstanceOf(DeadlineExceededException.class);
        assertThat(upstream.calls()).isEqualTo(1);
    }

    @Test
    void aKeyThatIsRefusedIsTheLeadersOwn() throws Exception {
        upstream.failure.set(new ProviderFailedException(
                "refused",
                Failure.of(FailureKind.AUTH, FailureScope.CREDENTIAL, Delivery.ANSWERED, "no such key"),
                CallTrail.empty("c1"),
                null));
        Caller leader = start("c1", LENGTH);
        time.awaitWaiting(1);
        Caller follower = start("c2", LENGTH);
        time.awaitWaiting(2);
        upstream.awaitCalls(1);
        upstream.letPass();
        assertThat(leader.failure()).isSameAs(upstream.failure.get());
        upstream.awaitCalls(2);
        upstream.failure.set(null);
        upstream.letPass();
        assertThat(follower.response().fromCache()).isFalse();
        assertThat(upstream.seen).extracting(Call::id).containsExactly("c1", "c2");
    }

    /** A budget may bound a tag, and tags are no part of what is asked for. */
    @Test
    void aBudgetThatRefusesTheLeaderRefusesTheLeaderOnly() throws Exception {
        Caller leader = start("c1", LENGTH);
        time.awaitWaiting(1);
        Caller follower = start(call("c2", LENGTH, CallOptions.none().withTag("team", "b")));
        time.awaitWaiting(2);
        Failure spent = Failure.of(
                FailureKind.COST_LIMIT, FailureScope.REQUEST, Delivery.NEVER_SENT, "the budget of team a is spent");
        upstream.failure.set(new CallRejectedException("rejected", spent, CallTrail.empty("c1"), null));
        upstream.awaitCalls(1);
        upstream.letPass();
        assertThat(leader.failure()).isInstanceOf(CallRejectedException.class);
        upstream.awaitCalls(2);
        upstream.failure.set(null);
        upstream.letPass();
        assertThat(follower.response().fromCache()).isFalse();
        assertThat(upstream.calls()).isEqualTo(2);
    }

    @Test
    void whoMayGoFirstDoesNotShareWhatWaitsBehind() throws Exception {
        Caller patient = start(call("c1", LENGTH, CallOptions.none().withPriority(Priority.BATCH)));
        time.awaitWaiting(1);
        Caller urgent = start(call("c2", LENGTH, CallOptions.none().withPriority(Priority.INTERACTIVE)));
        upstream.awaitCalls(2);
        upstream.letPass();
        upstream.letPass();
        patient.response();
        urgent.response();
        assertThat(upstream.calls()).isEqualTo(2);
    }

    @Test
    void callsThatWouldBeMadeOtherwiseFlyAlone() throws Exception {
        CallOptions none = CallOptions.none();
        List<CallOptions> different = List.of(
                none,
                none.withRetry(false),
                none.withFallback(false),
                none.withTimeout(Duration.ofSeconds(1)),
                none.withIdempotencyKey("k"),
                none.withTenant("t"),
                none.withCacheMode(CacheMode.READ_ONLY),
                none.withCacheMode(CacheMode.REFRESH));
        List<Caller> callers = new ArrayList<>();
        for (CallOptions options : different) {
            callers.add(start(call("c", LENGTH, options)));
        }
        upstream.awaitCalls(different.size());
        different.forEach(options -> upstream.letPass());
        for (Caller caller : callers) {
            assertThat(caller.response().text()).contains("answer");
        }
    }

    @Test
    void withoutSingleFlightEveryCallIsMade() throws Exception {
        var alone = ResponseCaching.of(
                new CaffeineResponseCache(1 << 20, time),
                CachePolicy.defaults().withMode(CacheMode.ALL).withSingleFlight(false),
                time,
                new SplittableRandom(1));
        Caller one = new Caller(alone, call("c1", LENGTH, CallOptions.none()));
        Caller other = new Caller(alone, call("c2", LENGTH, CallOptions.none()));
        upstream.awaitCalls(2);
        upstream.letPass();
        upstream.letPass();
        assertThat(one.response().fromCache()).isFalse();
        assertThat(other.response().fromCache()).isFalse();
    }

    @Test
    void theListenersHearWhoJoined() throws Exception {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        CallOptions options = CallOptions.none().withListener(event -> {
            var consulted = (CacheConsulted) event;
            heard.add(consulted.callId() + " " + consulted.outcome());
        });
        Caller leader = start(call("c1", LENGTH, options));
        upstream.awaitCalls(1);
        time.awaitWaiting(1);
        Caller follower = start(call("c2", LENGTH, options));
        time.awaitWaiting(2);
        upstream.letPass();
        leader.response();
        follower.response();
        assertThat(heard).containsExactly("c1 " + CacheOutcome.MISS, "c2 " + CacheOutcome.JOINED);
    }

    @Test
    void whatTheLeadersThreadHeldIsThereOnTheFlight() throws Exception {
        var context = new ThreadLocal<String>();
        Queue<String> log = new ConcurrentLinkedQueue<>();
        var carrying = caching.withCarriers(List.of(carrier("a", context, log), carrier("b", context, log)));
        ModelResponse answer = Calls.response("answer");
        CallChain chain = call -> {
            log.add("call with " + context.get());
            return answer;
        };
        context.set("trace");
        assertThat(carrying.aroundCall(call("c1", LENGTH, CallOptions.none()), chain))
                .isSameAs(answer);
        assertThat(log).containsExactly("+a", "+b", "call with trace", "-b", "-a");
    }

    @Test
    void aCarrierThatThrowsEndsTheCallAndNothingHangs() {
        ContextCarrier broken = () -> () -> {
            throw new IllegalStateException("broken carrier");
        };
        assertThatThrownBy(() -> caching.withCarriers(List.of(broken))
                        .aroundCall(call("c1", LENGTH, CallOptions.none()), upstream))
                .hasMessage("broken carrier");
    }

    /** However callers come and go: no answer is lost, and only a flight that everyone left is flown again. */
    @Test
    @Tag("concurrency")
    void callersMayComeAndGoAtAnyTime() throws Exception {
        for (int round = 0; round < 300; round++) {
            var counting = new CountingUpstream();
            var sky = ResponseCaching.of(
                    new CaffeineResponseCache(1 << 20, time),
                    CachePolicy.defaults().withMode(CacheMode.ALL),
                    time,
                    new SplittableRandom(round));
            var start = new CountDownLatch(1);
            List<Caller> callers = IntStream.range(0, 16)
                    .mapToObj(i -> new Caller(sky, call("c" + i, LENGTH, CallOptions.none()), counting, start))
                    .toList();
            start.countDown();
            List<Caller> leaving = callers.subList(0, round % 17);
            leaving.forEach(Caller::interrupt);
            counting.gate.countDown();
            for (Caller caller : callers) {
                caller.join();
                if (leaving.contains(caller)) {
                    assertThat(caller.failure == null || caller.failure instanceof CallCancelledException)
                            .isTrue();
                } else {
                    assertThat(caller.response().text()).contains("answer");
                }
            }
            assertThat(counting.calls.get()).isBetween(1, 1 + leaving.size());
            assertThat(counting.now.get()).isZero();
        }
    }

    private static ContextCarrier carrier(String name, ThreadLocal<String> context, Queue<String> log) {
        return () -> {
            String captured = context.get();
            return () -> {
                log.add("+" + name);
                context.set(captured);
                return () -> log.add("-" + name);
            };
        };
    }

    private static CallException deadlineExceeded() {
        Failure failure = Failure.of(FailureKind.TIMEOUT, FailureScope.ENDPOINT, Delivery.AMBIGUOUS, "too late");
        return new DeadlineExceededException("the deadline passed", failure, CallTrail.empty("c"), null);
    }

    private Caller start(String id, Duration length) {
        return start(call(id, length, CallOptions.none()));
    }

    private Caller start(Call call) {
        return new Caller(caching, call);
    }

    private Call call(String id, Duration length, CallOptions options) {
        long now = time.nanoTime();
        return new Call(id, HELLO, options, now, now + length.toNanos(), Calls.heardBy(options));
    }

    /** A caller on a thread of its own. */
    private final class Caller {
        private final String id;
        private final Call call;
        private final Thread thread;
        private volatile ModelResponse response;
        private volatile Throwable failure;
        private volatile boolean interruptedAtTheEnd;

        Caller(ResponseCaching interceptor, Call call) {
            this(interceptor, call, upstream, new CountDownLatch(0));
        }

        Caller(ResponseCaching interceptor, Call call, CallChain chain, CountDownLatch start) {
            this.id = call.id();
            this.call = call;
            this.thread = Thread.ofVirtual().start(() -> {
                try {
                    while (start.getCount() > 0) {
                        Thread.onSpinWait();
                        Thread.yield();
                    }
                    response = interceptor.aroundCall(call, chain);
                } catch (RuntimeException | Error e) {
                    failure = e;
                }
                interruptedAtTheEnd = Thread.currentThread().isInterrupted();
            });
        }

        void interrupt() {
            thread.interrupt();
        }

        void join() throws InterruptedException {
            thread.join();
        }

        boolean wasInterruptedAtTheEnd() {
            return interruptedAtTheEnd;
        }

        ModelResponse response() throws InterruptedException {
            thread.join();
            assertThat(failure).isNull();
            return response;
        }

        Throwable failure() throws InterruptedException {
            thread.join();
            assertThat(response).isNull();
            return failure;
        }
    }

    /** Answers only when a test lets it, and notes when it is interrupted. */
    private static final class GatedUpstream implements CallChain {
        private final Semaphore gate = new Semaphore(0);
        private final Semaphore entered = new Semaphore(0);
        private final AtomicInteger aborted = new AtomicInteger();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final Queue<Call> seen = new ConcurrentLinkedQueue<>();
        private final Queue<String> threads = new ConcurrentLinkedQueue<>();
        private int awaited;

        void letPass() {
            gate.release();
        }

        void awaitCalls(int calls) throws InterruptedException {
            entered.acquire(calls - awaited);
            awaited = calls;
        }

        int calls() {
            return seen.size();
        }

        int aborted() {
            return aborted.get();
        }

        @Override
        public ModelResponse proceed(Call call) {
            seen.add(call);
            threads.add(Thread.currentThread().getName());
            entered.release();
            try {
                gate.acquire();
            } catch (InterruptedException e) {
                aborted.incrementAndGet();
                throw cancelled(call);
            }
            return answer();
        }

        private ModelResponse answer() {
            Throwable thrown = failure.get();
            if (thrown instanceof RuntimeException e) {
                throw e;
            }
            if (thrown instanceof Error e) {
                throw e;
            }
            return Calls.response("answer");
        }
    }

    private static CallException cancelled(Call call) {
        Failure failure = Failure.of(FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.AMBIGUOUS, "interrupted");
        return new CallCancelledException("interrupted", failure, CallTrail.empty(call.id()), null);
    }

    /** Counts how many calls are upstream at counting. */
    private static final class CountingUpstream implements CallChain {
        private final CountDownLatch gate = new CountDownLatch(1);
        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicInteger now = new AtomicInteger();

        @Override
        public ModelResponse proceed(Call call) {
            calls.incrementAndGet();
            now.incrementAndGet();
            try {
                gate.await();
                return Calls.response("answer");
            } catch (InterruptedException e) {
                throw cancelled(call);
            } finally {
                now.decrementAndGet();
            }
        }
    }
}
