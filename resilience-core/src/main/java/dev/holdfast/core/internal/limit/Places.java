package dev.holdfast.core.internal.limit;

import dev.holdfast.Priority;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

/** Places that are taken and given back, and those who wait for one. */
public final class Places {
    private final Timekeeper time;
    private final int maxQueued;
    private final AtomicReference<PlaceState> current;

    public Places(int limit, int maxQueued, Timekeeper time) {
        this.time = time;
        this.maxQueued = maxQueued;
        this.current = new AtomicReference<>(PlaceState.initial(limit));
    }

    public boolean tryTake() {
        Slots open = current.get().open();
        return open != null && (open.take() || takeSealed());
    }

    /** Somebody sealed what was open, and is about to replace it; unless it was full. */
    private boolean takeSealed() {
        while (true) {
            PlaceState seen = current.get();
            if (seen.open() == null) {
                return false;
            }
            if (seen.open().take()) {
                return true;
            }
            if (!seen.open().isSealed()) {
                return false;
            }
            replace(seen, seen.counted().settled());
        }
    }

    /** {@return whether a place was got before the time was over} */
    public boolean take(Priority priority, long waitNanos) throws InterruptedException {
        if (tryTake()) {
            return true;
        }
        if (waitNanos <= 0 || current.get().line().count() >= maxQueued) {
            return false;
        }
        long giveUpNanos = time.nanoTime() + waitNanos;
        Signal signal = time.newSignal();
        var waiter = new Waiter(Need.NOTHING, priority, signal);
        long index = update(state -> state.queued(waiter)).lastIndexOf(priority);
        boolean ended = false;
        try {
            boolean got = signal.await(giveUpNanos) || !leave(waiter, index);
            ended = true;
            return got;
        } finally {
            if (!ended && !leave(waiter, index)) {
                release();
            }
        }
    }

    /** {@return false if it was given a place before} */
    private boolean leave(Waiter waiter, long index) {
        boolean left = waiter.leave();
        if (left) {
            update(state -> state.without(waiter, index));
        }
        return left;
    }

    public void release() {
        Slots open = current.get().open();
        if (open == null || !open.giveBack()) {
            update(state -> state.released(1));
        }
    }

    /** Sets the number of places to what is given by then; nobody who has one loses it. */
    public void resize(IntSupplier limit) {
        update(state -> state.resized(limit.getAsInt()));
    }

    public int limit() {
        return current.get().limit();
    }

    public int inFlight() {
        return current.get().taken();
    }

    public long waiting() {
        return current.get().line().count();
    }

    private PlaceState update(UnaryOperator<PlaceState> change) {
        while (true) {
            PlaceState seen = current.get();
            PlaceState next = change.apply(seen.counted());
            if (replace(seen, next)) {
                return next;
            }
        }
    }

    /** What those give back who have gone serves others, who may have gone too: not one within the other, they may be many. */
    private boolean replace(PlaceState seen, PlaceState next) {
        if (!current.compareAndSet(seen, next)) {
            return false;
        }
        long unused = untaken(next);
        while (unused > 0) {
            PlaceState now = current.get();
            PlaceState without = now.counted().released((int) unused);
            if (current.compareAndSet(now, without)) {
                unused = untaken(without);
            }
        }
        return true;
    }

    /** Tells those who were served. {@return how many of them have gone} */
    private static long untaken(PlaceState state) {
        return state.served().stream().filter(waiter -> !waiter.tell(0)).count();
    }
}
