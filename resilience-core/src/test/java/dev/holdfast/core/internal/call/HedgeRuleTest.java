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
import dev.holdfast.Target;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.internal.call.NextMove.Send;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HedgeRuleTest {
    private static final Duration AFTER = Duration.ofMillis(800);
    private static final long DEADLINE = Duration.ofMinutes(2).toNanos();
    private static final Candidate A = candidate("big", "east", "key-1");
    private static final Candidate A_OTHER_KEY = candidate("big", "east", "key-9");
    private static final Candidate A_WEST = candidate("big", "west", "key-2");
    private static final Candidate A_WEST_SAME_KEY = candidate("big", "west", "key-1");
    private static final Candidate B = candidate("small", "east", "key-1");
    private static final Failure SLOW =
            Failure.of(FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.AMBIGUOUS, "slow");

    private final HedgeRule rule = new HedgeRule(RetryPolicy.standard(), AFTER);

    private static Candidate candidate(String model, String endpoint, String key) {
        return new Candidate(
                new Target(model, endpoint),
                Endpoint.builder(endpoint, URI.create("https://" + endpoint + ".example"))
                        .build(),
                Optional.of(Credential.of(key)),
                ModelSettings.of(model),
                false,
                Optional.empty());
    }

    private static CallState state(Candidate... candidates) {
        return CallState.begin("call", List.of(candidates), 0, DEADLINE);
    }

    /** The candidate's attempt has been underway since the time 0. */
    private static CallState underway(CallState state, int candidate) {
        return state.started().givenUp(candidate, attempt(candidate, SLOW));
    }

    private static Attempt attempt(int candidate, Failure failure) {
        return new Attempt(
                candidate + 1,
                AttemptReason.FIRST,
                A.target(),
                Optional.empty(),
                Instant.EPOCH,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(failure),
                Optional.empty());
    }

    private static Send hedge(int candidate, Duration delay) {
        return new Send(candidate, AttemptReason.HEDGE, delay, false);
    }

    @Test
    void theSameModelElsewhereComesBeforeAnotherModel() {
        assertThat(rule.next(underway(state(A, B, A_WEST), 0))).contains(hedge(2, AFTER));
        assertThat(rule.next(underway(state(A, B), 0))).contains(hedge(1, AFTER));
    }

    @Test
    void neverTheSameTargetAlsoNotWithAnotherKey() {
        assertThat(rule.next(underway(state(A, A_OTHER_KEY), 0))).isEmpty();
    }

    @Test
    void onlyWhereTheCallHasNotBeen() {
        CallState failedThere = state(A, A_WEST)
                .failed(
                        1,
                        attempt(1, SLOW),
                        Track.NEW.failed(
                                Failure.of(FailureKind.OVERLOADED, FailureScope.ENDPOINT, Delivery.ANSWERED, "busy"),
                                Duration.ZERO,
                                Duration.ZERO,
                                0));
        assertThat(rule.next(underway(failedThere, 0))).isEmpty();
    }

    @Test
    void notWithAKeyThatWasUsedUp() {
        Failure usedUp = Failure.of(FailureKind.QUOTA_EXHAUSTED, FailureScope.CREDENTIAL, Delivery.ANSWERED, "used up");
        CallState state = state(A_WEST, A, A_WEST_SAME_KEY)
                .failed(1, attempt(1, usedUp), Track.NEW.failed(usedUp, Duration.ZERO, Duration.ZERO, 0));
        assertThat(rule.next(underway(state, 0))).isEmpty();
    }

    @Test
    void theDelayCountsFromTheStartOfTheSlowAttempt() {
        CallState later =
                underway(state(A, A_WEST), 0).at(Duration.ofMillis(300).toNanos());
        assertThat(rule.next(later)).contains(hedge(1, Duration.ofMillis(500)));
        assertThat(rule.next(later.at(Duration.ofSeconds(3).toNanos()))).contains(hedge(1, Duration.ZERO));
    }

    @Test
    void nothingIsHedgedWhoseDelayWouldPassTheDeadline() {
        CallState shortly = underway(state(A, A_WEST), 0).at(0, AFTER.toNanos());
        assertThat(rule.next(shortly)).isEmpty();
    }

    @Test
    void theAttemptsOfTheCallBoundHedges() {
        var few = new HedgeRule(RetryPolicy.standard().withMaxAttemptsPerCall(1), AFTER);
        assertThat(few.next(underway(state(A, A_WEST), 0))).isEmpty();
        var two = new HedgeRule(RetryPolicy.standard().withMaxAttemptsPerCall(2), AFTER);
        assertThat(two.next(underway(state(A, A_WEST), 0))).isPresent();
    }

    @Test
    void attemptsOfACallStayApart() {
        var apart = new HedgeRule(RetryPolicy.standard().withMinInterval(Duration.ofSeconds(2)), AFTER);
        assertThat(apart.next(underway(state(A, A_WEST), 0))).contains(hedge(1, Duration.ofSeconds(2)));
    }

    @Test
    void whoeverWasPassedOverIsNotAskedAgain() {
        CallState passed = underway(state(A, A_WEST, B), 0).passedOver(1);
        assertThat(rule.next(passed)).contains(hedge(2, AFTER));
        assertThat(rule.next(passed.passedOver(2))).isEmpty();
    }
}
