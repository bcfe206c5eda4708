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
    HOLDFAST(places ->
            Bulkhead.of("work", BulkheadPolicy.of(places).withMaxWait(Duration.ZERO), Timekeeper.system())::call),
    RESILIENCE4J(BulkheadContender::resilience4j),
    FAILSAFE(places -> Failsafe.with(dev.failsafe.Bulkhead.of(places))::get),
    HELIDON(places -> io.helidon.faulttolerance.Bulkhead.builder()
            .name("work")
            .limit(places)
            .queueLength(0)
            .build()::invoke),
    SMALLRYE(BulkheadContender::smallrye);

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

    private static Guard resilience4j(int places) {
        return io.github.resilience4j.bulkhead.Bulkhead.of(
                "work",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(places)
                        .maxWaitDuration(Duration.ZERO)
                        .build())::executeCallable;
    }

    private static Guard smallrye(int places) {
        return TypedGuard.create(Object.class)
                .withBulkhead()
                .limit(places)
                .queueSize(1) // the least there is, and not used by calls on the caller's thread
                .done()
                .build()::call;
    }
}
