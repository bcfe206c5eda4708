package dev.holdfast.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.holdfast.core.internal.hedge.Landings;
import dev.holdfast.testkit.ManualTimekeeper;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Of two attempts that answer at once one wins, and whatever does not is cleared away, once. */
public final class HedgeLandings {
    private HedgeLandings() {}

    private static final class Runway {
        private final AtomicInteger cleared = new AtomicInteger();
        private final Landings<Integer> landings =
                new Landings<>(new ManualTimekeeper()::newSignal, answer -> cleared.addAndGet(answer));
    }

    /** Both land while nobody looks: the one that is taken wins, the other is cleared away when the race is over. */
    @JCStressTest
    @Outcome(id = "1, 10", expect = ACCEPTABLE, desc = "the first attempt won")
    @Outcome(id = "10, 1", expect = ACCEPTABLE, desc = "the hedge won")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class TwoAnswersAtOnce {
        private final Runway runway = new Runway();

        @Actor
        public void first() {
            runway.landings.land(1);
        }

        @Actor
        public void hedge() {
            runway.landings.land(10);
        }

        @Arbiter
        public void call(II_Result r) {
            r.r1 = runway.landings.poll().orElse(0);
            runway.landings.close();
            r.r2 = runway.cleared.get();
        }
    }

    /** An answer lands while the race is being closed: it is cleared away, by one of the two. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "cleared away once")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class AnAnswerBesideTheEnd {
        private final Runway runway = new Runway();

        @Actor
        public void loser() {
            runway.landings.land(1);
        }

        @Actor
        public void call() {
            runway.landings.close();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = runway.landings.poll().orElse(0);
            r.r2 = runway.cleared.get();
        }
    }

    /** The call takes the winner and ends the race while the loser lands: the loser is cleared away once, by one of the two. */
    @JCStressTest
    @Outcome(id = "1, 10", expect = ACCEPTABLE, desc = "the first attempt won, and the hedge left nothing")
    @Outcome(expect = FORBIDDEN, desc = "nothing else may happen")
    @State
    public static class ALoserBesideTheEnd {
        private final Runway runway = new Runway();
        private int taken;

        /** The first attempt has answered. */
        public ALoserBesideTheEnd() {
            runway.landings.land(1);
        }

        @Actor
        public void hedge() {
            runway.landings.land(10);
        }

        @Actor
        public void call() {
            Optional<Integer> winner = runway.landings.poll();
            taken = winner.orElse(0);
            runway.landings.close();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = taken;
            r.r2 = runway.cleared.get() + runway.landings.poll().orElse(0) * 100;
        }
    }
}
