package dev.holdfast.cache.internal.response;

import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.cache.CacheStatistics;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a cache did. */
public final class Counters {
    private final Map<CacheOutcome, LongAdder> outcomes = new EnumMap<>(CacheOutcome.class);
    private final LongAdder stored = new LongAdder();
    private final LongAdder notStored = new LongAdder();
    private final LongAdder storeFailures = new LongAdder();

    /** Everything at zero. */
    public Counters() {
        for (CacheOutcome outcome : CacheOutcome.values()) {
            outcomes.put(outcome, new LongAdder());
        }
    }

    /** Counts what a call found. */
    public void count(CacheOutcome outcome) {
        of(outcome).increment();
    }

    void countStored() {
        stored.increment();
    }

    void countNotStored() {
        notStored.increment();
    }

    void countStoreFailure() {
        storeFailures.increment();
    }

    /** The counts as of now. */
    public CacheStatistics snapshot() {
        return new CacheStatistics(
                of(CacheOutcome.HIT).sum(),
                of(CacheOutcome.MISS).sum(),
                of(CacheOutcome.JOINED).sum(),
                of(CacheOutcome.STALE).sum(),
                of(CacheOutcome.BYPASS).sum(),
                stored.sum(),
                notStored.sum(),
                storeFailures.sum());
    }

    /** Every outcome has its counter from the start. */
    @SuppressWarnings("NullAway")
    private LongAdder of(CacheOutcome outcome) {
        return outcomes.get(outcome);
    }
}
