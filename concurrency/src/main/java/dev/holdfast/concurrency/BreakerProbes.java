package dev.holdfast.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.holdfast.core.CircuitBreaker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LJ_Result;

/** A half-open breaker admits no more probes than it may, and loses no slot. */
public final class BreakerProbes {
    private BreakerProbes() {}

    /** Two calls find the open time over: one is the probe. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the other")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoCallsFindTheOpenTimeOver {
        private final CircuitBreaker breaker = Subjects.dueBreaker(1, 1);

        @Actor
        public void one(II_Result r) {
            r.r1 = Subjects.admitted(breaker);
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = Subjects.admitted(breaker);
        }
    }

    /** Two slots are enough for two calls. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoCallsAndTwoSlots {
        private final CircuitBreaker breaker = Subjects.dueBreaker(2, 2);

        @Actor
        public void one(II_Result r) {
            r.r1 = Subjects.admitted(breaker);
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = Subjects.admitted(breaker);
        }
    }

    /** The slot of an ignored probe goes to one call, now or later. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "later")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "at once")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class ASlotComesBack {
        private final CircuitBreaker breaker = Subjects.dueBreaker(1, 1);
        private final CircuitBreaker.Permit probe = Subjects.permit(breaker);

        @Actor
        public void one() {
            probe.ignored();
        }

        @Actor
        public void other(II_Result r) {
            r.r1 = Subjects.admitted(breaker);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = Subjects.admitted(breaker);
        }
    }

    /** Two threads end the same probe: one slot is free, not two. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoEndsFreeOneSlot {
        private final CircuitBreaker breaker = Subjects.dueBreaker(2, 5);
        private final CircuitBreaker.Permit probe = Subjects.permit(breaker);
        private final CircuitBreaker.Permit another = Subjects.permit(breaker);

        @Actor
        public void one() {
            probe.ignored();
        }

        @Actor
        public void other() {
            probe.ignored();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = Subjects.admitted(breaker);
            r.r2 = Subjects.admitted(breaker);
            another.ignored();
        }
    }

    /** Two probes disagree: the breaker opens again, or closes if it had heard enough. */
    @JCStressTest
    @Outcome(id = "CLOSED, 3", expect = ACCEPTABLE, desc = "the success came first")
    @Outcome(id = "OPEN, 3", expect = ACCEPTABLE, desc = "the failure came first")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class OneProbeSucceedsOneFails {
        private final CircuitBreaker breaker = Subjects.dueBreaker(2, 1);
        private final CircuitBreaker.Permit probe = Subjects.permit(breaker);
        private final CircuitBreaker.Permit another = Subjects.permit(breaker);

        @Actor
        public void one() {
            probe.succeeded();
        }

        @Actor
        public void other() {
            another.failed();
        }

        @Arbiter
        public void after(LJ_Result r) {
            r.r1 = breaker.state();
            r.r2 = breaker.status().transitions();
        }
    }

    /** Two successes at once are two successes. */
    @JCStressTest
    @Outcome(id = "CLOSED, 3", expect = ACCEPTABLE, desc = "closed once")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoProbesSucceed {
        private final CircuitBreaker breaker = Subjects.dueBreaker(2, 2);
        private final CircuitBreaker.Permit probe = Subjects.permit(breaker);
        private final CircuitBreaker.Permit another = Subjects.permit(breaker);

        @Actor
        public void one() {
            probe.succeeded();
        }

        @Actor
        public void other() {
            another.succeeded();
        }

        @Arbiter
        public void after(LJ_Result r) {
            r.r1 = breaker.state();
            r.r2 = breaker.status().transitions();
        }
    }
}
