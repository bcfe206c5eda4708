package dev.holdfast.core.internal.health;

import dev.holdfast.HealthStatus;
import dev.holdfast.core.HealthPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The health of one endpoint, or of one model on it: a snapshot that is replaced whole, and a count. Lock-free. */
final class HealthRecord {
    private final HealthPolicy policy;
    private final AtomicReference<Vitals> vitals;
    private final AtomicInteger inFlight = new AtomicInteger();

    HealthRecord(HealthPolicy policy, long nowNanos) {
        this.policy = policy;
        this.vitals = new AtomicReference<>(Vitals.unknown(nowNanos));
    }

    /**
     * A change of standing.
     *
     * @param from what it was
     * @param to what it is
     */
    record Change(HealthStatus from, HealthStatus to) {
        boolean isNone() {
            return from == to;
        }
    }

    Change heard(Vitals.Heard heard, long nowNanos) {
        while (true) {
            Vitals before = vitals.get();
            Vitals after = before.after(heard, nowNanos, policy);
            if (vitals.compareAndSet(before, after)) {
                return new Change(before.status(nowNanos, policy), after.status(nowNanos, policy));
            }
        }
    }

    void began() {
        inFlight.incrementAndGet();
    }

    void ended() {
        inFlight.decrementAndGet();
    }

    /** Whether this call is the one that may try it now. Who wins is the only one until it has rested again. */
    boolean tryTrial(long nowNanos) {
        Vitals before = vitals.get();
        return before.isTrialDue(nowNanos, policy) && vitals.compareAndSet(before, before.tried(nowNanos));
    }

    boolean vouches(long nowNanos) {
        return vitals.get().vouches(nowNanos);
    }

    Optional<Duration> latency() {
        return vitals.get().calls().value();
    }

    HealthView view(long nowNanos) {
        Vitals now = vitals.get();
        return new HealthView(
                now.status(nowNanos, policy),
                now.calls().value(),
                now.calls().samples() == 0
                        ? Duration.ZERO
                        : Duration.ofNanos(Math.max(0, nowNanos - now.calls().atNanos())),
                now.vouched().map(at -> Duration.ofNanos(Math.max(0, nowNanos - at))),
                now.probes().value(),
                now.shares().errorRate(),
                now.shares().volume(nowNanos, policy.halfLife().toNanos()),
                Math.max(0, inFlight.get()),
                now.failures(),
                now.share(nowNanos, policy),
                now.markOf(nowNanos),
                now.isTrialDue(nowNanos, policy));
    }
}
