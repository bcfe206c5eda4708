package dev.holdfast.core.internal.call;

import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Target;
import dev.holdfast.core.internal.call.Candidate.Account;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** What providers last said of their limits, for each account; every answer is heard, good or bad. */
final class RateLimits {
    private static final int MOST = 10_000;

    private final BoundedRegistry<Account, AtomicReference<Optional<RateLimitSnapshot>>> last =
            new BoundedRegistry<>(MOST, account -> new AtomicReference<>(Optional.empty()));

    /** Takes note of a snapshot, unless a later one is known: answers overtake each other. */
    void heard(Account account, RateLimitSnapshot snapshot) {
        last.get(account).accumulateAndGet(Optional.of(snapshot), RateLimits::later);
    }

    /** What was last said of the account. */
    Optional<RateLimitSnapshot> of(Account account) {
        return last.get(account).get();
    }

    /** What was last said of each target, by whatever key. */
    Map<Target, RateLimitSnapshot> byTarget() {
        var byTarget = new HashMap<Target, RateLimitSnapshot>();
        last.snapshot()
                .forEach((account, said) -> said.get()
                        .ifPresent(snapshot -> byTarget.merge(
                                account.target(), snapshot, (known, newer) -> isLater(newer, known) ? newer : known)));
        return Map.copyOf(byTarget);
    }

    private static Optional<RateLimitSnapshot> later(
            Optional<RateLimitSnapshot> known, Optional<RateLimitSnapshot> added) {
        boolean stale = known.isPresent() && added.isPresent() && isLater(known.get(), added.get());
        return stale ? known : added;
    }

    private static boolean isLater(RateLimitSnapshot one, RateLimitSnapshot other) {
        return one.takenAt().isAfter(other.takenAt());
    }
}
