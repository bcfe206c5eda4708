package dev.holdfast.routing;

import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Spend;
import dev.holdfast.routing.Budget.Exceeded;
import dev.holdfast.routing.internal.budget.Account;
import dev.holdfast.routing.internal.budget.Accounts;
import dev.holdfast.spi.SpendGuard;
import dev.holdfast.spi.Timekeeper;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Budgets of money, kept before anything is sent: what an attempt may cost is set aside in every budget that its call is in,
 * or in none, and what it did cost takes its place when it has ended. So attempts at the same time cannot pass a budget
 * together; one that costs more than was estimated can, and the next is refused.
 *
 * <pre>{@code
 * Budgets budgets = Budgets.of(
 *         Budget.perDay("all", new BigDecimal("100")),
 *         Budget.perDay("tenants", new BigDecimal("5")).withScope(new Budget.EachTenant()));
 * var client = ResilientClient.builder().endpoint(endpoint).spendGuard(budgets).build();
 * }</pre>
 *
 * <p>What may have been billed counts. An attempt of unknown price is refused by a budget that refuses, since nothing can be
 * promised; one that downgrades lets it pass uncounted. Money that was set aside before midnight is yesterday's.
 *
 * <p>Thread-safe and exact. A budget for each tenant or tag keeps 100,000 of them in a day; one more is refused.
 */
public final class Budgets implements SpendGuard {
    private static final int MOST_KEYS = 100_000;

    private final int mostKeys;
    private final Timekeeper timekeeper;
    private final List<Kept> kept;

    private record Kept(Budget budget, Accounts accounts) {
        boolean refuses() {
            return budget.exceeded() == Exceeded.REFUSE;
        }

        LocalDate today(Instant now) {
            return LocalDate.ofInstant(now, budget.zone());
        }
    }

    private Budgets(int mostKeys, Timekeeper timekeeper, List<Kept> kept) {
        this.mostKeys = mostKeys;
        this.timekeeper = timekeeper;
        this.kept = List.copyOf(kept);
    }

    /**
     * {@return these budgets, nothing spent}
     *
     * @param budgets the budgets
     */
    public static Budgets of(Budget... budgets) {
        return of(MOST_KEYS, Timekeeper.system(), budgets);
    }

    /**
     * {@return these budgets, nothing spent}
     *
     * @param mostKeys how many tenants or values of a tag each budget keeps in a day, at least 1
     * @param timekeeper its wall time says when a day begins
     * @param budgets the budgets
     */
    public static Budgets of(int mostKeys, Timekeeper timekeeper, Budget... budgets) {
        if (mostKeys < 1) {
            throw new IllegalArgumentException("mostKeys: " + mostKeys + " (expected: >= 1)");
        }
        return new Budgets(
                mostKeys,
                timekeeper,
                Stream.of(budgets)
                        .map(budget -> new Kept(budget, new Accounts(budget.usdPerDay(), mostKeys)))
                        .toList());
    }

    /**
     * {@return other budgets, which go on with what was spent today under those of the same name, scope and zone, also where their
     * amount changed}. Attempts that these budgets let through are settled in both.
     *
     * @param changed the budgets
     */
    public Budgets continueAs(Budget... changed) {
        return new Budgets(
                mostKeys, timekeeper, Stream.of(changed).map(this::continued).toList());
    }

    private Kept continued(Budget budget) {
        return kept.stream()
                .filter(each -> each.budget().name().equals(budget.name())
                        && each.budget().scope().equals(budget.scope())
                        && each.budget().zone().equals(budget.zone()))
                .findFirst()
                .map(each -> new Kept(budget, each.accounts().withLimit(budget.usdPerDay())))
                .orElseGet(() -> new Kept(budget, new Accounts(budget.usdPerDay(), mostKeys)));
    }

