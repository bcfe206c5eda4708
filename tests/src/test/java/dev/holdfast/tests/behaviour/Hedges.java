package dev.holdfast.tests.behaviour;

import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import java.time.Duration;
import java.util.List;

/** A slow provider beside a fast one, and a client that hedges after a second. */
final class Hedges {
    static final Duration SECOND = Duration.ofSeconds(1);
    static final HedgePolicy AFTER_A_SECOND = HedgePolicy.after(SECOND).withBudget(1, 100);

    private Hedges() {}

    static Reply slow(int seconds) {
        return Reply.completion("slow").withDelay(Duration.ofSeconds(seconds));
    }

    static World slowAndFast() {
        return new World()
                .provider("slow", FaultScript.always(slow(20)))
                .provider("fast", FaultScript.always(Reply.completion("fast")));
    }

    static ClientBuilder hedged(World world) {
        return world.builder().hedge(AFTER_A_SECOND);
    }

    /** Throws in each attempt that is a hedge. */
    static Interceptor throwing(RuntimeException thrown) {
        return new Interceptor() {
            @Override
            public TransportReply aroundAttempt(AttemptCall attempt, AttemptChain chain)
                    throws TransportException, InterruptedException {
                if (attempt.reason() == AttemptReason.HEDGE) {
                    throw thrown;
                }
                return chain.proceed(attempt);
            }
        };
    }

    static List<HedgeStep> steps(World world) {
        return world.events(CallEvent.Hedged.class).stream()
                .map(CallEvent.Hedged::step)
                .toList();
    }
}
