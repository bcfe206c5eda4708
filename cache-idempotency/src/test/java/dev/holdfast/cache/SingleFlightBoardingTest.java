package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CacheMode;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.CallTrail;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may share a flight with whom, and how long a flight is waited for. The timeout only ends a hang. */
@Timeout(300)
class SingleFlightBoardingTest extends FlightSetting {
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
}