    @Override
    public Decision reserve(SpendRequest request) {
        Instant now = timekeeper.now();
        var held = new ArrayList<Held>();
        for (Kept each : kept) {
            Optional<String> key = each.budget().scope().keyOf(request.options());
            if (key.isEmpty()) {
                continue;
            }
            Optional<Held> taken = take(each, key.get(), request.most(), now);
            taken.ifPresent(held::add);
            if (taken.isEmpty() && each.refuses()) {
                held.forEach(Held::giveBack);
                return new Refused(each.budget().name(), availableIn(each, request.most(), now));
            }
        }
        return new Granted(new SetAside(List.copyOf(held)));
    }

    private static Optional<Held> take(Kept each, String key, Optional<Cost> most, Instant now) {
        if (most.isEmpty() && each.refuses()) {
            return Optional.empty();
        }
        BigDecimal amount = most.map(Cost::usd).orElse(BigDecimal.ZERO);
        return each.accounts()
                .reserve(key, each.today(now), amount, !each.refuses())
                .map(day -> new Held(each.accounts(), key, day, amount));
    }

    /** What does not fit into a whole day will not fit tomorrow either. */
    private static Optional<Duration> availableIn(Kept each, Optional<Cost> most, Instant now) {
        return most.filter(cost -> cost.usd().compareTo(each.budget().usdPerDay()) <= 0)
                .map(cost -> Duration.between(
                        now,
                        each.today(now)
                                .plusDays(1)
                                .atStartOfDay(each.budget().zone())
                                .toInstant()));
    }

    /** What is set aside in one account. */
    private record Held(Accounts accounts, String key, LocalDate day, BigDecimal amount) {
        void giveBack() {
            accounts.settle(key, day, amount, BigDecimal.ZERO, false);
        }

        void settle(Spend spend) {
            BigDecimal cost = spend.cost().map(Cost::usd).orElse(amount);
            accounts.settle(key, day, amount, cost, spend.basis() == Spend.Basis.POSSIBLE);
        }
    }

    /** What is set aside in all accounts for one attempt. */
    private static final class SetAside implements Reservation {
        private final List<Held> held;
        private final AtomicBoolean settled = new AtomicBoolean();

        SetAside(List<Held> held) {
            this.held = held;
        }

        @Override
        public void settle(Optional<Spend> spend) {
            if (settled.compareAndSet(false, true)) {
                held.forEach(each -> spend.ifPresentOrElse(each::settle, each::giveBack));
            }
        }
    }

    /**
     * {@return the budgets that a call is in, as they stand now, in the order they were given}
     *
     * @param options the call's options
     */
    public List<Status> statusOf(CallOptions options) {
        Instant now = timekeeper.now();
        var all = new ArrayList<Status>();
        for (Kept each : kept) {
            each.budget()
                    .scope()
                    .keyOf(options)
                    .map(key -> each.accounts().of(key, each.today(now)))
                    .ifPresent(account -> all.add(status(each.budget(), account)));
        }
        return List.copyOf(all);
    }

    private static Status status(Budget budget, Account account) {
        return new Status(
                budget,
                account.day(),
                new Cost(account.spent()),
                new Cost(account.possible()),
                new Cost(account.reserved()));
    }

    /**
     * How a budget stands for one call.
     *
     * @param budget the budget
     * @param day the day
     * @param spent what attempts cost today, with what they may have cost
     * @param possible how much of that brought no answer and may have been billed
     * @param reserved what attempts in flight may cost
     */
    public record Status(Budget budget, LocalDate day, Cost spent, Cost possible, Cost reserved) {
        /** {@return what is left today; negative once it is overspent} */
        public Cost left() {
            return new Cost(budget.usdPerDay().subtract(spent.usd()).subtract(reserved.usd()));
        }

        /**
         * {@return whether an attempt fits}
         *
         * @param cost what it may cost
         */
        public boolean holds(Cost cost) {
            return left().usd().compareTo(cost.usd()) >= 0;
        }
    }

    @Override
    public String toString() {
        return "Budgets" + kept.stream().map(each -> each.budget().name()).toList();
    }
}
