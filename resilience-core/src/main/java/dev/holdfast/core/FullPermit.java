package dev.holdfast.core;

import dev.holdfast.core.internal.breaker.BreakerMachine;
import dev.holdfast.core.internal.breaker.Snapshot;

/** A permit that is a probe, or whose time is taken: there are few of the one, and few ask for the other. */
final class FullPermit extends CircuitBreaker.Permit {
    private final long probe;
    private final long startedNanos;
    /** How long it took until the answer began. */
    private volatile long begunAfterNanos = BreakerMachine.NOT_BEGUN;

    FullPermit(BreakerMachine machine, Snapshot issuer, long probe, long startedNanos) {
        super(machine, issuer);
        this.probe = probe;
        this.startedNanos = startedNanos;
    }

    @Override
    long probe() {
        return probe;
    }

    @Override
    long startedNanos() {
        return startedNanos;
    }

    @Override
    long begunAfterNanos() {
        return begunAfterNanos;
    }

    @Override
    public void answerBegan() {
        if (begunAfterNanos == BreakerMachine.NOT_BEGUN) {
            begunAfterNanos = machine.sinceNanos(startedNanos);
        }
    }
}
