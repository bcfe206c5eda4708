package dev.holdfast.core.internal.limit;

import dev.holdfast.Priority;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.LimitPolicy.Learning;
import dev.holdfast.core.internal.limit.LimitState.Served;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The one changing value of a limiter, and those who wait for it to change. */
public final class LimitCell {
    private static final int MOST_WOKEN = 1_000;
    /** Nobody asked how long it takes when it began. */
    public static final long NOT_TIMED = Long.MIN_VALUE;

    private final Duration window;
    private final Timekeeper time;
    private final AtomicReference<LimitState> current;
    private volatile LimitPolicy policy;
    private volatile Limits limits;
    private volatile @Nullable AtomicReference<AdaptiveState> adaptive;

    public LimitCell(LimitPolicy policy, Duration window, Timekeeper time) {
        this.policy = policy;
        this.window = window;
        this.limits = Limits.of(policy, window);
        this.adaptive = adaptive(policy);
        this.time = time;
        this.current = new AtomicReference<>(LimitState.initial(time.nanoTime()));
    }

    private static @Nullable AtomicReference<AdaptiveState> adaptive(LimitPolicy policy) {
        return policy.adaptive()
                .map(rule -> new AtomicReference<>(AdaptiveState.initial(rule)))
                .orElse(null);
    }

    public LimitPolicy policy() {
        return policy;
    }

    public void change(LimitPolicy changed) {
        policy = changed;
        limits = Limits.of(changed, window);
        adaptive = adaptive(changed);
        look();
        wakeAll();
    }

    /** {@return the need in the parts that are limited: where in and out are not told apart, all counts as one} */
    public Need need(long input, long output) {
        Limits bounds = limits;
        var need = new Need(input, output);
        return bounds.input() == Limits.NONE && bounds.output() == Limits.NONE ? new Need(need.total(), 0) : need;
    }

    /** What came of an attempt to take. */
    public sealed interface Taken {}

    /**
     * It was granted.
     *
     * @param grant its index
     * @param allotment what it was taken from; null where it is counted on its own
     */
    public record Grant(long grant, @Nullable Allotment allotment) implements Taken {}

    /**
     * It was not.
     *
     * @param state the state that did not admit it
     * @param limits the limits it was held against
     * @param clockNanos when it was
     */
    public record Denied(LimitState state, Limits limits, long clockNanos) implements Taken {}

    /** {@return the open allotment if the need was taken from it, else null: the short way, which changes no state} */
    public @Nullable Allotment takeOpen(Need need) {
        Allotment open = current.get().open();
        return open != null && open.take(need.total(), time.nanoTime()) ? open : null;
    }

    public Taken take(Need need, Priority priority) {
        while (true) {
            Limits bounds = bounds();
            LimitState seen = sealed();
            long clockNanos = time.nanoTime();
            if (seen.refuses(bounds, need, clockNanos)) {
                return new Denied(seen, bounds, clockNanos);
            }
            LimitState state = seen.at(bounds, clockNanos);
            boolean admits = state.admits(bounds, need, priority);
            LimitState opened = admits ? state.opened(bounds, need) : null;
            LimitState granted = admits && opened == null ? state.granted(bounds, need, priority) : state;
            LimitState next = opened != null ? opened : granted;
            if (replace(seen, next)) {
                return admits ? new Grant(next.lastGrant(), next.open()) : new Denied(state, bounds, clockNanos);
            }
        }
    }

    /** A waiter and its place in the queue, and until when it stays. */
    public record Place(Waiter waiter, long index, long giveUpNanos) {}

    /** Takes a place at the end of its class; it must be awaited. */
    public Place enter(Need need, Priority priority, long giveUpNanos) {
        var waiter = new Waiter(need, priority, time.newSignal());
        long index = update((state, bounds) -> state.queued(waiter, bounds)).lastWaiter(priority);
        return new Place(waiter, index, giveUpNanos);
    }

    public Taken await(Place place) throws InterruptedException {
        boolean ended = false;
        try {
            Taken taken = awaitTurn(place);
            ended = true;
            return taken;
        } finally {
            if (!ended && !leave(place)) {
                giveBack(place.waiter.grant(), place.waiter.need());
            }
        }
    }

