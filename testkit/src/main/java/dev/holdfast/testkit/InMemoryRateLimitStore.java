package dev.holdfast.testkit;

import dev.holdfast.spi.RateLimitStore;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * A {@link RateLimitStore} in one process: what any other must do, as plainly as it can be said. A lease is counted as spent until
 * it is renewed, and for a whole window after its end where it is not; so what is spent in any window never exceeds the limit.
 *
 * <p>Each instance that asked within the last lease gets an even part of the limit, or what is left of it.
 */
public final class InMemoryRateLimitStore implements RateLimitStore {
    private static final Duration LENGTH = Duration.ofSeconds(1);

    private final Timekeeper time;
    private final Map<String, Account> accounts = new HashMap<>();

    /**
     * Creates a store in which nothing is spent.
     *
     * @param time its clock
     */
    public InMemoryRateLimitStore(Timekeeper time) {
        this.time = time;
    }

    @Override
    public synchronized Lease lease(LeaseRequest request) {
        Account account = accounts.computeIfAbsent(request.key(), key -> new Account());
        return new Lease(account.lease(request, time.nanoTime()), LENGTH);
    }

    /** One key's leases and what was spent. */
    private static final class Account {
        private final Deque<Spent> spent = new ArrayDeque<>();
        private final Map<String, Held> held = new HashMap<>();

        private record Spent(long nanos, long amount) {}

        /** What an instance may spend, and until when. */
        private record Held(long amount, long untilNanos) {}

        long lease(LeaseRequest request, long now) {
            end(request, now);
            long used = spent.stream().mapToLong(Spent::amount).sum()
                    + held.values().stream().mapToLong(Held::amount).sum();
            long part = Math.max(1, request.limit() / (held.size() + 1));
            long amount = Math.max(0, Math.min(part, request.limit() - used));
            held.put(request.instance(), new Held(amount, now + LENGTH.toNanos()));
            return amount;
        }

        /** Ends the lease of who asks, and those that nobody renewed. */
        private void end(LeaseRequest request, long now) {
            spent.removeIf(each -> now - each.nanos >= request.window().toNanos());
            held.remove(request.instance());
            if (request.spent() > 0) {
                spent.add(new Spent(now, request.spent()));
            }
            for (Iterator<Held> leases = held.values().iterator(); leases.hasNext(); ) {
                Held lease = leases.next();
                if (now - lease.untilNanos >= LENGTH.toNanos()) {
                    spent.add(new Spent(lease.untilNanos, lease.amount));
                    leases.remove();
                }
            }
        }
    }
}
