package dev.holdfast.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.testkit.ManualTimekeeper;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LJ_Result;

/** A permit ends once, and has a say only in the state that issued it. */
public final class BreakerPermits {
    private BreakerPermits() {}

    /** Two threads end the same permit as a failure: one failure is counted. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "one failure")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoReportsOfOnePermit {
        private final CircuitBreaker breaker = Subjects.breaker(5, 1, 1);
        private final CircuitBreaker.Permit permit = Subjects.permit(breaker);

        @Actor
        public void one() {
            permit.failed();
        }

        @Actor
        public void other() {
            permit.failed();
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = breaker.status().failuresInARow();
        }
    }

    /** Two failures at once are two failures. */
    @JCStressTest
    @Outcome(id = "OPEN, 1", expect = ACCEPTABLE, desc = "both counted, one transition")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoFailuresOfTwoPermits {
        private final CircuitBreaker breaker = Subjects.breaker(2, 1, 1);
        private final CircuitBreaker.Permit permit = Subjects.permit(breaker);
        private final CircuitBreaker.Permit another = Subjects.permit(breaker);

        @Actor
        public void one() {
            permit.failed();
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

    /** Of two failures that would each open the breaker one does, and the other comes late. */
    @JCStressTest
    @Outcome(id = "OPEN, 1", expect = ACCEPTABLE, desc = "one transition")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class FailureBesideItsLikeThatOpened {
        private final CircuitBreaker breaker = Subjects.breaker(1, 1, 1);
        private final CircuitBreaker.Permit permit = Subjects.permit(breaker);
        private final CircuitBreaker.Permit another = Subjects.permit(breaker);

        @Actor
        public void one() {
            permit.failed();
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

    /** A success of the generation before does not close what a failure opened. */
    @JCStressTest
    @Outcome(id = "OPEN, 1", expect = ACCEPTABLE, desc = "the success came late or changed nothing")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class SuccessBesideAFailureThatOpens {
        private final CircuitBreaker breaker = Subjects.breaker(1, 1, 1);
        private final CircuitBreaker.Permit permit = Subjects.permit(breaker);
        private final CircuitBreaker.Permit another = Subjects.permit(breaker);

        @Actor
        public void one() {
            permit.failed();
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

    /** A failure from before the breaker opened has no say while a probe decides. */
    @JCStressTest
    @Outcome(id = "CLOSED, 3", expect = ACCEPTABLE, desc = "opened, half-open, closed")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class LateReportBesideAProbe {
        private final Late late = Late.create();

        @Actor
        public void one() {
            late.permit().failed();
        }

        @Actor
        public void other() {
            late.probe().succeeded();
        }

        @Arbiter
        public void after(LJ_Result r) {
            r.r1 = late.breaker().state();
            r.r2 = late.breaker().status().transitions();
        }
    }

    /** A reset is not undone by a failure of the generation it ended. */
    @JCStressTest
    @Outcome(id = "CLOSED, 0", expect = ACCEPTABLE, desc = "the failure came late")
    @Outcome(id = "CLOSED, 2", expect = ACCEPTABLE, desc = "the failure opened it, the reset closed it")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class ResetBesideAFailure {
        private final CircuitBreaker breaker = Subjects.breaker(1, 1, 1);
        private final CircuitBreaker.Permit permit = Subjects.permit(breaker);

        @Actor
        public void one() {
            permit.failed();
        }

        @Actor
        public void other() {
            breaker.reset();
        }

        @Arbiter
        public void after(LJ_Result r) {
            r.r1 = breaker.state();
            r.r2 = breaker.status().transitions();
        }
    }

    /** A permit of a breaker that has opened since and now waits for its probe. */
    record Late(CircuitBreaker breaker, CircuitBreaker.Permit permit, CircuitBreaker.Permit probe) {
        static Late create() {
            var time = new ManualTimekeeper();
            CircuitBreaker breaker = Subjects.breaker(time, 1, 1, 1);
            CircuitBreaker.Permit late = Subjects.permit(breaker);
            Subjects.permit(breaker).failed();
            time.advance(Subjects.OPEN_TIME);
            return new Late(breaker, late, Subjects.permit(breaker));
        }
    }
}
