package dev.holdfast.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The twin of {@link BreakerProbes.TwoCallsFindTheOpenTimeOver} with a breaker that looks first and takes afterwards. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the one")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the other")
@Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
@State
public class BrokenTwin {
    private volatile int free = 1;

    /** One call. */
    @Actor
    public void one(II_Result r) {
        r.r1 = admitted();
    }

    /** Another. */
    @Actor
    public void other(II_Result r) {
        r.r2 = admitted();
    }

    private int admitted() {
        int seen = free;
        if (seen > 0) {
            free = seen - 1;
            return 1;
        }
        return 0;
    }
}
