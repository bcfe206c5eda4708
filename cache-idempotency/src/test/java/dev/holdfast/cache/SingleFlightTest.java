package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CacheMode;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.ModelResponse;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Interceptor.CallChain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every wait here is for something that happens, never for time to pass; the timeout only ends a hang. */
@Timeout(300)
class SingleFlightTest extends FlightSetting {
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
