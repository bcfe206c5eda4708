package dev.holdfast.routing.internal.budget;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The accounts of one budget, by key. Bounded: accounts of earlier days leave first, since they say nothing any more; while
 * all are of today a new key is refused, because to forget one of today would hand out its money again.
 */
public final class Accounts {
    private final BigDecimal limit;
    private final int most;
    private final ConcurrentHashMap<String, Account> byKey;

    /**
     * @param limit US dollars a day
     * @param most the most keys, at least 1; while others add theirs there may be a few more
     */
    public Accounts(BigDecimal limit, int most) {
        this(limit, most, new ConcurrentHashMap<>());
    }

    private Accounts(BigDecimal limit, int most, ConcurrentHashMap<String, Account> byKey) {
        this.limit = limit;
        this.most = most;
        this.byKey = byKey;
    }

    /** The same accounts under another limit. */
    public Accounts withLimit(BigDecimal changed) {
        return new Accounts(changed, most, byKey);
    }

    /** Sets an amount aside if it fits, or always; the day it belongs to, or empty where it does not fit. */
    public Optional<LocalDate> reserve(String key, LocalDate today, BigDecimal amount, boolean always) {
        if (!byKey.containsKey(key) && byKey.size() >= most && !makeRoom(today)) {
            return Optional.empty();
        }
        var granted = new LocalDate[1];
        byKey.compute(key, (each, before) -> {
            Account now = before == null ? Account.begin(today) : before.on(today);
            if (!always && !now.holds(amount, limit)) {
                return now;
            }
            granted[0] = now.day();
            return now.reserve(amount);
        });
        return Optional.ofNullable(granted[0]);
    }

    /** Puts a cost in the place of what was set aside. What belonged to an earlier day is that day's. */
    public void settle(String key, LocalDate day, BigDecimal reserved, BigDecimal cost, boolean perhaps) {
        byKey.computeIfPresent(key, (each, now) -> now.day().equals(day) ? now.settle(reserved, cost, perhaps) : now);
    }

    /** The account of a key today. */
    public Account of(String key, LocalDate today) {
        Account account = byKey.get(key);
        return account == null ? Account.begin(today) : account.on(today);
    }

    private boolean makeRoom(LocalDate today) {
        byKey.values().removeIf(account -> account.day().isBefore(today));
        return byKey.size() < most;
    }
}
