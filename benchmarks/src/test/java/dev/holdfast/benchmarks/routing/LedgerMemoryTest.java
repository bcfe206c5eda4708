package dev.holdfast.benchmarks.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LedgerMemoryTest {
    @Test
    void aLedgerOfTenThousandTenantsStaysBelowTwentyMebibytes() {
        // The heap is that of other tests too: what ends of theirs meanwhile is taken off one measurement, not off
        // most.
        List<LedgerMemory.Weight> weights = Stream.generate(LedgerMemory::measure)
                .limit(5)
                .sorted(Comparator.comparingLong(LedgerMemory.Weight::bytes))
                .toList();
        System.out.println(weights);
        LedgerMemory.Weight weight = weights.get(2);
        assertThat(weight.tenants()).isEqualTo(10_000);
        assertThat(weight.attempts()).isEqualTo(100_000);
        assertThat(weight.bytes()).isBetween(1L << 20, 20L << 20);
    }
}
