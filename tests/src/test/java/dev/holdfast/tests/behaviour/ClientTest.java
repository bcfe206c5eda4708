package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.Credential;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.CredentialSource.IssuedCredential;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClientTest {
    private static final Reply SLOW = Reply.completion("ok").withDelay(Duration.ofSeconds(1));

    @Test
    void oneCallTooManyIsRefusedAtOnceAndItsPlaceIsFreeAgainLater() {
        World world = World.always(SLOW);
        try (ResilientClient client = world.builder().maxInFlight(3).build()) {
            List<Ended> calls = new ArrayList<>();
            world.time().run(() -> {
                for (int i = 0; i < 4; i++) {
                    world.startCall(client, calls);
                }
            });
            Ended later = world.call(client);

            assertThat(calls.getFirst().failure()).isInstanceOf(CallRejectedException.class);
            assertThat(calls.getFirst().failure().kind()).isEqualTo(FailureKind.CLIENT_OVERLOADED);
            assertThat(calls.getFirst().took()).isZero();
            assertThat(calls.subList(1, 4)).allMatch(call -> call.response().isPresent());
            assertThat(later.response()).isPresent();
            assertThat(world.sent()).hasSize(4);
        }
    }

    @Test
    void aFailedCallGivesItsPlaceBack() {
        World world = World.always(Reply.status(400));
        try (ResilientClient client = world.builder().maxInFlight(1).build()) {
            for (int i = 0; i < 5; i++) {
                assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.INVALID_REQUEST);
            }
        }
    }

    @Test
    void aLimitIsNeverPassedWithinAnyMinute() {
        World world = World.of();
        LimitPolicy ten = LimitPolicy.defaults().withRpm(10).withMaxWait(Duration.ofHours(1));
        try (ResilientClient client = world.builder()
                .limits(World.MODEL, ten)
                .retry(World.retry().withoutDeadline())
                .build()) {
            List<Ended> calls = new ArrayList<>();
            world.time().run(() -> {
                for (int i = 0; i < 35; i++) {
                    world.startCall(client, calls);
                }
            });
            List<Duration> times = world.times();

            assertThat(calls).hasSize(35).allMatch(call -> call.response().isPresent());
            for (int i = 10; i < times.size(); i++) {
                assertThat(times.get(i).minus(times.get(i - 10))).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
            }
        }
    }

    @Test
    void aLimitThatMayNotBeWaitedForRejectsWithoutSending() {
        World world = World.of();
        LimitPolicy one = LimitPolicy.defaults().withRpm(1).withMaxWait(Duration.ZERO);
        try (ResilientClient client = world.builder()
                .limits(World.MODEL, one)
                .retry(World.retry().withDeadline(Duration.ofSeconds(5)))
                .build()) {
            world.call(client).answer();
            Ended call = world.call(client);

            assertThat(call.failure()).isInstanceOf(CallRejectedException.class);
            assertThat(call.failure().kind()).isEqualTo(FailureKind.LIMIT_EXCEEDED);
            assertThat(call.failure().retryAfter()).contains(Duration.ofMinutes(1));
            assertThat(call.took()).isZero();
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void noLimitIsWaitedForWhileAnotherTargetIsFree() {
        World world = new World().provider("p1", FaultScript.healthy()).provider("p2", FaultScript.healthy());
        LimitPolicy one = LimitPolicy.defaults().withRpm(1);
        try (ResilientClient client = world.builder().limits(World.MODEL, one).build()) {
            world.call(client).answer();
            Ended second = world.call(client);

            assertThat(second.took()).isZero();
            assertThat(world.path()).containsExactly("p1", "p2");
        }
    }

    @Test
    void aSubstituteAnswersWhenNothingServed() {
        World world = World.always(Reply.status(402));
        try (ResilientClient client = world.builder()
                .degradedReply(error -> Optional.of(
                        ModelAnswer.ofText("later, please: " + error.kind().wireName())))
                .build()) {
            ModelResponse response = world.call(client).answer();

            assertThat(response.degraded()).isTrue();
            assertThat(response.text()).contains("later, please: quota_exhausted");
            assertThat(response.servedBy()).isEmpty();
            assertThat(response.attempts()).hasSize(1);
        }
    }

    @Test
    void aSubstituteMayDecline() {
        World world = World.always(Reply.status(402));
        try (ResilientClient client =
                world.builder().degradedReply(error -> Optional.empty()).build()) {
            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.QUOTA_EXHAUSTED);
        }
    }

    @ParameterizedTest
    @MethodSource
    void aListenerThatThrowsChangesNothing(Consumer<CallEvent> offender) {
        World world = World.of(Reply.status(503));
        var heard = new ArrayList<CallEvent>();
        try (ResilientClient client =
                world.builder().listener(offender::accept).listener(heard::add).build()) {
            Ended call = world.call(client, CallOptions.none().withListener(offender));

            assertThat(call.answer().attempts()).hasSize(2);
            assertThat(heard).hasSameSizeAs(world.events());
        }
    }

    static Stream<Consumer<CallEvent>> aListenerThatThrowsChangesNothing() {
        return Stream.of(
                event -> {
                    throw new IllegalStateException("offended");
                },
                event -> {
                    throw new AssertionError("offended");
                });
    }

    @Test
    @SuppressWarnings({"DataFlowIssue", "NullAway", "NullOptional"}) // a function that errs
    void aDegradedReplyThatThrowsOrGivesNullHidesNoFailure() {
        List<java.util.function.Function<dev.holdfast.CallException, Optional<dev.holdfast.ModelAnswer>>> erring =
                List.of(
                        error -> {
                            throw new IllegalStateException("no cached answer");
                        },
                        error -> null);
        for (var reply : erring) {
            World world = World.always(Reply.status(503));
            try (ResilientClient client = world.builder().degradedReply(reply).build()) {
                assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.OVERLOADED);
                assertThat(world.events(CallEvent.CallFinished.class))
                        .singleElement()
                        .satisfies(event ->
                                assertThat(event.failure().orElseThrow().kind()).isEqualTo(FailureKind.OVERLOADED));
            }
        }
    }

    @Test
    void eventsTellTheStoryInOrder() {
        World world = World.of(Reply.status(503));
        try (ResilientClient client = world.builder().build()) {
            var own = new ArrayList<CallEvent>();
            Ended call = world.call(client, CallOptions.none().withListener(own::add));

            assertThat(world.events())
                    .extracting(event -> event.getClass().getSimpleName())
                    .containsExactly(
                            "CallStarted",
                            "AttemptStarted",
                            "AttemptFinished",
                            "RetryScheduled",
                            "AttemptStarted",
                            "AttemptFinished",
                            "CallFinished");
            assertThat(own).isEqualTo(world.events());
            assertThat(world.events(CallEvent.CallFinished.class))
                    .singleElement()
                    .satisfies(finished -> {
                        assertThat(finished.callId()).isEqualTo(call.answer().callId());
                        assertThat(finished.attempts()).isEqualTo(2);
                        assertThat(finished.took()).isEqualTo(call.took());
                        assertThat(finished.failure()).isEmpty();
                        assertThat(finished.servedBy()).isEqualTo(call.answer().servedBy());
                    });
        }
    }

    @Test
    void interceptorsStandAroundCallsAndAttemptsTheFirstOutermost() {
        World world = World.of(Reply.status(503));
        var log = new ArrayList<String>();
        try (ResilientClient client = world.builder()
                .interceptor(new Noting("outer", log))
                .interceptor(new Noting("inner", log))
                .build()) {
            world.call(client).answer();

            assertThat(log)
                    .containsExactly(
                            "outer call",
                            "inner call",
                            "outer attempt 1",
                            "inner attempt 1",
                            "inner attempt 1 ended",
                            "outer attempt 1 ended",
                            "outer attempt 2",
                            "inner attempt 2",
                            "inner attempt 2 ended",
                            "outer attempt 2 ended",
                            "inner call ended",
                            "outer call ended");
            assertThat(world.sent())
                    .extracting(sent -> sent.header("traced-by"))
                    .containsOnly("inner");
        }
    }

    @Test
    void anInterceptorMayAnswerByItself() {
        World world = World.of();
        try (ResilientClient client = world.builder()
                .interceptor(new Interceptor() {
                    @Override
                    public ModelResponse aroundCall(Call call, CallChain chain) {
                        return new ModelResponse(
                                ModelAnswer.ofText("kept"),
                                Optional.empty(),
                                List.of(),
                                Optional.empty(),
                                true,
                                false,
                                Optional.empty(),
                                call.id(),
                                Optional.empty(),
                                List.of());
                    }
                })
                .build()) {
            assertThat(world.call(client).answer().text()).contains("kept");
            assertThat(world.sent()).isEmpty();
        }
    }

    @Test
    void whatAnInterceptorThrowsEndsTheCall() {
        World world = World.of();
        try (ResilientClient client = world.builder()
                .maxInFlight(1)
                .interceptor(new Interceptor() {
                    @Override
                    public ModelResponse aroundCall(Call call, CallChain chain) {
                        throw new UnsupportedOperationException("no");
                    }
                })
                .build()) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> world.call(client))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("no");
            }
            assertThat(world.sent()).isEmpty();
        }
    }

    @Test
    void aRefusedKeyIsRefreshedOnce() {
        World world = World.of(Reply.status(401));
        var asked = new ArrayList<Boolean>();
        try (ResilientClient client = world.builder()
                .credentials("p1", request -> {
                    asked.add(request.refresh());
                    return new IssuedCredential(Credential.of("sk-issued-" + asked.size()), Optional.empty());
                })
                .build()) {
            world.call(client).answer();
            world.call(client).answer();

            assertThat(asked).containsExactly(false, true);
            assertThat(world.sent())
                    .extracting(sent -> sent.header("Authorization"))
                    .containsExactly("Bearer sk-issued-1", "Bearer sk-issued-2", "Bearer sk-issued-2");
        }
    }

    @Test
    void aKeyThatIsRefusedTwiceEndsTheCall() {
        World world = World.always(Reply.status(401));
        try (ResilientClient client = world.builder()
                .credentials("p1", request -> new IssuedCredential(Credential.of("sk-issued"), Optional.empty()))
                .build()) {
            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.AUTH);
            assertThat(world.sent()).hasSize(2);
        }
    }

    @Test
    void aKeyIsKeptUntilItExpires() {
        World world = World.of();
        var asked = new ArrayList<Boolean>();
        try (ResilientClient client = world.builder()
                .credentials("p1", request -> {
                    asked.add(request.refresh());
                    return new IssuedCredential(
                            Credential.of("sk-issued-" + asked.size()),
                            Optional.of(world.time().now().plusSeconds(60)));
                })
                .build()) {
            world.call(client).answer();
            world.call(client).answer();
            world.pass(Duration.ofSeconds(61));
            world.call(client).answer();

            assertThat(asked).containsExactly(false, false);
            assertThat(world.sent().getLast().header("Authorization")).isEqualTo("Bearer sk-issued-2");
        }
    }

    @Test
    void aCallsOwnKeyComesBeforeTheEndpoints() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            world.call(client, CallOptions.none().withCredential(Credential.of("sk-mine")))
                    .answer();

            assertThat(world.sent().getFirst().header("Authorization")).isEqualTo("Bearer sk-mine");
        }
    }

    @Test
    void aSecondKeyIsUsedWhenTheFirstIsUsedUp() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.answering(request -> request.headers()
                                        .first("Authorization")
                                        .filter(value -> value.endsWith("sk-second"))
                                        .isPresent()
                                ? Reply.completion("ok")
                                : Reply.status(402)),
                        endpoint -> endpoint.credential(new Credential("second", dev.holdfast.Secret.of("sk-second"))));
        try (ResilientClient client = world.builder().build()) {
            ModelResponse response = world.call(client).answer();

            assertThat(response.attempts()).hasSize(2);
            assertThat(response.attempts().getLast().credential()).contains("second");
        }
    }

    @Test
    void aViewSharesEverythingButItsOptions() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = world.builder().build()) {
            ResilientClient hasty = client.with(CallOptions.none().withRetry(false));

            assertThat(world.call(hasty).failure().attempts()).hasSize(1);
            assertThat(world.call(client).failure().attempts()).hasSize(4);
            assertThat(world.call(hasty, CallOptions.none().withRetry(true))
                            .failure()
                            .attempts())
                    .hasSize(4);
        }
    }

    @Test
    void nothingIsAddedToTheRequest() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();

            assertThat(world.sent().getFirst().body())
                    .isEqualTo(World.request().document().toJson());
        }
    }

    /** Notes when it is passed, and marks attempts. */
    private record Noting(String name, List<String> log) implements Interceptor {
        @Override
        public ModelResponse aroundCall(Call call, CallChain chain) {
            log.add(name + " call");
            ModelResponse response = chain.proceed(call);
            log.add(name + " call ended");
            return response;
        }

        @Override
        public TransportReply aroundAttempt(AttemptCall attempt, AttemptChain chain)
                throws TransportException, InterruptedException {
            log.add(name + " attempt " + attempt.number());
            TransportReply reply = chain.proceed(attempt.withHeader("traced-by", name));
            log.add(name + " attempt " + attempt.number() + " ended");
            return reply;
        }
    }
}
