package dev.holdfast.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.Credential;
import dev.holdfast.Delivery;
import dev.holdfast.Endpoint;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Rejection;
import dev.holdfast.Target;
import dev.holdfast.core.KindPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.internal.call.NextMove.Send;
import dev.holdfast.core.internal.call.NextMove.Stop;
import dev.holdfast.core.internal.call.NextMove.StopReason;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MovesTest {
    private static final Duration BACKOFF = Duration.ofSeconds(1);
    private static final long DEADLINE = Duration.ofMinutes(2).toNanos();
    private static final Candidate A = candidate("big", "east", "key-1");
    private static final Candidate A_WEST = candidate("big", "west", "key-2");
    private static final Candidate A_WEST_SAME_KEY = candidate("big", "west", "key-1");
    private static final Candidate B = candidate("small", "east", "key-1");

    private static final Candidate HONOURING = new Candidate(
            new Target("big", "honest"),
            Endpoint.builder("honest", URI.create("https://honest.example"))
                    .honoursIdempotencyKey(true)
                    .build(),
            Optional.of(Credential.of("key-3")),
            ModelSettings.of("big"),
            false);

    private final RetryPolicy policy = RetryPolicy.standard();

    @Test
    void theFirstMoveIsTheFirstChoice() {
        assertThat(next(state(A, B))).isEqualTo(Send.now(0, AttemptReason.FIRST));
    }

    @Test
    void aBrokenEndpointLeadsToAnotherOneWithoutAWait() {
        assertThat(next(failed(state(A, A_WEST, B), 0, FailureKind.OVERLOADED)))
                .isEqualTo(Send.now(1, AttemptReason.FAILOVER));
    }

    @Test
    void whenEveryEndpointFailedTheOneThatIsReadyFirstIsTriedAgain() {
        CallState state = failed(failed(state(A, A_WEST, B), 0, FailureKind.OVERLOADED), 1, FailureKind.OVERLOADED);
        assertThat(next(state)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
    }

    @Test
    void whenAttemptsOnAModelAreUsedUpTheNextModelIsTried() {
        CallState state = state(A, B);
        for (int i = 0; i < policy.maxAttempts(); i++) {
            state = failed(state, 0, FailureKind.OVERLOADED);
        }
        assertThat(next(state)).isEqualTo(Send.now(1, AttemptReason.FALLBACK));
    }

    @Test
    void aUsedUpKeyIsNotTriedAtAnotherEndpoint() {
        Candidate otherKey = candidate("small", "east", "key-2");
        assertThat(next(failed(state(A, A_WEST_SAME_KEY, B, otherKey), 0, FailureKind.QUOTA_EXHAUSTED)))
                .isEqualTo(Send.now(3, AttemptReason.FALLBACK));
        assertThat(next(failed(state(A, A_WEST, B), 0, FailureKind.QUOTA_EXHAUSTED)))
                .isEqualTo(Send.now(1, AttemptReason.FAILOVER));
    }

    @ParameterizedTest
    @EnumSource(names = {"INVALID_REQUEST", "CONTENT_POLICY"})
    void aRequestThatIsWrongEverywhereEndsTheCall(FailureKind kind) {
        assertThat(next(failed(state(A, A_WEST, B), 0, kind))).isEqualTo(new Stop(StopReason.FINAL_FAILURE));
    }

    @Test
    void contentPolicyLeadsToAnotherModelWhereThePolicySaysSo() {
        var moves = new Moves(policy.withFallbackOn(FailureKind.CONTENT_POLICY), true, true, false);
        assertThat(moves.next(failed(state(A, B), 0, FailureKind.CONTENT_POLICY)))
                .isEqualTo(Send.now(1, AttemptReason.FALLBACK));
    }

    @Test
    void anUnknownModelIsNotAskedForAtOtherEndpoints() {
        assertThat(next(failed(state(A, A_WEST), 0, FailureKind.MODEL_NOT_FOUND)))
                .isEqualTo(new Stop(StopReason.FINAL_FAILURE));
    }

    @Test
    void aShortSuggestedDelayIsWaitedFor() {
        CallState state = suggested(state(A, B), Duration.ofSeconds(3));
        assertThat(next(state)).isEqualTo(new Send(0, AttemptReason.RETRY, Duration.ofSeconds(3), true));
    }

    @Test
    void anEndpointOfTheModelThatIsFreeEarlierThanARetryComesFirst() {
        CallState limited = suggested(state(A, A_WEST), Duration.ofSeconds(30));
        assertThat(next(rejected(limited, 1, FailureKind.COOLING_DOWN, 2)))
                .isEqualTo(new Send(1, AttemptReason.FAILOVER, Duration.ofSeconds(2), true));
        assertThat(next(rejected(limited, 1, FailureKind.CIRCUIT_OPEN, 4)))
                .isEqualTo(new Send(1, AttemptReason.FAILOVER, Duration.ofSeconds(4), true));
        assertThat(next(rejected(limited, 1, FailureKind.COOLING_DOWN, 40)))
                .as("it is free later")
                .isEqualTo(new Send(0, AttemptReason.RETRY, Duration.ofSeconds(30), true));
        assertThat(next(rejected(limited, 1, FailureKind.COOLING_DOWN, 0)))
                .as("nobody said when it is free")
                .isEqualTo(new Send(0, AttemptReason.RETRY, Duration.ofSeconds(30), true));
    }

    @Test
    void anotherModelThatIsFreeEarlierThanALongWaitComesFirst() {
        CallState resting = rejected(state(A, B), 1, FailureKind.COOLING_DOWN, 2);
        assertThat(next(suggested(resting, Duration.ofSeconds(30))))
                .isEqualTo(new Send(1, AttemptReason.FALLBACK, Duration.ofSeconds(2), true));
        assertThat(next(suggested(resting, Duration.ofSeconds(4))))
                .as("the model asked for is worth a short wait")
                .isEqualTo(new Send(0, AttemptReason.RETRY, Duration.ofSeconds(4), true));
    }

    @Test
    void aLongSuggestedDelayLeadsToAnotherModelAtOnce() {
        assertThat(next(suggested(state(A, B), Duration.ofSeconds(30)))).isEqualTo(Send.now(1, AttemptReason.FALLBACK));
    }

    @Test
    void aSuggestedDelayBeyondTheCeilingEndsTheCallWhereThereIsNoOtherTarget() {
        assertThat(next(suggested(state(A), Duration.ofSeconds(61)))).isEqualTo(new Stop(StopReason.WAIT_TOO_LONG));
    }

    @Test
    void noWaitPassesTheDeadline() {
        CallState late = failed(state(A), 0, FailureKind.OVERLOADED).at(DEADLINE - 1);
        Failure last = failure(FailureKind.OVERLOADED);
        CallState failedLate =
                late.failed(0, attempt(A, late, last), Track.NEW.failed(last, BACKOFF, BACKOFF, DEADLINE - 1));
        assertThat(next(failedLate)).isEqualTo(new Stop(StopReason.NO_TIME));
        assertThat(next(failedLate.at(DEADLINE))).isEqualTo(new Stop(StopReason.DEADLINE));
    }

    @Test
    void aTimeoutIsRepeatedOnceAndOnlyWhereNoOtherTargetIsLeft() {
        assertThat(next(failed(state(A, B), 0, FailureKind.TIMEOUT))).isEqualTo(Send.now(1, AttemptReason.FALLBACK));
        CallState once = failed(state(A), 0, FailureKind.TIMEOUT);
        assertThat(next(once)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
        assertThat(next(failed(once, 0, FailureKind.TIMEOUT))).isEqualTo(new Stop(StopReason.EXHAUSTED));
    }

    @Test
    void anotherKeyOfABrokenEndpointDoesNotStandInTheWayOfARetry() {
        Candidate secondKey = candidate("big", "east", "key-2");
        assertThat(next(failed(state(A, secondKey), 0, FailureKind.TIMEOUT)))
                .isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
    }

    @Test
    void theServersVerdictOutranksTheKind() {
        CallState no = withVerdict(FailureKind.OVERLOADED, false);
        CallState yes = withVerdict(FailureKind.INVALID_REQUEST, true);
        assertThat(next(no)).isEqualTo(new Stop(StopReason.FINAL_FAILURE));
        assertThat(next(yes)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
    }

    @Test
    void whatMayHaveBeenExecutedIsNotRepeatedWhereThatWouldDoHarm() {
        var careful = new Moves(policy, true, true, true);
        CallState lost = failed(state(A, B), 0, failure(FailureKind.CONNECTION, Delivery.AMBIGUOUS), BACKOFF);
        CallState unsent = failed(state(A, B), 0, failure(FailureKind.CONNECTION, Delivery.NEVER_SENT), BACKOFF);
        assertThat(careful.next(lost)).isEqualTo(new Stop(StopReason.FINAL_FAILURE));
        assertThat(careful.next(unsent)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
    }

    @Test
    void whatMayHaveBeenExecutedIsRepeatedOnlyWhereItsKeyIsKnown() {
        var careful = new Moves(policy, true, true, true);
        CallState lost =
                failed(state(HONOURING, A, B), 0, failure(FailureKind.CONNECTION, Delivery.AMBIGUOUS), BACKOFF);
        CallState refused = failed(lost, 0, failure(FailureKind.OVERLOADED), BACKOFF);
        CallState open = rejected(refused, 0, FailureKind.CIRCUIT_OPEN, 3600);

        assertThat(careful.next(lost)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
        assertThat(careful.next(refused)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
        assertThat(careful.next(open)).isInstanceOf(Stop.class);
    }

    @Test
    void aSpoiledAnswerWasExecuted() {
        var careful = new Moves(policy, true, true, true);
        CallState spoiled = failed(state(A, B), 0, failure(FailureKind.MALFORMED_RESPONSE, Delivery.ANSWERED), BACKOFF);
        CallState unsent = failed(state(A, B), 0, failure(FailureKind.CONNECTION, Delivery.PROBABLY_UNSENT), BACKOFF);

        assertThat(careful.next(spoiled)).isEqualTo(new Stop(StopReason.FINAL_FAILURE));
        assertThat(careful.next(unsent)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
    }

    @Test
    void aRejectionMovesOnAtOnce() {
        assertThat(next(rejected(state(A, A_WEST, B), 0, FailureKind.CIRCUIT_OPEN, 30)))
                .isEqualTo(Send.now(1, AttemptReason.FAILOVER));
    }

    @Test
    void whenAllRestTheCallWaitsForTheOneThatIsFreeFirst() {
        CallState state =
                rejected(rejected(state(A, B), 0, FailureKind.COOLING_DOWN, 20), 1, FailureKind.LIMIT_EXCEEDED, 10);
        assertThat(next(state)).isEqualTo(new Send(1, AttemptReason.FALLBACK, Duration.ofSeconds(10), true));
    }

    @Test
    void anOpenBreakerFailsFastUnlessThePolicyWaits() {
        CallState state = rejected(state(A), 0, FailureKind.CIRCUIT_OPEN, 10);
        assertThat(next(state)).isEqualTo(new Stop(StopReason.REJECTED));
        var patient = new Moves(policy.withWaitWhenOpen(true), true, true, false);
        assertThat(patient.next(state)).isEqualTo(new Send(0, AttemptReason.FIRST, Duration.ofSeconds(10), true));
    }

    @Test
    void aBreakerThatLetsThroughAgainSoonIsWaitedFor() {
        CallState state = rejected(state(A), 0, FailureKind.CIRCUIT_OPEN, 5);
        assertThat(next(state)).isEqualTo(new Send(0, AttemptReason.FIRST, Duration.ofSeconds(5), true));
        assertThat(new Moves(policy, false, true, false).next(state)).isEqualTo(new Stop(StopReason.REJECTED));
        assertThat(new Moves(RetryPolicy.none(), true, true, false).next(state))
                .isEqualTo(new Stop(StopReason.REJECTED));
    }

    @Test
    void attemptsOfTheWholeCallAreBounded() {
        CallState state = state(A, A_WEST, B);
        for (int i = 0; i < policy.maxAttemptsPerCall(); i++) {
            state = failed(state, i % 2, FailureKind.OVERLOADED);
        }
        assertThat(next(state)).isEqualTo(new Stop(StopReason.EXHAUSTED));
    }

    @Test
    void aCallMayForbidRetryAndFallback() {
        CallState state = failed(state(A, B), 0, FailureKind.OVERLOADED);
        assertThat(new Moves(policy, false, true, false).next(state)).isEqualTo(Send.now(1, AttemptReason.FALLBACK));
        assertThat(new Moves(policy, false, false, false).next(state)).isEqualTo(new Stop(StopReason.EXHAUSTED));
    }

    @Test
    void tooLongForAModelLeadsOnlyToALargerWindow() {
        Candidate large = windowed("large", 1_000_000);
        Candidate medium = windowed("medium", 100_000);
        Candidate small = windowed("small", 10_000);
        assertThat(next(failed(state(medium, small, large), 0, FailureKind.CONTEXT_LENGTH)))
                .isEqualTo(Send.now(2, AttemptReason.FALLBACK));
    }

    @Test
    void aRejectionDoesNotMakeTooLongForgotten() {
        Candidate large = windowed("large", 1_000_000);
        Candidate medium = windowed("medium", 100_000);
        Candidate small = windowed("small", 10_000);
        CallState tooLong = failed(state(medium, large, small), 0, FailureKind.CONTEXT_LENGTH);
        assertThat(next(rejected(tooLong, 1, FailureKind.CIRCUIT_OPEN, 30))).isEqualTo(new Stop(StopReason.EXHAUSTED));
    }

    @Test
    void theLargestWindowThatWasTooSmallCounts() {
        Candidate huge = windowed("huge", 2_000_000);
        Candidate large = windowed("large", 1_000_000);
        Candidate medium = windowed("medium", 100_000);
        Candidate small = windowed("small", 10_000);
        CallState once = failed(state(medium, large, small, huge), 0, FailureKind.CONTEXT_LENGTH);
        assertThat(next(failed(once, 1, FailureKind.CONTEXT_LENGTH))).isEqualTo(Send.now(3, AttemptReason.FALLBACK));
    }

    @Test
    void aRejectionDoesNotMakeAUsedUpKeyForgotten() {
        Candidate other = candidate("other", "east", "key-2");
        Candidate sameKey = candidate("third", "east", "key-1");
        CallState usedUp = failed(state(A, other, A_WEST_SAME_KEY, sameKey), 0, FailureKind.QUOTA_EXHAUSTED);
        assertThat(next(rejected(usedUp, 1, FailureKind.CIRCUIT_OPEN, 30))).isEqualTo(new Stop(StopReason.EXHAUSTED));
    }

    @Test
    void aRejectionElsewhereDoesNotMakeARefusedKeyForgotten() {
        CallState refused = failed(state(A, A_WEST, A_WEST_SAME_KEY), 0, FailureKind.AUTH);
        assertThat(next(rejected(refused, 1, FailureKind.CIRCUIT_OPEN, 30))).isEqualTo(new Stop(StopReason.EXHAUSTED));
    }

    @Test
    void whatMayHaveBeenExecutedIsRepeatedWithItsKeyOnItsOwnTargetOnly() {
        Candidate honest = honouring("big", "east", "key-1");
        Candidate sibling = honouring("big", "west", "key-2");
        var careful = new Moves(policy, true, true, true);
        CallState lost =
                failed(state(honest, sibling, B), 0, failure(FailureKind.CONNECTION, Delivery.AMBIGUOUS), BACKOFF);

        assertThat(careful.next(lost)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
        CallState later = failed(lost, 0, FailureKind.OVERLOADED);
        assertThat(careful.next(later)).as("still").isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
        assertThat(careful.next(rejected(later, 0, FailureKind.CIRCUIT_OPEN, 30)))
                .as("rather nowhere than elsewhere")
                .isEqualTo(new Stop(StopReason.EXHAUSTED));
        assertThat(new Moves(policy, true, true, false).next(lost))
                .as("where twice does no harm")
                .isEqualTo(Send.now(1, AttemptReason.FAILOVER));
    }

    @Test
    void attemptsKeepTheirInterval() {
        var apart = new Moves(policy.withMinInterval(Duration.ofMillis(100)), true, true, false);
        CallState failed = failed(state(A, A_WEST).started(), 0, FailureKind.OVERLOADED);
        assertThat(apart.next(failed)).isEqualTo(new Send(1, AttemptReason.FAILOVER, Duration.ofMillis(100), false));
        assertThat(apart.next(failed.at(60_000_000)))
                .isEqualTo(new Send(1, AttemptReason.FAILOVER, Duration.ofMillis(40), false));
        assertThat(apart.next(failed.at(100_000_000))).isEqualTo(Send.now(1, AttemptReason.FAILOVER));
        CallState late = failed(state(A, A_WEST).at(DEADLINE - 1).started(), 0, FailureKind.OVERLOADED);
        assertThat(apart.next(late)).isEqualTo(new Stop(StopReason.NO_TIME));
    }

    @Test
    void aKindMayBeRepeatedLessOrMoreThanOthers() {
        RetryPolicy kinds = policy.withKind(FailureKind.OVERLOADED, KindPolicy.never())
                .withKind(FailureKind.CONTENT_POLICY, KindPolicy.attempts(2))
                .withKind(FailureKind.SERVER_ERROR, KindPolicy.attempts(6))
                .withKind(FailureKind.TIMEOUT, KindPolicy.attempts(3));
        var moves = new Moves(kinds, true, true, false);

        assertThat(moves.next(failed(state(A), 0, FailureKind.OVERLOADED)))
                .isEqualTo(new Stop(StopReason.FINAL_FAILURE));
        CallState once = failed(state(A), 0, FailureKind.CONTENT_POLICY);
        assertThat(moves.next(once)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
        assertThat(moves.next(failed(once, 0, FailureKind.CONTENT_POLICY))).isEqualTo(new Stop(StopReason.EXHAUSTED));
        CallState often = state(A);
        for (int i = 0; i < 5; i++) {
            often = failed(often, 0, FailureKind.SERVER_ERROR);
        }
        assertThat(moves.next(often)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
        assertThat(moves.next(failed(often, 0, FailureKind.SERVER_ERROR))).isEqualTo(new Stop(StopReason.EXHAUSTED));
        CallState late = failed(failed(state(A), 0, FailureKind.TIMEOUT), 0, FailureKind.TIMEOUT);
        assertThat(moves.next(late)).isEqualTo(new Send(0, AttemptReason.RETRY, BACKOFF, false));
    }

    @Test
    void aBoundOfThePolicyOutranksTheServersVerdict() {
        var moves = new Moves(policy.withKind(FailureKind.INVALID_REQUEST, KindPolicy.never()), true, true, false);
        assertThat(moves.next(withVerdict(FailureKind.INVALID_REQUEST, true)))
                .isEqualTo(new Stop(StopReason.FINAL_FAILURE));
    }

    @Test
    void whoWaitedForOneTargetGoesToAnotherWhoseBreakerLetsItThroughMeanwhile() {
        CallState state =
                rejected(rejected(state(A, A_WEST), 0, FailureKind.COOLING_DOWN, 20), 1, FailureKind.CIRCUIT_OPEN, 26);
        assertThat(next(state)).isEqualTo(new Send(0, AttemptReason.FIRST, Duration.ofSeconds(20), true));

        CallState waited = rejected(later(state, 20), 0, FailureKind.COOLING_DOWN, 20);
        assertThat(next(waited)).isEqualTo(new Send(0, AttemptReason.FIRST, Duration.ofSeconds(20), true));
        assertThat(next(later(waited, 22)))
                .as("the breaker's last seconds are worth a wait")
                .isEqualTo(new Send(1, AttemptReason.FAILOVER, Duration.ofSeconds(4), true));

        CallState again = rejected(later(waited, 40), 0, FailureKind.COOLING_DOWN, 20);
        assertThat(next(again)).isEqualTo(new Send(1, AttemptReason.FAILOVER, Duration.ZERO, true));
    }

    @Test
    void aLimitThatLetsNobodyWaitIsNotWaitedFor() {
        var rejection = new Rejection(A.target(), FailureKind.LIMIT_EXCEEDED, Optional.of(Duration.ofSeconds(1)));
        assertThat(next(state(A).rejected(0, rejection, true)))
                .isEqualTo(new Send(0, AttemptReason.FIRST, Duration.ofSeconds(1), true));
        assertThat(next(state(A).rejected(0, rejection, false))).isEqualTo(new Stop(StopReason.REJECTED));
    }

    private static CallState later(CallState state, long seconds) {
        return state.at(Duration.ofSeconds(seconds).toNanos());
    }

    @ParameterizedTest
    @EnumSource
    void everyKindHasItsRow(FailureKind kind) {
        assertThat(KindRules.of(kind)).isNotNull();
        assertThat(next(failed(state(A, A_WEST, B), 0, kind))).isNotNull();
    }

    private NextMove next(CallState state) {
        return new Moves(policy, true, true, false).next(state);
    }

    private static CallState state(Candidate... candidates) {
        return CallState.begin("call", List.of(candidates), 0, DEADLINE);
    }

    private static CallState failed(CallState state, int candidate, FailureKind kind) {
        return failed(state, candidate, failure(kind), BACKOFF);
    }

    private static CallState failed(CallState state, int candidate, Failure failure, Duration delay) {
        Track track = state.tracks().get(candidate).failed(failure, delay, BACKOFF, state.nowNanos());
        return state.failed(candidate, attempt(state.candidates().get(candidate), state, failure), track);
    }

    private static CallState suggested(CallState state, Duration delay) {
        Failure plain = failure(FailureKind.RATE_LIMITED);
        var failure = new Failure(
                plain.kind(),
                plain.scope(),
                plain.delivery(),
                "",
                plain.status(),
                plain.code(),
                Optional.of(delay),
                Optional.empty(),
                Optional.empty());
        return failed(state, 0, failure, delay);
    }

    private static CallState withVerdict(FailureKind kind, boolean shouldRetry) {
        Failure plain = failure(kind);
        var failure = new Failure(
                plain.kind(),
                plain.scope(),
                plain.delivery(),
                "",
                plain.status(),
                plain.code(),
                Optional.empty(),
                Optional.of(shouldRetry),
                Optional.empty());
        return failed(state(A), 0, failure, BACKOFF);
    }

    private static CallState rejected(CallState state, int candidate, FailureKind kind, long seconds) {
        Target target = state.candidates().get(candidate).target();
        return state.rejected(candidate, new Rejection(target, kind, Optional.of(Duration.ofSeconds(seconds))));
    }

    private static Failure failure(FailureKind kind) {
        return failure(kind, Delivery.ANSWERED);
    }

    private static Failure failure(FailureKind kind, Delivery delivery) {
        FailureScope scope =
                switch (kind) {
                    case RATE_LIMITED, QUOTA_EXHAUSTED, AUTH, PERMISSION -> FailureScope.CREDENTIAL;
                    case MODEL_NOT_FOUND -> FailureScope.MODEL;
                    case INVALID_REQUEST, CONTENT_POLICY, CONTEXT_LENGTH -> FailureScope.REQUEST;
                    default -> FailureScope.ENDPOINT;
                };
        return Failure.of(kind, scope, delivery, "");
    }

    private static Attempt attempt(Candidate candidate, CallState state, Failure failure) {
        return new Attempt(
                state.attempts().size() + 1,
                AttemptReason.FIRST,
                candidate.target(),
                Optional.empty(),
                Instant.EPOCH,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(failure),
                Optional.empty());
    }

    private static Candidate candidate(String model, String endpoint, String key) {
        return candidate(ModelSettings.of(model), endpoint, key);
    }

    private static Candidate honouring(String model, String endpoint, String key) {
        Endpoint at = Endpoint.builder(endpoint, URI.create("https://" + endpoint + ".example"))
                .honoursIdempotencyKey(true)
                .build();
        return new Candidate(
                new Target(model, endpoint), at, Optional.of(Credential.of(key)), ModelSettings.of(model), false);
    }

    private static Candidate windowed(String model, long tokens) {
        return candidate(ModelSettings.of(model).withContextWindow(tokens), "east", "key-1");
    }

    private static Candidate candidate(ModelSettings settings, String endpoint, String key) {
        Endpoint at = Endpoint.builder(endpoint, URI.create("https://" + endpoint + ".example"))
                .build();
        return new Candidate(
                new Target(settings.name(), endpoint), at, Optional.of(Credential.of(key)), settings, false);
    }
}
