package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CacheMode;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallTrail;
import dev.holdfast.Cost;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StaleIfErrorTest {
    private static final ModelRequest HELLO =
            ModelRequest.chat("m").user("hello").build();
    private static final CachePolicy POLICY = CachePolicy.defaults()
            .withMode(CacheMode.ALL)
            .withTtl(Duration.ofSeconds(100))
            .withStaleIfError(Duration.ofSeconds(1_000));
    private static final Set<FailureKind> OUTAGES = Set.of(
            FailureKind.RATE_LIMITED,
            FailureKind.QUOTA_EXHAUSTED,
            FailureKind.OVERLOADED,
            FailureKind.SERVER_ERROR,
            FailureKind.TIMEOUT,
            FailureKind.CONNECTION,
            FailureKind.MALFORMED_RESPONSE,
            FailureKind.EMPTY_RESPONSE,
            FailureKind.TRUNCATED,
            FailureKind.LOCAL,
            FailureKind.CIRCUIT_OPEN,
            FailureKind.OUT_OF_SERVICE,
            FailureKind.LIMIT_EXCEEDED,
            FailureKind.COOLING_DOWN);

    private final ManualTime time = new ManualTime();
    private final Upstream upstream = new Upstream();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerPastItsTimeStandsInForACallThatFailed(boolean singleFlight) {
        ResponseCaching caching = caching(POLICY.withSingleFlight(singleFlight));
        ModelResponse first = caching.aroundCall(Calls.call("c1", HELLO), upstream);
        time.advance(Duration.ofSeconds(120));
        CallException failure = failure("c2", FailureKind.OVERLOADED);
        upstream.fails(failure);
        List<CacheOutcome> heard = new ArrayList<>();
        CallOptions listening = CallOptions.none().withListener(event -> heard.add(((CacheConsulted) event).outcome()));

        ModelResponse second = caching.aroundCall(Calls.call("c2", HELLO, listening), upstream);

        assertThat(second.answer()).isEqualTo(first.answer());
        assertThat(second.servedBy()).contains(Calls.TARGET);
        assertThat(second.fromCache()).isTrue();
        assertThat(second.degraded()).isTrue();
        assertThat(second.cost()).contains(Cost.ZERO);
        assertThat(second.callId()).isEqualTo("c2");
        assertThat(second.attempts()).isEqualTo(failure.attempts()).hasSize(1);
        assertThat(heard).containsExactly(CacheOutcome.MISS, CacheOutcome.STALE);
        assertThat(caching.statistics().stale()).isEqualTo(1);
    }

    @Test
    void aProviderThatIsWellIsAskedAndItsAnswerIsFreshAgain() {
        ResponseCaching caching = caching(POLICY);
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        time.advance(Duration.ofSeconds(120));
        upstream.answers(Calls.response("newer"));
        assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream).text()).contains("newer");
        ModelResponse third = caching.aroundCall(Calls.call("c3", HELLO), upstream);
        assertThat(third.text()).contains("newer");
        assertThat(third.degraded()).isFalse();
        assertThat(upstream.calls()).isEqualTo(2);
    }

    @Test
    void whatStoodInIsNotStoredAsNew() {
        ResponseCaching caching = caching(POLICY);
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        time.advance(Duration.ofSeconds(120));
        upstream.fails(failure("c2", FailureKind.OVERLOADED));
        for (int i = 0; i < 3; i++) {
            assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream).degraded())
                    .isTrue();
        }
        assertThat(upstream.calls()).isEqualTo(4);
        time.advance(Duration.ofSeconds(1_000));
        assertThatThrownBy(() -> caching.aroundCall(Calls.call("c2", HELLO), upstream))
                .isInstanceOf(AttemptsExhaustedException.class);
    }

    @ParameterizedTest
    @EnumSource(FailureKind.class)
    void onlyAnOutageIsAReason(FailureKind kind) {
        ResponseCaching caching = caching(POLICY);
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        time.advance(Duration.ofSeconds(120));
        CallException failure = failure("c2", kind);
        upstream.fails(failure);
        if (OUTAGES.contains(kind)) {
            assertThat(caching.aroundCall(Calls.call("c2", HELLO), upstream).degraded())
                    .isTrue();
        } else {
            assertThatThrownBy(() -> caching.aroundCall(Calls.call("c2", HELLO), upstream))
                    .isSameAs(failure);
        }
    }

    @Test
    void withoutTheOptionNothingOutlivesItsTime() {
        ResponseCaching caching = caching(POLICY.withStaleIfError(Duration.ZERO));
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        time.advance(Duration.ofSeconds(120));
        upstream.fails(failure("c2", FailureKind.OVERLOADED));
        assertThatThrownBy(() -> caching.aroundCall(Calls.call("c2", HELLO), upstream))
                .isSameAs(upstream.failure());
    }

    @Test
    void whoAsksToRefreshWantsNothingOld() {
        ResponseCaching caching = caching(POLICY);
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        time.advance(Duration.ofSeconds(120));
        upstream.fails(failure("c2", FailureKind.OVERLOADED));
        CallOptions refresh = CallOptions.none().withCacheMode(CacheMode.REFRESH);
        assertThatThrownBy(() -> caching.aroundCall(Calls.call("c2", HELLO, refresh), upstream))
                .isSameAs(upstream.failure());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsPurgedWhileTheProviderIsAskedStandsInForNothing(boolean singleFlight) {
        ResponseCaching caching = caching(POLICY.withSingleFlight(singleFlight));
        caching.aroundCall(Calls.call("c1", HELLO), upstream);
        time.advance(Duration.ofSeconds(120));
        CallException failure = failure("c2", FailureKind.OVERLOADED);
        assertThatThrownBy(() -> caching.aroundCall(Calls.call("c2", HELLO), call -> {
                    caching.purge("");
                    throw failure;
                }))
                .isSameAs(failure);
    }

    private static CallException failure(String callId, FailureKind kind) {
        Failure failure = Failure.of(kind, FailureScope.ENDPOINT, Delivery.ANSWERED, "as the test says");
        Attempt attempt = Calls.attempt(AttemptReason.FIRST, Calls.TARGET);
        return new AttemptsExhaustedException(
                "exhausted", failure, new CallTrail(callId, List.of(attempt), List.of()), null);
    }

    private ResponseCaching caching(CachePolicy policy) {
        return ResponseCaching.of(new CaffeineResponseCache(1 << 20, time), policy, time, new SplittableRandom(1));
    }
}
