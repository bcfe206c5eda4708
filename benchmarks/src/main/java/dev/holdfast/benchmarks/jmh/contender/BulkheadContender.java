package dev.holdfast.benchmarks.jmh.contender;

import dev.failsafe.Failsafe;
import dev.holdfast.core.Bulkhead;
import dev.holdfast.core.BulkheadPolicy;
import dev.holdfast.spi.Timekeeper;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.util.function.IntFunction;

/** Bulkheads in which nobody waits. */
public enum BulkheadContender {
    BARE(places -> Work::call),
    /** Whoever waited would be served in turn, and by priority. */
    HOLDFAST(places -> holdfast(places)::call),
    RESILIENCE4J(places -> resilience4j(places)::executeCallable),
    FAILSAFE(places -> Failsafe.with(failsafe(places))::get),
    HELIDON(places -> helidon(places)::invoke),
    SMALLRYE(places -> TypedGuard.create(Object.class)
            .with(guard -> smallrye(guard, places))
            .build()::call);

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final IntFunction<Guard> maker;

    BulkheadContender(IntFunction<Guard> maker) {
        this.maker = maker;
    }

    /**
     * {@return a bulkhead of this library}
     *
     * @param places how many may be inside
     */
    public Guard open(int places) {
        return maker.apply(places);
    }

    static Bulkhead holdfast(int places) {
        return Bulkhead.of("work", BulkheadPolicy.of(places).withMaxWait(Duration.ZERO), Timekeeper.system());
    }

    static io.github.resilience4j.bulkhead.Bulkhead resilience4j(int places) {
        return io.github.resilience4j.bulkhead.Bulkhead.of(
                "work",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(places)
                        .maxWaitDuration(Duration.ZERO)
                        .build());
    }

    static dev.failsafe.Bulkhead<Object> failsafe(int places) {
        return dev.failsafe.Bulkhead.of(places);
    }

    static io.helidon.faulttolerance.Bulkhead helidon(int places) {
        return io.helidon.faulttolerance.Bulkhead.builder()
                .name("work")
                .limit(places)
                .queueLength(0)
                .build();
    }

    static void smallrye(TypedGuard.Builder<Object> guard, int places) {
        guard.withBulkhead()
                .limit(places)
                .queueSize(1) // the least there is, and not used by calls on the caller's thread
                .done();
    }
}
