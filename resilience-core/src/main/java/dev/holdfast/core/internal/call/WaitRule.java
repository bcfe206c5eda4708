package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.Rejection;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.internal.call.Track.Rejected;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * When nothing else is left, waits out the cooldown or limit that ends first, if ceiling and deadline allow. A call that may
 * be tried again waits for an open breaker too, if that is short, and longer where the policy says so. A limit that lets nobody
 * wait is not waited for.
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
        return next(state, i -> true);
    }

    /** The same among some of the candidates. */
    Optional<NextMove> next(CallState state, IntPredicate eligible) {
        int best = -1;
        for (int i = 0; i < state.candidates().size(); i++) {
            if (eligible.test(i)
                    && mayWait(state, i)
                    && (best < 0 || availableIn(state, i).compareTo(availableIn(state, best)) < 0)) {
                best = i;
            }
        }
        return best < 0 || hasWaitedEnough(state)
                ? Optional.empty()
                : Optional.of(new NextMove.Send(best, reason(state, best), availableIn(state, best), true));
    }

    /**
     * Whoever rests because of others may be sent away by them again and again, and sends nothing meanwhile: so it is the time that
     * is bounded, and the number only of waits that took none.
     */
    private boolean hasWaitedEnough(CallState state) {
        Rests rests = state.rests();
        return rests.empty() >= policy.maxAttemptsPerCall()
                || rests.total().dividedBy(policy.maxAttemptsPerCall()).compareTo(policy.maxSuggestedDelay()) >= 0;
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

    /** Whether the candidate rests, and something was said of how long. */
    static boolean isToldWhen(CallState state, int candidate) {
        return state.tracks()
                .get(candidate)
                .rejection()
                .flatMap(Rejection::availableIn)
                .filter(Duration::isPositive)
                .isPresent();
    }

    private boolean mayWait(CallState state, int candidate) {
        Track track = state.tracks().get(candidate);
        return ends(state, candidate)
                && leavesAttempts(state, candidate)
                && !track.refused()
                && Prospects.leavesHope(policy, state, candidate)
                && Prospects.mayHold(state, candidate)
                && Prospects.keyIsGood(state, candidate)
                && availableIn(state, candidate).compareTo(policy.maxSuggestedDelay()) <= 0
                && availableIn(state, candidate).compareTo(state.untilDeadline()) < 0;
    }

    private boolean leavesAttempts(CallState state, int candidate) {
        Track track = state.tracks().get(candidate);
        return track.failure()
                .map(failure -> KindRules.leavesAttempts(
                        policy, failure, state.candidates().get(candidate), track))
                .orElse(true);
    }

    /** Whether it is free by itself some time. What is left of an open breaker's time counts: others were waited for meanwhile. */
    private boolean ends(CallState state, int candidate) {
        Optional<Rejected> rejected = state.tracks().get(candidate).rejected();
        return rejected.filter(Rejected::mayBeAwaited)
                .flatMap(each -> each.why().availableIn().filter(in -> switch (each.why()
                        .kind()) {
                    case COOLING_DOWN, LIMIT_EXCEEDED -> true;
                    case CIRCUIT_OPEN, OUT_OF_SERVICE ->
                        in.isPositive() && availableIn(state, candidate).compareTo(longestWhenOpen) <= 0;
                    default -> false;
                }))
                .isPresent();
    }

    /** How long from now; what was said at the rejection has gone on since. */
    private static Duration availableIn(CallState state, int candidate) {
        OptionalLong at = state.tracks().get(candidate).freeAtNanos();
        return at.isPresent() ? Duration.ofNanos(Math.max(0, at.getAsLong() - state.nowNanos())) : Duration.ZERO;
    }
}
