package dev.holdfast.cache.internal.idempotency;

import dev.holdfast.CallEvent.KeyConsulted;
import dev.holdfast.CallEvent.KeyOutcome;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.OnStoreFailure;
import dev.holdfast.cache.IdempotencyPolicy.WhenInFlight;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.cache.internal.store.StoreWarning;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.IdempotencyStore.Completed;
import dev.holdfast.spi.IdempotencyStore.Conflict;
import dev.holdfast.spi.IdempotencyStore.GivenAnswer;
import dev.holdfast.spi.IdempotencyStore.InFlight;
import dev.holdfast.spi.IdempotencyStore.Reservation;
import dev.holdfast.spi.IdempotencyStore.Reserved;
import dev.holdfast.spi.IdempotencyStore.Unknown;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Timekeeper;
import java.util.Objects;

/** Lets a call through whose key is its own to execute, gives the answer of one that was executed, and refuses the rest. */
public final class KeyGate {
    /** What a call may do that is not refused. */
    public sealed interface Pass {}

    /** Be executed, and say what came of it. */
    public record Execute(Execution execution) implements Pass {}

    /** Be answered with what was given before. */
    public record Replay(GivenAnswer given) implements Pass {}

    /** Be executed without anything being remembered. */
    public record Unguarded() implements Pass {}

    private final IdempotencyStore store;
    private final IdempotencyPolicy policy;
    private final Timekeeper timekeeper;
    private final StoreWarning warning;
    private final OwnExecutions executions;
    private final LeaseKeeper leases;

    /** A gate before a store. */
    public KeyGate(IdempotencyStore store, IdempotencyPolicy policy, Timekeeper timekeeper) {
        this.store = store;
        this.policy = policy;
        this.timekeeper = timekeeper;
        this.warning = new StoreWarning("idempotency store", timekeeper);
        this.executions = new OwnExecutions(timekeeper);
        this.leases = new LeaseKeeper(store, warning, timekeeper);
    }

    /** Decides on a call; waits where the policy says so. */
    public Pass enter(Call call, IdempotencyStore.Key key, String fingerprint) {
        for (int asked = 0; ; asked++) {
            Said said;
            try {
                said = ask(key, fingerprint);
            } catch (RuntimeException | Error e) {
                return withoutStore(call, e);
            }
            if (!(said.reservation() instanceof InFlight)) {
                return decide(call, key, said);
            }
            awaitOrRefuse(call, key, asked);
        }
    }

    /** What the store said, and whether of a key that had been in doubt. */
    private record Said(Reservation reservation, boolean again) {}

    private Said ask(IdempotencyStore.Key key, String fingerprint) {
        Reservation seen = store.reserve(key, fingerprint, policy.lifetime());
        boolean again = seen instanceof Unknown && policy.whenUnknown() == WhenUnknown.REPEAT;
        Reservation said = again ? store.takeOver(key, fingerprint, policy.lifetime()) : seen;
        return new Said(Objects.requireNonNull(said, "the store's answer"), again);
    }

    private Pass decide(Call call, IdempotencyStore.Key key, Said said) {
        return switch (said.reservation()) {
            case Reserved(String token) -> {
                tell(call, said.again() ? KeyOutcome.REPEATED : KeyOutcome.RESERVED);
                yield new Execute(new Execution(store, warning, executions, leases, key, token, said.again()));
            }
            case Completed(GivenAnswer given) -> {
                tell(call, KeyOutcome.REPLAYED);
                yield new Replay(given);
            }
            case Conflict() -> {
                tell(call, KeyOutcome.CONFLICT);
                throw Refusal.conflict(call.id());
            }
            case Unknown() -> {
                tell(call, KeyOutcome.UNKNOWN);
                throw Refusal.unknown(call.id());
            }
            case InFlight() -> throw new IllegalStateException("reservation: in flight (expected: waited for)");
        };
    }

    private void awaitOrRefuse(Call call, IdempotencyStore.Key key, int asked) {
        if (policy.whenInFlight() == WhenInFlight.REFUSE) {
            tell(call, KeyOutcome.IN_FLIGHT);
            throw Refusal.inFlight(call.id());
        }
        if (asked == 0) {
            tell(call, KeyOutcome.WAITING);
        }
        long deadlineNanos = call.patienceNanos();
        if (timekeeper.nanoTime() - deadlineNanos >= 0) {
            throw Refusal.tooLate(call.id());
        }
        try {
            executions.await(key, asked, deadlineNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusal.interrupted(call.id());
        }
    }

    private Pass withoutStore(Call call, Throwable error) {
        boolean proceeds = policy.onStoreFailure() == OnStoreFailure.PROCEED;
        warning.warn(
                "a key could not be reserved",
                error,
                proceeds ? "calls go on and may be executed twice" : "calls with a key are refused");
        tell(call, proceeds ? KeyOutcome.UNGUARDED : KeyOutcome.STORE_UNAVAILABLE);
        if (!proceeds) {
            throw Refusal.storeUnavailable(call.id(), error);
        }
        return new Unguarded();
    }

    private void tell(Call call, KeyOutcome outcome) {
        call.events().accept(new KeyConsulted(timekeeper.now(), call.id(), outcome));
    }

    @Override
    public String toString() {
        return policy + ", " + store;
    }
}
