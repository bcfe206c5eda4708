package dev.holdfast.benchmarks.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LedgerMemoryTest {
    @Test
    void aLedgerOfTenThousandTenantsStaysBelowTwentyMebibytes() {
        LedgerMemory.Weight weight = LedgerMemory.measure();
        System.out.println(weight);
        assertThat(weight.tenants()).isEqualTo(10_000);
        assertThat(weight.attempts()).isEqualTo(100_000);
        assertThat(weight.bytes()).isBetween(1L << 20, 20L << 20);
    }
}