    private Taken awaitTurn(Place place) throws InterruptedException {
        Waiter waiter = place.waiter;
        while (true) {
            Signal signal = time.newSignal();
            waiter.arm(signal);
            if (waiter.isServed()) { // asked after arming: whoever serves it from now on sets this signal
                return new Grant(waiter.grant(), null);
            }
            LimitState state = look();
            Limits bounds = bounds();
            if (!state.isWaiting(waiter, place.index)) {
                signal.await(); // served already: whoever did it is about to say so
            } else if (!isHopeless(state, bounds, place)) {
                signal.await(state.wakeNanos(bounds, waiter, place.giveUpNanos));
            } else if (leave(place)) {
                long clockNanos = time.nanoTime();
                return new Denied(look(), bounds, clockNanos);
            }
        }
    }

    private boolean isHopeless(LimitState state, Limits bounds, Place place) {
        return !bounds.canEverGrant(place.waiter.need())
                || time.nanoTime() - place.giveUpNanos >= 0
                || state.turnNanos(bounds, place.waiter) - place.giveUpNanos > 0;
    }

    /** {@return false if the waiter was served before} */
    private boolean leave(Place place) {
        boolean left = place.waiter.leave();
        if (left) {
            update((state, bounds) -> state.without(place.waiter, place.index, bounds));
        }
        return left;
    }

    public void closeFor(long nanos) {
        long untilNanos = time.nanoTime() + nanos;
        update((state, bounds) -> state.closed(untilNanos));
        wakeAll();
    }

    public void settle(long grant, Need reserved, Need actual) {
        update((state, bounds) -> state.ended(bounds, grant, reserved, actual));
        wakeFirst();
    }

    public void giveBack(long grant, Need reserved) {
        update((state, bounds) -> state.cancelled(bounds, grant, reserved));
        wakeFirst();
    }

    /** The answer to a grant said this. */
    public void hear(long grant, RateLimitSnapshot snapshot) {
        LimitPolicy rules = policy;
        Reading reading = Reading.of(snapshot, rules.instances());
        if (rules.learning() != Learning.OFF && !reading.isSilent()) {
            boolean measuring = rules.learning() == Learning.MEASURED;
            update((state, bounds) -> state.heard(bounds, grant, reading, measuring));
            wakeFirst();
        }
    }

    /** An attempt that began then ended just now. */
    public void sample(long startedNanos, boolean dropped) {
        AtomicReference<AdaptiveState> limit = adaptive;
        if (limit != null && startedNanos != NOT_TIMED) {
            long now = time.nanoTime();
            long inFlight = current.get().inFlight();
            limit.updateAndGet(state -> state.after(inFlight, startedNanos, now, dropped));
            look();
            wakeFirst();
        }
    }

    /** {@return when an attempt begins, for {@link #sample}} */
    public long startNanos() {
        return adaptive == null ? NOT_TIMED : time.nanoTime();
    }

    /** {@return how many attempts may be in flight now} */
    public long concurrency() {
        return bounds().concurrency();
    }

    /** {@return the state as of now, with everyone served whose turn has come} */
    public LimitState look() {
        return update((state, bounds) -> state);
    }

    private LimitState update(BiFunction<LimitState, Limits, LimitState> change) {
        while (true) {
            Limits bounds = bounds();
            LimitState seen = sealed();
            LimitState next = change.apply(seen.at(bounds, time.nanoTime()), bounds);
            if (replace(seen, next)) {
                return next;
            }
        }
    }

    private LimitState sealed() {
        LimitState seen = current.get();
        seen.seal();
        return seen;
    }

    private Limits bounds() {
        AtomicReference<AdaptiveState> limit = adaptive;
        return limit == null ? limits : limits.withConcurrency(limit.get().limit());
    }

    /** Only who wins the compare-and-set tells those it served, and wakes who comes first now, to see to its time. */
    private boolean replace(LimitState seen, LimitState next) {
        if (!current.compareAndSet(seen, next)) {
            return false;
        }
        next.served().forEach(this::tell);
        if (seen.first() != next.first()) {
            wakeFirst();
        }
        return true;
    }

    private void tell(Served served) {
        if (!served.waiter().tell(served.grant())) {
            giveBack(served.grant(), served.waiter().need());
        }
    }

    private void wakeFirst() {
        Waiter first = current.get().first();
        if (first != null) {
            first.wake();
        }
    }

    /** In a long queue each of them looks when it comes first, or when its time is over: not all at once. */
    private void wakeAll() {
        LimitState state = current.get();
        if (state.waiting() <= MOST_WOKEN) {
            state.forEachWaiter(Waiter::wake);
        } else {
            wakeFirst();
        }
    }
}
