package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.Rejection;
import dev.holdfast.core.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When nothing else is left, waits out the cooldown or limit that ends first, if ceiling and deadline allow. A call that may
 * be tried again waits for an open breaker too, if that is short, and longer where the policy says so.
 */
final class WaitRule implements MoveRule {
    private final RetryPolicy policy;
    private final Duration longestWhenOpen;

    WaitRule(RetryPolicy policy, boolean retryAllowed) {
        this.policy = policy;
        Duration shortly = retryAllowed && policy.maxAttempts() > 1 ? policy.fallbackIfWaitOver() : Duration.ZERO;
        this.longestWhenOpen = policy.waitWhenOpen() ? policy.maxSuggestedDelay() : shortly;
    }

    @Override
    public Optional<NextMove> next(CallState state) {
        int best = -1;
        for (int i = 0; i < state.candidates().size(); i++) {
            if (mayWait(state, i) && (best < 0 || availableIn(state, i).compareTo(availableIn(state, best)) < 0)) {
                best = i;
            }
        }
        return best < 0 || state.waits() >= policy.maxAttemptsPerCall()
                ? Optional.empty()
                : Optional.of(new NextMove.Send(best, reason(state, best), availableIn(state, best), true));
    }

    private static AttemptReason reason(CallState state, int candidate) {
        if (state.tracks().get(candidate).attempts() > 0) {
            return AttemptReason.RETRY;
        }
        if (candidate == 0) {
            return AttemptReason.FIRST;
        }
        return state.sameModel(candidate, 0) ? AttemptReason.FAILOVER : AttemptReason.FALLBACK;
    }

    private boolean mayWait(CallState state, int candidate) {
        Track track = state.tracks().get(candidate);
        return track.rejection().filter(this::ends).isPresent()
                && leavesAttempts(track)
                && !track.refused()
                && Prospects.leavesHope(policy, state, candidate)
                && Prospects.mayHold(state, candidate)
                && Prospects.keyIsGood(state, candidate)
                && availableIn(state, candidate).compareTo(policy.maxSuggestedDelay()) <= 0
                && availableIn(state, candidate).compareTo(state.untilDeadline()) < 0;
    }

    private boolean leavesAttempts(Track track) {
        return track.failure()
                .map(failure -> KindRules.leavesAttempts(policy, failure, track))
                .orElse(true);
    }

    private boolean ends(Rejection rejection) {
        return rejection
                .availableIn()
                .filter(in -> switch (rejection.kind()) {
                    case COOLING_DOWN, LIMIT_EXCEEDED -> true;
                    case CIRCUIT_OPEN -> in.isPositive() && in.compareTo(longestWhenOpen) <= 0;
                    default -> false;
                })
                .isPresent();
    }

    /** How long from now; what was said at the rejection has gone on since. */
    private static Duration availableIn(CallState state, int candidate) {
        OptionalLong at = state.tracks().get(candidate).freeAtNanos();
        return at.isPresent() ? Duration.ofNanos(Math.max(0, at.getAsLong() - state.nowNanos())) : Duration.ZERO;
    }
}
