package dev.holdfast.routing;

import static dev.holdfast.routing.Spends.reported;
import static dev.holdfast.routing.Spends.spent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Cost;
import dev.holdfast.FailureKind;
import dev.holdfast.Spend;
import dev.holdfast.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final FixedTime time = new FixedTime(Instant.EPOCH);
    private final Ledger ledger = Ledger.of(100, time);

    private static Cost usd(String amount) {
        return new Cost(new BigDecimal(amount));
    }

    @Test
    void whatIsSpentIsFoundByModelEndpointTenantAndTag() {
        ledger.onEvent(spent("a", reported("0.1"), Optional.of("acme"), Map.of("team", "search", "app", "x")));
        ledger.onEvent(spent("b", reported("0.2"), Optional.of("acme"), Map.of("team", "chat")));
        ledger.onEvent(spent("b", reported("0.7"), Optional.empty(), Map.of()));
        assertThat(ledger.total().cost()).isEqualTo(usd("1"));
        assertThat(ledger.total().isExact()).isTrue();
        assertThat(ledger.total().reported().usage()).isEqualTo(Usage.of(30, 15));
        assertThat(ledger.byModel().byName().keySet()).containsExactlyInAnyOrder("a", "b");
        assertThat(ledger.byModel().of("b").cost()).isEqualTo(usd("0.9"));
        assertThat(ledger.byEndpoint().of("e-a").cost()).isEqualTo(usd("0.1"));
        assertThat(ledger.byTenant().of("acme").cost()).isEqualTo(usd("0.3"));
        assertThat(ledger.byTag("team").of("chat").cost()).isEqualTo(usd("0.2"));
        assertThat(ledger.byTag("team").byName()).containsOnlyKeys("search", "chat");
        assertThat(ledger.byTag("app").of("x").attempts()).isEqualTo(1);
        assertThat(ledger.byTag("none").of("x")).isEqualTo(Totals.NONE);
    }

    @Test
    void whatMayHaveBeenBilledStandsApart() {
        ledger.onEvent(spent("m", reported("0.5")));
        ledger.onEvent(spent("m", Spends.of(Spend.Basis.POSSIBLE, "0.25")));
        ledger.onEvent(spent("m", Spends.of(Spend.Basis.ESTIMATED, "0.125")));
        Totals total = ledger.total();
        assertThat(total.cost()).isEqualTo(usd("0.625"));
        assertThat(total.possible().cost()).isEqualTo(usd("0.25"));
        assertThat(total.estimated().cost()).isEqualTo(usd("0.125"));
        assertThat(total.attempts()).isEqualTo(3);
        assertThat(total.exactAttempts()).isEqualTo(1);
        assertThat(total.isLowerBound()).isTrue();
        assertThat(total.isExact()).isFalse();
    }

    @Test
    void anEstimateAloneIsNoLowerBoundAndNotExact() {
        ledger.onEvent(spent("m", Spends.of(Spend.Basis.ESTIMATED, "1")));
        assertThat(ledger.total().isLowerBound()).isFalse();
        assertThat(ledger.total().isExact()).isFalse();
    }

    @Test
    void anUnknownPriceIsNoPriceOfZero() {
        ledger.onEvent(spent("m", new Spend(Usage.of(1, 1), Optional.empty(), Spend.Basis.REPORTED)));
        ledger.onEvent(spent("m", new Spend(Usage.of(1, 1), Optional.of(Cost.ZERO), Spend.Basis.REPORTED)));
        assertThat(ledger.total().reported().unpriced()).isEqualTo(1);
        assertThat(ledger.total().exactAttempts()).isEqualTo(1);
        assertThat(ledger.total().isLowerBound()).isTrue();
    }

    @Test
    void usageThatContradictsItselfIsKeptAndFlagged() {
        Usage odd = new Usage(0, 100, 0, 0, 0, true);
        ledger.onEvent(spent("m", new Spend(odd, Optional.of(usd("0.5")), Spend.Basis.REPORTED)));
        assertThat(ledger.total().cost()).isEqualTo(usd("0.5"));
        assertThat(ledger.total().reported().contradictory()).isEqualTo(1);
        assertThat(ledger.total().isExact()).isFalse();
    }

    @Test
    void anAttemptIsExactOnlyIfNeitherItsPriceNorItsUsageIsInDoubt() {
        Usage odd = new Usage(0, 100, 0, 0, 0, true);
        ledger.onEvent(spent("m", new Spend(odd, Optional.of(usd("0.5")), Spend.Basis.REPORTED)));
        ledger.onEvent(spent("m", new Spend(Usage.of(1, 1), Optional.empty(), Spend.Basis.REPORTED)));
        assertThat(ledger.total().exactAttempts()).isZero();
        ledger.onEvent(spent("m", new Spend(odd, Optional.empty(), Spend.Basis.REPORTED)));
        ledger.onEvent(spent("m", reported("0.5")));
        assertThat(ledger.total().exactAttempts()).isEqualTo(1);
    }

    @Test
    void whatCostsNothingIsNotInIt() {
        ledger.onEvent(Spends.failed("m", FailureKind.OVERLOADED));
        assertThat(ledger.total()).isEqualTo(Totals.NONE);
        assertThat(ledger.byModel().byName()).isEmpty();
    }

    @Test
    void tokensBeyondALongStayAtItsEnd() {
        Usage most = Usage.of(Long.MAX_VALUE, 1);
        for (int i = 0; i < 2; i++) {
            ledger.onEvent(spent("m", new Spend(most, Optional.of(Cost.ZERO), Spend.Basis.REPORTED)));
        }
        assertThat(ledger.total().reported().usage().total()).isEqualTo(Long.MAX_VALUE);
        assertThat(ledger.total().attempts()).isEqualTo(2);
    }

    @Test
    void whoWasIdleLongestGoesToTheOthersAndNothingIsLost() {
        Ledger small = Ledger.of(16, time);
        for (int i = 0; i < 40; i++) {
            time.advanceNanos(1);
            small.onEvent(spent("m", reported("1"), Optional.of("t" + i), Map.of()));
            time.advanceNanos(1);
            small.onEvent(spent("m", reported("1"), Optional.of("busy"), Map.of()));
        }
        Ledger.Breakdown tenants = small.byTenant();
        assertThat(tenants.byName()).hasSizeLessThanOrEqualTo(16).containsKeys("busy", "t39");
        assertThat(tenants.of("busy").cost()).isEqualTo(usd("40"));
        assertThat(tenants.of("t0")).isEqualTo(Totals.NONE);
        assertThat(tenants.others().attempts() + sum(tenants)).isEqualTo(80);
    }

    /** Any mix of names, however small the ledger: the parts add up to the whole. */
    @Property(tries = 200)
    void thePartsAddUpToTheWhole(
            @ForAll @Size(max = 200) List<@IntRange(max = 30) Integer> names,
            @ForAll @IntRange(min = 1, max = 20) int most) {
        Ledger any = Ledger.of(most, time);
        for (int name : names) {
            time.advanceNanos(1);
            any.onEvent(
                    spent("m" + name, reported("0." + (name + 1)), Optional.of("t" + name), Map.of("k", "v" + name)));
        }
        for (Ledger.Breakdown part : List.of(any.byModel(), any.byEndpoint(), any.byTenant(), any.byTag("k"))) {
            Totals sum = part.byName().values().stream().reduce(part.others(), Totals::plus);
            assertThat(sum).isEqualTo(any.total());
            assertThat(part.byName()).hasSizeLessThanOrEqualTo(most);
        }
        assertThat(any.total().attempts()).isEqualTo(names.size());
    }

    @Test
    @Tag("concurrency")
    void manyThreadsLoseNothing() throws InterruptedException {
        Ledger shared = Ledger.of(8, time);
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 4; t++) {
            int mine = t;
            threads.add(Thread.startVirtualThread(() -> {
                for (int i = 0; i < 5_000; i++) {
                    String name = "t" + (i * 7 + mine) % 20;
                    shared.onEvent(spent("m", reported("0.01"), Optional.of(name), Map.of("k", name)));
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(shared.total().cost()).isEqualTo(usd("200"));
        assertThat(shared.byTenant().others().attempts() + sum(shared.byTenant()))
                .isEqualTo(20_000);
        assertThat(shared.byTag("k").others().attempts() + sum(shared.byTag("k")))
                .isEqualTo(20_000);
    }

    private static long sum(Ledger.Breakdown breakdown) {
        return breakdown.byName().values().stream().mapToLong(Totals::attempts).sum();
    }
}
