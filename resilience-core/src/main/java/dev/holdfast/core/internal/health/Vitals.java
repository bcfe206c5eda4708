package dev.holdfast.core.internal.health;

import dev.holdfast.HealthStatus;
import dev.holdfast.core.HealthPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * What is known of the health of an endpoint, or of a model on it. Immutable; every change is a pure function of what was
 * known, what was heard, and when.
 *
 * @param ejected whether it failed too often in a row and has not returned
 * @param failures how often it failed in a row
 * @param successes how often it went well in a row
 * @param trials how many calls tried it while it was ejected, without success so far
 * @param restingSinceNanos since when it is left alone; without meaning unless ejected
 * @param returnedNanos when it returned last; empty if it never did
 * @param calls the mean latency of calls
 * @param probes the mean latency of probes
 * @param shares how many calls went well and failed
 * @param vouched when a call went well, if none failed since
 * @param mark what speaks against it though it lives
 */
record Vitals(
        boolean ejected,
        int failures,
        int successes,
        int trials,
        long restingSinceNanos,
        Optional<Long> returnedNanos,
        Mean calls,
        Mean probes,
        Shares shares,
        Optional<Long> vouched,
        Optional<Mark> mark) {
    /** For so long a good call outranks failed probes. */
    private static final long VOUCHES_NANOS = Duration.ofSeconds(10).toNanos();

    /** What one that has just returned weighs at least. */
    private static final double LEAST_SHARE = 0.1;

    private static final int MOST = 1_000_000;

    /**
     * Something that speaks against it for a while.
     *
     * @param sign what
     * @param untilNanos until when
     */
    record Mark(Sign sign, long untilNanos) {}

    /** What evidence means for the standing. */
    enum Effect {
        GOOD,
        BAD,
        BAD_AT_ONCE,
        NONE
    }

    /**
     * Something heard.
     *
     * @param sign what
     * @param source from where
     * @param effect what it means for the standing
     * @param tookNanos how long the exchange took
     * @param markNanos how long what speaks against it does so
     */
    record Heard(Sign sign, Source source, Effect effect, long tookNanos, long markNanos) {}

    static Vitals unknown(long nowNanos) {
        return new Vitals(
                false,
                0,
                0,
                0,
                nowNanos,
                Optional.empty(),
                Mean.NONE,
                Mean.NONE,
                Shares.none(nowNanos),
                Optional.empty(),
                Optional.empty());
    }

    Vitals after(Heard heard, long now, HealthPolicy policy) {
        boolean outranked = heard.source() == Source.PROBE && heard.sign().isFailure() && vouches(now);
        Vitals measured = measured(heard, now, policy);
        return outranked ? measured : measured.judged(heard.effect(), now, policy);
    }

    private Vitals measured(Heard heard, long now, HealthPolicy policy) {
        boolean call = heard.source() == Source.CALL;
        Sign sign = heard.sign();
        boolean timed = sign == Sign.GOOD || sign == Sign.TIMED_OUT;
        Mean ofCalls = call && timed ? calls.plus(heard.tookNanos(), policy.latencyWeight(), now) : calls;
        long probeTook = sign == Sign.TIMED_OUT ? policy.timeoutCountsAs().toNanos() : heard.tookNanos();
        Mean ofProbes = call || sign == Sign.UNREACHABLE ? probes : probes.plus(probeTook, policy.latencyWeight(), now);
        boolean bad = heard.effect() == Effect.BAD || heard.effect() == Effect.BAD_AT_ONCE;
        Shares counted = call && (sign == Sign.GOOD || bad)
                ? shares.plus(bad, now, policy.halfLife().toNanos())
                : shares;
        Optional<Long> vouching = vouched;
        if (call && (sign == Sign.GOOD || sign.isFailure())) {
            vouching = sign == Sign.GOOD ? Optional.of(now) : Optional.empty();
        }
        Optional<Mark> marked = sign.isMark() ? Optional.of(new Mark(sign, now + heard.markNanos())) : mark;
        return new Vitals(
                ejected,
                failures,
                successes,
                trials,
                restingSinceNanos,
                returnedNanos,
                ofCalls,
                ofProbes,
                counted,
                vouching,
                sign == Sign.GOOD ? Optional.empty() : marked);
    }

    private Vitals judged(Effect effect, long now, HealthPolicy policy) {
        return switch (effect) {
            case NONE -> this;
            case GOOD -> {
                int run = Math.min(successes + 1, MOST);
                boolean returns = ejected && run >= policy.recoveryThreshold();
                if (returns) {
                    yield standing(false, 0, run, 0, restingSinceNanos, Optional.of(now));
                }
                // Half way back: the next call may confirm at once.
                yield ejected
                        ? standing(true, 0, run, 0, now - policy.ejection().toNanos(), returnedNanos)
                        : standing(false, 0, run, 0, restingSinceNanos, returnedNanos);
            }
            case BAD, BAD_AT_ONCE -> {
                int run = Math.min(failures + 1, MOST);
                boolean goes = !ejected && (effect == Effect.BAD_AT_ONCE || run >= policy.failureThreshold());
                yield goes
                        ? standing(true, run, 0, 0, now, returnedNanos)
                        : standing(ejected, run, 0, trials, restingSinceNanos, returnedNanos);
            }
        };
    }

    private Vitals standing(boolean out, int bad, int good, int tried, long restingSince, Optional<Long> returned) {
        return new Vitals(out, bad, good, tried, restingSince, returned, calls, probes, shares, vouched, mark);
    }

    /** This, with one more call that tries it. */
    Vitals tried(long now) {
        return standing(ejected, failures, successes, Math.min(trials + 1, MOST), now, returnedNanos);
    }

    /** Whether it was left alone for long enough that one call may try it again. */
    boolean isTrialDue(long now, HealthPolicy policy) {
        if (!ejected) {
            return false;
        }
        long longest = policy.longestEjection().toNanos();
        long rest = policy.ejection().toNanos();
        for (int i = 0; i < trials && rest < longest; i++) {
            rest = Math.min(longest, 2 * rest);
        }
        return now - restingSinceNanos >= rest;
    }

    HealthStatus status(long now, HealthPolicy policy) {
        if (ejected) {
            return HealthStatus.UNHEALTHY;
        }
        boolean slow = probes.samples() > 0
                && probes.nanos() >= policy.degradedLatency().toNanos();
        boolean failing = shares.reaches(
                policy.degradedErrorRate(), now, policy.halfLife().toNanos());
        return slow || failing || markOf(now).isPresent() ? HealthStatus.DEGRADED : HealthStatus.HEALTHY;
    }

    Optional<Sign> markOf(long now) {
        return mark.filter(each -> now - each.untilNanos() < 0).map(Mark::sign);
    }

    /** Whether a call went well lately and none failed since. */
    boolean vouches(long now) {
        return vouched.filter(at -> now - at < VOUCHES_NANOS).isPresent();
    }

    /** The part of its weight that it has, 0.1 to 1: less while it has just returned. */
    double share(long now, HealthPolicy policy) {
        long length = policy.slowStart().toNanos();
        if (returnedNanos.isEmpty() || now - returnedNanos.get() >= length) {
            return 1;
        }
        return Math.max(LEAST_SHARE, (double) (now - returnedNanos.get()) / length);
    }
}
