package dev.holdfast.core.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.internal.breaker.BreakerEvent.Asked;
import dev.holdfast.core.internal.breaker.BreakerEvent.Failed;
import dev.holdfast.core.internal.breaker.BreakerEvent.Ignored;
import dev.holdfast.core.internal.breaker.BreakerEvent.Ordered;
import dev.holdfast.core.internal.breaker.BreakerEvent.Reached;
import dev.holdfast.core.internal.breaker.BreakerEvent.Succeeded;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class BreakerTransitionsTest {
    private final BreakerTransitions transitions = new BreakerTransitions(
            BreakerPolicy.defaults().withFailureThreshold(1).withProbes(2, 2));
    private final long openNanos = Duration.ofSeconds(30).toNanos();
    private final Snapshot closed = transitions.initial(0, 11);
    private final Snapshot open = transitions.next(closed, new Reached(11, new Sums(1, 1, 0), 0), 0, 22);
    private final Snapshot halfOpen = transitions.next(open, new Asked(), openNanos, 33);

    @Test
    void goesThroughItsStatesWithANewGenerationEach() {
        assertThat(open.state()).isEqualTo(BreakerState.OPEN);
        assertThat(open.generation()).isEqualTo(22);
        assertThat(halfOpen.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(halfOpen.generation()).isEqualTo(33);
        assertThat(halfOpen.phase().probesOutstanding()).isEqualTo(1);
        assertThat(halfOpen.sequence()).isEqualTo(2);
    }

    @Test
    void aReportOfAnotherGenerationChangesNothing() {
        for (Snapshot snapshot : new Snapshot[] {closed, open, halfOpen}) {
            for (long stale : new long[] {0, 11, 22, 33, 44}) {
                if (stale != snapshot.generation()) {
                    assertThat(transitions.next(snapshot, new Failed(stale, 0, 0), openNanos, 55))
                            .isEqualTo(snapshot);
                    assertThat(transitions.next(snapshot, new Reached(stale, new Sums(9, 9, 0), 0), openNanos, 55))
                            .isEqualTo(snapshot);
                    assertThat(transitions.next(snapshot, new Succeeded(stale, 0, false), openNanos, 55))
                            .isEqualTo(snapshot);
                    assertThat(transitions.next(snapshot, new Ignored(stale, 0), openNanos, 55))
                            .isEqualTo(snapshot);
                }
            }
        }
    }

    @Test
    void aProbeOfWhichNothingWasHeardInTimeStillHasASayButNoSlot() {
        long later = openNanos + Duration.ofMinutes(5).toNanos();
        Snapshot next = transitions.next(halfOpen, new Asked(), later, 44);
        assertThat(next.phase().probesOutstanding())
                .as("the first one's slot was taken")
                .isEqualTo(1);
        Snapshot freed = transitions.next(next, new Ignored(33, 0), later, 44);
        assertThat(freed).isEqualTo(next);
        Snapshot once = transitions.next(next, new Succeeded(33, 0, false), later, 44);
        assertThat(once.phase().probesOutstanding()).isEqualTo(1);
        assertThat(transitions
                        .next(once, new Succeeded(33, 1, false), later, 44)
                        .state())
                .isEqualTo(BreakerState.CLOSED);
    }

    @Property
    void noGenerationIsZeroOrThatOfTheStateBefore(@ForAll long first, @ForAll long drawn) {
        Snapshot before = transitions.initial(0, first);
        assertThat(before.generation()).isNotZero();
        Snapshot moved = transitions.next(before, new Ordered(BreakerState.FORCED_OPEN, Term.FOREVER), 0, drawn);
        assertThat(moved.generation()).isNotZero().isNotEqualTo(before.generation());
        Snapshot unlucky =
                transitions.next(before, new Ordered(BreakerState.CLOSED, Term.FOREVER), 0, before.generation());
        assertThat(unlucky.generation()).isNotZero().isNotEqualTo(before.generation());
    }
}
