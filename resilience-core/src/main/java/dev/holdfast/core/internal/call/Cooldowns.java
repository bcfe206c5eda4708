package dev.holdfast.core.internal.call;

import dev.holdfast.FailureKind;
import dev.holdfast.core.internal.call.Candidate.Account;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who rests, and until when. A cooldown that the server asked for is obeyed by every call; one that we assume, since the
 * server did not say, only sends calls elsewhere while there is an elsewhere.
 */
final class Cooldowns {
    private static final int MOST = 10_000;
    /** Who is told to rest for longer is asked again after this: a field that errs must not shut an account for good. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Timekeeper timekeeper;
    private final ConcurrentHashMap<Account, Cooldown> byAccount = new ConcurrentHashMap<>();

    Cooldowns(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /**
     * A rest.
     *
     * @param untilNanos when it ends
     * @param kind why
     * @param suggested whether the server asked for it
     */
    record Cooldown(long untilNanos, FailureKind kind, boolean suggested) {}

    /** Lets an account rest, unless it rests longer already. Says whether this call began or prolonged the rest. */
    boolean start(Account account, Duration length, FailureKind kind, boolean suggested) {
        long now = timekeeper.nanoTime();
        var fresh = new Cooldown(now + bounded(length).toNanos(), kind, suggested);
        if (byAccount.size() >= MOST) {
            makeRoom(now);
        }
        return fresh.equals(byAccount.merge(account, fresh, (old, added) -> later(old, added, now)));
    }

    /** Drops what has ended, and one that has not where that is not enough: keys may come with every call. */
    private void makeRoom(long now) {
        byAccount.values().removeIf(cooldown -> cooldown.untilNanos - now <= 0);
        if (byAccount.size() >= MOST) {
            byAccount.keySet().stream().findFirst().ifPresent(byAccount::remove);
        }
    }

    Optional<Cooldown> of(Account account) {
        Cooldown cooldown = byAccount.get(account);
        if (cooldown == null) {
            return Optional.empty();
        }
        if (cooldown.untilNanos - timekeeper.nanoTime() > 0) {
            return Optional.of(cooldown);
        }
        byAccount.remove(account, cooldown);
        return Optional.empty();
    }

    /** The server's word outranks our assumption; of equals, the later one stands. */
    private static Cooldown later(Cooldown old, Cooldown added, long now) {
        boolean oldRuns = old.untilNanos - now > 0;
        if (!oldRuns || (added.suggested && !old.suggested)) {
            return added;
        }
        return (old.suggested && !added.suggested) || old.untilNanos - added.untilNanos >= 0 ? old : added;
    }

    /** {@return the length, at most a day} */
    static Duration bounded(Duration length) {
        return length.compareTo(LONGEST) > 0 ? LONGEST : length;
    }
}
