package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.Usage;
import dev.holdfast.routing.Budget.Exceeded;
import dev.holdfast.spi.SpendGuard.Decision;
import dev.holdfast.spi.SpendGuard.Granted;
import dev.holdfast.spi.SpendGuard.Refused;
import dev.holdfast.spi.SpendGuard.Reservation;
import dev.holdfast.spi.SpendGuard.SpendRequest;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BudgetsTest {
    private static final Budget DAY = Budget.perDay("day", new BigDecimal("1.00"));

    private final FixedTime time = new FixedTime(Instant.parse("2026-03-01T20:00:00Z"));

    private static SpendRequest attempt(CallOptions options, String usd) {
        return new SpendRequest(options, new Target("m", "e"), Optional.of(new Cost(new BigDecimal(usd))));
    }

    private static SpendRequest attempt(String usd) {
        return attempt(CallOptions.none(), usd);
    }

    private static Reservation granted(Decision decision) {
        assertThat(decision).isInstanceOf(Granted.class);
        return ((Granted) decision).reservation();
    }

    private Budgets budgets(Budget... budgets) {
        return Budgets.of(1_000, time, budgets);
    }

    private static Cost usd(String amount) {
        return new Cost(new BigDecimal(amount));
    }

    private static Budgets.Status status(Budgets budgets) {
        return budgets.statusOf(CallOptions.none()).getFirst();
    }

    @Test
    void whatWouldPassTheBudgetIsRefusedBeforeItIsSent() {
        Budgets budgets = budgets(DAY);
        granted(budgets.reserve(attempt("0.6")));
        assertThat(budgets.reserve(attempt("0.41"))).isEqualTo(new Refused("day", Optional.of(Duration.ofHours(4))));
        granted(budgets.reserve(attempt("0.4")));
        assertThat(status(budgets).left()).isEqualTo(Cost.ZERO);
    }

    @Test
    void whatItCostTakesThePlaceOfWhatWasSetAside() {
        Budgets budgets = budgets(DAY);
        Reservation reservation = granted(budgets.reserve(attempt("0.6")));
        reservation.settle(Optional.of(Spends.reported("0.1")));
        reservation.settle(Optional.of(Spends.reported("0.9")));
        assertThat(status(budgets).spent()).isEqualTo(usd("0.1"));
        assertThat(status(budgets).reserved()).isEqualTo(Cost.ZERO);
        granted(budgets.reserve(attempt("0.9"))).settle(Optional.empty());
        assertThat(status(budgets).left()).isEqualTo(usd("0.9"));
    }

    @Test
    void whatMayHaveBeenBilledCountsAndIsTold() {
        Budgets budgets = budgets(DAY);
        granted(budgets.reserve(attempt("0.6"))).settle(Optional.of(Spends.of(Spend.Basis.POSSIBLE, "0.6")));
        assertThat(status(budgets).spent()).isEqualTo(usd("0.6"));
        assertThat(status(budgets).possible()).isEqualTo(usd("0.6"));
    }

    @Test
    void anUnknownCostLeavesWhatWasSetAside() {
        Budgets budgets = budgets(DAY);
        Spend unpriced = new Spend(Usage.of(1, 1), Optional.empty(), Spend.Basis.REPORTED);
        granted(budgets.reserve(attempt("0.6"))).settle(Optional.of(unpriced));
        assertThat(status(budgets).spent()).isEqualTo(usd("0.6"));
    }

    @Test
    void anUnknownPriceIsRefusedAndAPriceOfZeroIsNot() {
        Budgets budgets = budgets(DAY.withExceeded(Exceeded.REFUSE));
        var unknown = new SpendRequest(CallOptions.none(), new Target("m", "e"), Optional.empty());
        assertThat(budgets.reserve(unknown)).isEqualTo(new Refused("day", Optional.empty()));
        granted(budgets.reserve(attempt("1")));
        granted(budgets.reserve(attempt("0")));
    }

    @Test
    void whatFitsIntoNoDayWillNotFitTomorrow() {
        assertThat(budgets(DAY).reserve(attempt("1.01"))).isEqualTo(new Refused("day", Optional.empty()));
    }

    @Test
    void aNewDayBeginsAtMidnightOfItsZone() {
        Budgets utc = budgets(DAY);
        Budgets seoul = budgets(DAY.withZone(ZoneId.of("Asia/Seoul")));
        granted(utc.reserve(attempt("1")));
        granted(seoul.reserve(attempt("1")));
        assertThat(status(seoul).day()).isEqualTo(LocalDate.of(2026, 3, 2));
        time.advance(Duration.ofHours(4));
        granted(utc.reserve(attempt("1")));
        assertThat(seoul.reserve(attempt("1"))).isEqualTo(new Refused("day", Optional.of(Duration.ofHours(15))));
        time.advance(Duration.ofHours(15));
        granted(seoul.reserve(attempt("1")));
    }

    @Test
    void whatWasSetAsideYesterdayIsYesterdays() {
        Budgets budgets = budgets(DAY);
        Reservation late = granted(budgets.reserve(attempt("0.7")));
        time.advance(Duration.ofHours(5));
        assertThat(status(budgets).left()).isEqualTo(usd("1"));
        granted(budgets.reserve(attempt("0.9")));
        late.settle(Optional.of(Spends.reported("0.7")));
        assertThat(status(budgets).left()).isEqualTo(usd("0.1"));
    }

    @Test
    void aClockSetBackHandsNoMoneyOutAgain() {
        Budgets budgets = budgets(DAY);
        time.advance(Duration.ofHours(5));
        granted(budgets.reserve(attempt("1")));
        time.advance(Duration.ofHours(-5));
        assertThat(budgets.reserve(attempt("0.5"))).isInstanceOf(Refused.class);
    }

    @Test
    void eachTenantAndEachTagHasItsOwn() {
        Budgets budgets = budgets(
                DAY.withScope(new Budget.EachTenant()),
                new Budget("team", new Budget.EachTag("team"), BigDecimal.TWO, Exceeded.REFUSE, ZoneId.of("UTC")));
        CallOptions acme = CallOptions.none().withTenant("acme").withTag("team", "a");
        CallOptions other = CallOptions.none().withTenant("other").withTag("team", "a");
        CallOptions third = CallOptions.none().withTenant("third").withTag("team", "a");
        granted(budgets.reserve(attempt(acme, "1")));
        assertThat(budgets.reserve(attempt(acme, "0.1")))
                .isEqualTo(new Refused("day", Optional.of(Duration.ofHours(4))));
        granted(budgets.reserve(attempt(other, "1")));
        assertThat(budgets.reserve(attempt(third, "0.1")))
                .isEqualTo(new Refused("team", Optional.of(Duration.ofHours(4))));
        assertThat(budgets.statusOf(third).getFirst().reserved())
                .as("set aside in all or in none")
                .isEqualTo(Cost.ZERO);
        granted(budgets.reserve(attempt("500")));
        assertThat(budgets.statusOf(CallOptions.none())).isEmpty();
    }

    @Test
    void oneTenantAndOneTagLeaveOthersAlone() {
        Budgets budgets =
                budgets(DAY.withScope(new Budget.OneTenant("acme")), DAY.withScope(new Budget.OneTag("team", "a")));
        granted(budgets.reserve(attempt(CallOptions.none().withTenant("other"), "5")));
        granted(budgets.reserve(attempt(CallOptions.none().withTag("team", "b"), "5")));
        assertThat(budgets.reserve(attempt(CallOptions.none().withTenant("acme"), "5")))
                .isInstanceOf(Refused.class);
        assertThat(budgets.reserve(attempt(CallOptions.none().withTag("team", "a"), "5")))
                .isInstanceOf(Refused.class);
    }

    @Test
    void aBudgetThatDowngradesRefusesNothing() {
        Budgets budgets = budgets(DAY.withExceeded(Exceeded.DOWNGRADE));
        granted(budgets.reserve(attempt("3"))).settle(Optional.of(Spends.reported("3")));
        assertThat(status(budgets).left()).isEqualTo(usd("-2"));
        assertThat(status(budgets).holds(usd("0.01"))).isFalse();
        granted(budgets.reserve(new SpendRequest(CallOptions.none(), new Target("m", "e"), Optional.empty())));
    }

    @Test
    void aFullBookForgetsYesterdayButNobodyOfToday() {
        Budgets budgets = Budgets.of(2, time, DAY.withScope(new Budget.EachTenant()));
        for (String tenant : List.of("a", "b")) {
            granted(budgets.reserve(attempt(CallOptions.none().withTenant(tenant), "1")));
        }
        CallOptions third = CallOptions.none().withTenant("c");
        assertThat(budgets.reserve(attempt(third, "0.1"))).isInstanceOf(Refused.class);
        assertThat(budgets.reserve(attempt(CallOptions.none().withTenant("a"), "0.1")))
                .isInstanceOf(Refused.class);
        time.advance(Duration.ofHours(4));
        granted(budgets.reserve(attempt(third, "0.1")));
        Budgets soft =
                Budgets.of(1, time, DAY.withScope(new Budget.EachTenant()).withExceeded(Exceeded.DOWNGRADE));
        granted(soft.reserve(attempt(CallOptions.none().withTenant("a"), "1")));
        granted(soft.reserve(attempt(third, "1"))).settle(Optional.empty());
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> Budget.perDay("x", new BigDecimal("-1")))
                .hasMessage("usdPerDay of x: -1 (expected: >= 0)");
        assertThatThrownBy(() -> Budget.perDay(" ", BigDecimal.ONE))
                .hasMessage("budget name: blank (expected: a name)");
        assertThatThrownBy(() -> Budgets.of(0, time, DAY)).hasMessage("mostKeys: 0 (expected: >= 1)");
    }

    /** Whatever is reserved, settled and given back in whatever order: the sums are those of a plain account. */
    @Property(tries = 300)
    void theBooksAreThoseOfAPlainAccount(@ForAll @Size(max = 60) List<@IntRange(max = 200) Integer> steps) {
        Budgets budgets = budgets(DAY);
        var open = new ArrayList<Reservation>();
        var amounts = new ArrayList<Integer>();
        int spent = 0;
        int reserved = 0;
        for (int step : steps) {
            if (step > 150 && !open.isEmpty()) {
                reserved -= amounts.removeFirst();
                spent += step - 151;
                open.removeFirst().settle(Optional.of(Spends.reported(cents(step - 151))));
            } else if (step > 100 && !open.isEmpty()) {
                reserved -= amounts.removeLast();
                open.removeLast().settle(Optional.empty());
            } else {
                Decision decision = budgets.reserve(attempt(cents(step)));
                assertThat(decision instanceof Granted).isEqualTo(spent + reserved + step <= 100);
                if (decision instanceof Granted(Reservation reservation)) {
                    open.add(reservation);
                    amounts.add(step);
                    reserved += step;
                }
            }
        }
        assertThat(status(budgets).spent()).isEqualTo(usd(cents(spent)));
        assertThat(status(budgets).reserved()).isEqualTo(usd(cents(reserved)));
    }

    private static String cents(int cents) {
        return BigDecimal.valueOf(cents, 2).toPlainString();
    }

    @Test
    @Tag("concurrency")
    void attemptsAtTheSameTimeCannotPassItTogether() throws InterruptedException {
        Budgets budgets = budgets(DAY, DAY.withScope(new Budget.EachTenant()));
        var granted = new ConcurrentLinkedQueue<Reservation>();
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 8; t++) {
            CallOptions tenant = CallOptions.none().withTenant("t" + t % 2);
            threads.add(Thread.startVirtualThread(() -> {
                for (int i = 0; i < 500; i++) {
                    if (budgets.reserve(attempt(tenant, "0.07")) instanceof Granted(Reservation reservation)) {
                        granted.add(reservation);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(granted).hasSize(14);
        assertThat(status(budgets).reserved()).isEqualTo(usd("0.98"));
        granted.forEach(each -> each.settle(Optional.empty()));
        assertThat(status(budgets).left()).isEqualTo(usd("1"));
    }
}
