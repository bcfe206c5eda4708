package dev.holdfast.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.holdfast.core.internal.budget.RetryBudget;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZD_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A retry budget is never overdrawn, and a refusal takes nothing. */
public final class RetryBudgets {
    private RetryBudgets() {}

    /** One retry is left: one of two gets it. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the other")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoWithdrawalsOfOne {
        private final RetryBudget budget = Subjects.budget(0, 1);

        @Actor
        public void one(ZZ_Result r) {
            r.r1 = budget.tryWithdraw();
        }

        @Actor
        public void other(ZZ_Result r) {
            r.r2 = budget.tryWithdraw();
        }
    }

    /** What a first attempt earns is withdrawn, or left. */
    @JCStressTest
    @Outcome(id = "true, 0.0", expect = ACCEPTABLE, desc = "withdrawn")
    @Outcome(id = "false, 1.0", expect = ACCEPTABLE, desc = "left")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class AWithdrawalBesideAnEarning {
        private final RetryBudget budget = Subjects.budget(1, 1);

        /** Drained. */
        public AWithdrawalBesideAnEarning() {
            budget.tryWithdraw();
        }

        @Actor
        public void one() {
            budget.recordFirstAttempt();
        }

        @Actor
        public void other(ZD_Result r) {
            r.r1 = budget.tryWithdraw();
        }

        @Arbiter
        public void after(ZD_Result r) {
            r.r2 = budget.available();
        }
    }

    /** What is given back is there once. */
    @JCStressTest
    @Outcome(id = "true, 0.0", expect = ACCEPTABLE, desc = "withdrawn again")
    @Outcome(id = "false, 1.0", expect = ACCEPTABLE, desc = "left")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class AReturnBesideAWithdrawal {
        private final RetryBudget budget = Subjects.budget(0, 1);

        /** Drained. */
        public AReturnBesideAWithdrawal() {
            budget.tryWithdraw();
        }

        @Actor
        public void one() {
            budget.giveBack();
        }

        @Actor
        public void other(ZD_Result r) {
            r.r1 = budget.tryWithdraw();
        }

        @Arbiter
        public void after(ZD_Result r) {
            r.r2 = budget.available();
        }
    }
}
