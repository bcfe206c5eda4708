package dev.holdfast.core.internal.breaker;

import dev.holdfast.BreakerState;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.BreakerStore.BreakerSnapshot;
import dev.holdfast.spi.BreakerStore.Watch;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One breaker and what its fleet knows of it. What the store holds is replaced by compare-and-set against what was last seen there;
 * where another client was faster, its word is heard instead.
 */
public final class FleetLink implements FleetGate, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FleetLink.class);
    private static final Duration LEAST_RENEWAL = Duration.ofMillis(1);

    private final Fleet fleet;
    private final BreakerStore store;
    private final Timekeeper time;
    private final String key;
    private final BreakerMachine machine;
    private final AtomicBoolean claiming = new AtomicBoolean();
    private final AtomicBoolean renewing = new AtomicBoolean();
    private final AtomicReference<@Nullable Watch> watch = new AtomicReference<>();
    private final AtomicReference<@Nullable Task> leaseKeeper = new AtomicReference<>();
    private final Duration renewal;
    private volatile boolean left;
    private volatile boolean synced;
    /** The generation that the store held when it was last looked at; 0 for none. */
    private volatile long sharedGeneration;
    /** The local generation that the store knows of, or need not know of. */
    private volatile long settledGeneration;
    /** The half-open generation that was claimed or renewed last, perhaps without an answer yet. */
    private volatile long claimedGeneration;
    /** When the store was last told that this client probes. */
    private volatile long leasedNanos;

    FleetLink(Fleet fleet, BreakerStore store, Timekeeper time, String key, BreakerMachine machine) {
        this.fleet = fleet;
        this.store = store;
        this.time = time;
        this.key = key;
        this.machine = machine;
        this.renewal = renewalOf(machine.lease());
    }

    /** Two renewals may be lost before a lease is over. */
    private static Duration renewalOf(Duration lease) {
        Duration third = lease.dividedBy(3);
        return third.compareTo(LEAST_RENEWAL) < 0 ? LEAST_RENEWAL : third;
    }

    @Override
    public void moved() {
        fleet.poke(this);
    }

    /** While it has probes under way, a client that is alive says so again and again. */
    @Override
    public void probes() {
        if (isGone() || !renewing.compareAndSet(false, true)) {
            return;
        }
        leaseKeeper.set(fleet.start("holdfast-breaker-lease", this::keepLease, () -> renewing.set(false)));
        if (isGone()) {
            endLease();
        }
    }

    private void keepLease() {
        try {
            do {
                while (!isGone() && machine.isProbing()) {
                    if (isLeaseDue()) {
                        fleet.poke(this);
                    }
                    time.sleep(renewal);
                }
                renewing.set(false);
                // Who began to probe just before saw a thread at work and relies on it.
            } while (!isGone() && machine.isProbing() && renewing.compareAndSet(false, true));
        } catch (InterruptedException e) {
            renewing.set(false);
        }
    }

    private void endLease() {
        Task running = leaseKeeper.getAndSet(null);
        if (running != null) {
            running.interrupt();
        }
    }

    private boolean isGone() {
        return left || fleet.isClosed();
    }

    /** Asked on a call's thread: a store that is known to fail, or to be slow just now, is not waited for. */
    @Override
    public boolean mayProbe(BreakerSnapshot halfOpen) {
        if (fleet.isDown() || isGone() || !claiming.compareAndSet(false, true)) {
            return true;
        }
        Signal answered = time.newSignal();
        var taken = new AtomicBoolean();
        Runnable asking = () -> {
            try {
                taken.set(!claim(halfOpen));
            } catch (Throwable e) {
                fleet.fails(e);
                fleet.poke(this);
            } finally {
                claiming.set(false);
                answered.set();
            }
        };
        if (fleet.start("holdfast-breaker-probe", asking, () -> claiming.set(false)) == null) {
            return true;
        }
        try {
            answered.await(time.nanoTime() + PATIENCE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !taken.get();
    }

    private boolean claim(BreakerSnapshot halfOpen) {
        claimedGeneration = halfOpen.generation();
        if (!synced && hearsNews()) {
            return false;
        }
        long askedNanos = time.nanoTime();
        if (store.compareAndSet(key, sharedGeneration, halfOpen)) {
            settle(halfOpen.generation());
            leasedNanos = askedNanos;
            return true;
        }
        Optional<BreakerSnapshot> shared = store.load(key);
        hear(shared);
        return shared.isEmpty();
    }

    /** What others found out before this breaker joined may not be over yet. */
    private boolean hearsNews() {
        long before = machine.shared().generation();
        hear(store.load(key));
        return machine.shared().generation() != before;
    }

    /** Tells the store what it does not know, or hears what this client does not know. */
    void reconcile() {
        if (left) {
            return;
        }
        watchOnce();
        if (!synced) {
            hear(store.load(key));
        }
        BreakerSnapshot local = machine.shared();
        if (!isShared(local.state())) {
            hear(store.load(key));
        } else if (local.generation() != settledGeneration) {
            tell(local);
        } else if (local.state() == BreakerState.HALF_OPEN && machine.isProbing() && isLeaseDue()) {
            renew(local);
        } else {
            hear(store.load(key));
        }
    }

    private boolean isLeaseDue() {
        return time.nanoTime() - leasedNanos >= renewal.toNanos();
    }

    /** The same state under a new number, so that those who wait for this client's word begin to wait anew. */
    private void renew(BreakerSnapshot local) {
        var again = new BreakerSnapshot(local.state(), machine.newGeneration(), Duration.ZERO, local.openings());
        claimedGeneration = again.generation();
        long askedNanos = time.nanoTime();
        if (store.compareAndSet(key, sharedGeneration, again)) {
            sharedGeneration = again.generation();
            leasedNanos = askedNanos;
        } else {
            hear(store.load(key));
        }
    }

    private void tell(BreakerSnapshot local) {
        long askedNanos = time.nanoTime();
        if (store.compareAndSet(key, sharedGeneration, local)) {
            settle(local.generation());
            leasedNanos = askedNanos;
            return;
        }
        Optional<BreakerSnapshot> shared = store.load(key);
        long held = shared.map(BreakerSnapshot::generation).orElse(0L);
        boolean ours = held == local.generation() || (held == claimedGeneration && held != 0);
        if (ours || shared.isEmpty()) {
            sharedGeneration = held;
            if (held == local.generation() || store.compareAndSet(key, held, local)) {
                settle(local.generation());
                return;
            }
            shared = store.load(key);
            if (shared.isEmpty()) { // to tell it again at once would go on for ever
                throw new IllegalStateException(
                        "the store has nothing of " + key + ", and does not keep what it is told");
            }
        }
        hear(shared);
    }

    private void hear(Optional<BreakerSnapshot> shared) {
        synced = true;
        if (shared.isEmpty()) {
            sharedGeneration = 0;
            BreakerSnapshot local = machine.shared();
            if (local.state() == BreakerState.CLOSED || !isShared(local.state())) {
                settledGeneration = local.generation();
            } else {
                settledGeneration = 0;
                fleet.poke(this);
            }
        } else if (shared.get().generation() == claimedGeneration) { // its own word, before it has heard that it counts
            sharedGeneration = claimedGeneration;
        } else if (shared.get().generation() != sharedGeneration) {
            sharedGeneration = shared.get().generation();
            settledGeneration = machine.hear(shared.get());
        }
    }

    private void settle(long generation) {
        sharedGeneration = generation;
        settledGeneration = generation;
    }

    private static boolean isShared(BreakerState state) {
        return switch (state) {
            case CLOSED, OPEN, HALF_OPEN -> true;
            case FORCED_OPEN, DISABLED, METRICS_ONLY -> false;
        };
    }

    private void watchOnce() {
        if (watch.get() == null) {
            watch.set(store.watch(key, changed -> fleet.poke(this)));
            if (left) {
                endWatch();
            }
        }
    }

    private void endWatch() {
        Watch running = watch.getAndSet(null);
        if (running != null) {
            try {
                running.close();
            } catch (RuntimeException e) {
                LOG.debug("a watch of {} could not be ended", key, e);
            }
        }
    }

    /** The breaker goes on by itself. */
    @Override
    public void close() {
        left = true;
        fleet.leave(this);
        machine.join(FleetGate.ALONE);
        endLease();
        endWatch();
    }
}
