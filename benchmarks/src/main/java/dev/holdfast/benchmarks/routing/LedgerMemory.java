package dev.holdfast.benchmarks.routing;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.Cost;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.Usage;
import dev.holdfast.routing.Ledger;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Prints what a ledger of 10,000 tenants weighs, each with ten attempts of every certainty: the heap in use after a collection,
 * with it and without it.
 *
 * <pre>{@code
 * java -XX:+UseSerialGC -cp "benchmarks/target/classes:benchmarks/target/lib/*" \
 *     dev.holdfast.benchmarks.routing.LedgerMemory
 * }</pre>
 */
public final class LedgerMemory {
    private static final int TENANTS = 10_000;
    private static final List<Spend.Basis> BASES = List.of(Spend.Basis.values());

    private LedgerMemory() {}

    /** Runs it. */
    public static void main(String[] args) {
        System.out.println(measure());
    }

    /**
     * What it weighs.
     *
     * @param tenants how many tenants it keeps apart
     * @param attempts how many attempts it heard
     * @param bytes the heap it holds, names included
     */
    record Weight(int tenants, long attempts, long bytes) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "ledger of %,d tenants after %,d attempts: %,d KiB, %,d bytes a tenant, names included",
                    tenants,
                    attempts,
                    bytes / 1_024,
                    bytes / tenants);
        }
    }

    static Weight measure() {
        fill(Ledger.create());
        long before = used();
        Ledger ledger = Ledger.create();
        fill(ledger);
        long after = used();
        return new Weight(ledger.byTenant().byName().size(), ledger.total().attempts(), after - before);
    }

    private static void fill(Ledger ledger) {
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < TENANTS; i++) {
                ledger.onEvent(event("tenant-" + i, BASES.get(round % BASES.size()), round * TENANTS + i));
            }
        }
    }

    private static AttemptFinished event(String tenant, Spend.Basis basis, int number) {
        var cost = new Cost(BigDecimal.valueOf(2_130 + number, 8));
        var attempt = new Attempt(
                1,
                AttemptReason.FIRST,
                new Target("gpt-4.1", "openai"),
                Optional.empty(),
                Instant.EPOCH,
                Duration.ZERO,
                Duration.ofMillis(700),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Spend(Usage.of(300, 200), Optional.of(cost), basis)));
        return new AttemptFinished(Instant.EPOCH, "c", attempt, Optional.of(tenant), Map.of());
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
