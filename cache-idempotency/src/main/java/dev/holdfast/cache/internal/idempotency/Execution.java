package dev.holdfast.cache.internal.idempotency;

import dev.holdfast.cache.internal.store.StoreWarning;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.IdempotencyStore.GivenAnswer;
import dev.holdfast.spi.Timekeeper.Signal;
import java.util.concurrent.atomic.AtomicBoolean;

/** The one execution of a key. Only its first end counts, in one of three ways; a store that fails then costs a warning. */
public final class Execution {
    private final IdempotencyStore store;
    private final StoreWarning warning;
    private final OwnExecutions executions;
    private final LeaseKeeper leases;
    private final IdempotencyStore.Key key;
    private final String token;
    private final boolean again;
    private final Signal signal;
    private final AtomicBoolean ended = new AtomicBoolean();

    Execution(
            IdempotencyStore store,
            StoreWarning warning,
            OwnExecutions executions,
            LeaseKeeper leases,
            IdempotencyStore.Key key,
            String token,
            boolean again) {
        this.store = store;
        this.warning = warning;
        this.executions = executions;
        this.leases = leases;
        this.key = key;
        this.token = token;
        this.again = again;
        this.signal = executions.begun(key);
        leases.begun(key, token);
    }

    /** With an answer. */
    public void answered(GivenAnswer answer) {
        tell(() -> store.complete(key, token, answer));
    }

    /** Without one, and the provider did nothing: the key is free again, unless an earlier execution left it in doubt. */
    public void notExecuted() {
        if (again) {
            inDoubt();
        } else {
            tell(() -> store.release(key, token));
        }
    }

    /** Without one, and the provider may have done the work. */
    public void inDoubt() {
        tell(() -> store.markUnknown(key, token));
    }

    private void tell(Runnable report) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        leases.ended(key, token);
        try {
            report.run();
        } catch (RuntimeException | Error e) {
            warning.warn("the end of a call could not be noted", e, "its key stays in flight until it is forgotten");
        } finally {
            executions.ended(key, signal);
        }
    }
}
