package dev.holdfast.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.RateLimiter.Reservation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IJJ_Result;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** What is reserved is within the limits, and what is settled adds up. */
public final class LimiterReservations {
    private LimiterReservations() {}

    /** One request is left: one of two gets it. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the other")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoRequestsForOne {
        private final RateLimiter limiter =
                Subjects.limiter(LimitPolicy.defaults().withRpm(1));

        @Actor
        public void one(II_Result r) {
            r.r1 = Subjects.granted(limiter, 0);
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = Subjects.granted(limiter, 0);
        }
    }

    /** Tokens are left for one of two. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the other")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TokensForOneOfTwo {
        private final RateLimiter limiter = Subjects.limiter(LimitPolicy.perMinute(10, 100));

        @Actor
        public void one(II_Result r) {
            r.r1 = Subjects.granted(limiter, 60);
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = Subjects.granted(limiter, 60);
        }
    }

    /** Who is refused for tokens has taken no request. */
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the other")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class AllOrNothing {
        private final RateLimiter limiter = Subjects.limiter(LimitPolicy.perMinute(10, 100));

        @Actor
        public void one(III_Result r) {
            r.r1 = Subjects.granted(limiter, 60);
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = Subjects.granted(limiter, 60);
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = (int) limiter.status().requests();
        }
    }

    /** What a settlement frees is there for others, and what is used adds up. */
    @JCStressTest
    @Outcome(id = "0, 10, 0", expect = ACCEPTABLE, desc = "refused: ten are used")
    @Outcome(id = "1, 70, 1", expect = ACCEPTABLE, desc = "granted: ten and sixty are used")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class SettleBesideAReservation {
        private final RateLimiter limiter = Subjects.limiter(LimitPolicy.perMinute(10, 100));
        private final Reservation reservation = Subjects.reservation(limiter, 60);

        @Actor
        public void one() {
            reservation.settle(10);
        }

        @Actor
        public void other(IJJ_Result r) {
            r.r1 = Subjects.granted(limiter, 60);
        }

        @Arbiter
        public void after(IJJ_Result r) {
            r.r2 = limiter.status().tokens();
            r.r3 = limiter.status().inFlight();
        }
    }

    /** A reservation ends as one thing. */
    @JCStressTest
    @Outcome(id = "1, 30, 0", expect = ACCEPTABLE, desc = "settled")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "cancelled")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class SettleBesideCancel {
        private final RateLimiter limiter = Subjects.limiter(LimitPolicy.perMinute(10, 100));
        private final Reservation reservation = Subjects.reservation(limiter, 60);

        @Actor
        public void one() {
            reservation.settle(30);
        }

        @Actor
        public void other() {
            reservation.cancel();
        }

        @Arbiter
        public void after(JJJ_Result r) {
            r.r1 = limiter.status().requests();
            r.r2 = limiter.status().tokens();
            r.r3 = limiter.status().inFlight();
        }
    }

    /** Two settlements at once lose nothing. */
    @JCStressTest
    @Outcome(id = "50, 0", expect = ACCEPTABLE, desc = "twenty and thirty")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoSettlements {
        private final RateLimiter limiter = Subjects.limiter(LimitPolicy.perMinute(10, 100));
        private final Reservation reservation = Subjects.reservation(limiter, 40);
        private final Reservation another = Subjects.reservation(limiter, 40);

        @Actor
        public void one() {
            reservation.settle(20);
        }

        @Actor
        public void other() {
            another.settle(30);
        }

        @Arbiter
        public void after(JJ_Result r) {
            r.r1 = limiter.status().tokens();
            r.r2 = limiter.status().inFlight();
        }
    }

    /** The slot of an attempt that ends goes to one other, now or later. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "at once")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "later")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class ASlotInFlight {
        private final RateLimiter limiter =
                Subjects.limiter(LimitPolicy.defaults().withConcurrency(1));
        private final Reservation reservation = Subjects.reservation(limiter, 0);

        @Actor
        public void one() {
            reservation.settle();
        }

        @Actor
        public void other(II_Result r) {
            r.r1 = Subjects.granted(limiter, 0);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = Subjects.granted(limiter, 0);
        }
    }

    /**
     * Who is first in the queue goes just as the place it waits for is given back: it has the place, or the place is free for the
     * next. Nothing is lost and nothing is there twice.
     */
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "it was served, and gives the place back")
    @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "it went, and the next has the place")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class CancelInTheQueue {
        private final RateLimiter limiter =
                Subjects.limiter(LimitPolicy.defaults().withConcurrency(1));
        private final Reservation reservation = Subjects.reservation(limiter, 0);
        private final CompletableFuture<RateLimiter.Admission> waiting = limiter.acquireAsync(0, Duration.ofHours(1));

        @Actor
        public void one() {
            reservation.settle();
        }

        @Actor
        public void other() {
            waiting.cancel(true);
        }

        @Arbiter
        public void after(III_Result r) {
            if (Subjects.settled(waiting)) {
                r.r1 = 1;
                r.r2 = Subjects.granted(limiter, 0);
                ((RateLimiter.Granted) waiting.join()).reservation().settle();
                r.r3 = Subjects.granted(limiter, 0);
            } else {
                r.r2 = Subjects.grantedSoon(limiter);
                r.r3 = Subjects.granted(limiter, 0);
            }
        }
    }

    /** Of two in the queue the first goes as the place becomes free: it is served, or the second is. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the first, and then the second")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the second, since the first had gone")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class CancelBeforeAnother {
        private final RateLimiter limiter =
                Subjects.limiter(LimitPolicy.defaults().withConcurrency(1));
        private final Reservation reservation = Subjects.reservation(limiter, 0);
        private final CompletableFuture<RateLimiter.Admission> first = limiter.acquireAsync(0, Duration.ofHours(1));
        private final CompletableFuture<RateLimiter.Admission> second = limiter.acquireAsync(0, Duration.ofHours(1));

        @Actor
        public void one() {
            reservation.settle();
        }

        @Actor
        public void other() {
            first.cancel(true);
        }

        @Arbiter
        public void after(II_Result r) {
            if (Subjects.settled(first)) {
                r.r1 = 1;
                ((RateLimiter.Granted) first.join()).reservation().settle();
            }
            r.r2 = Subjects.settled(second) ? 1 : 0;
        }
    }
}
