package dev.holdfast.core.internal.limit;

import dev.holdfast.Priority;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.LimitPolicy.Learning;
import dev.holdfast.core.internal.limit.LimitState.Served;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.time.Duration;
import java.util.List;
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
    private volatile @Nullable Refusal refusal;

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

    /** {@return the open allotment if the tokens were taken from it, else null: the short way, which changes no state} */
    public @Nullable Allotment takeOpen(long tokens) {
        Allotment open = current.get().open();
        return open != null && open.take(tokens, time.nanoTime()) ? open : null;
    }

    /** {@return whether the tokens were taken from the open allotment by a grant that is over at once} */
    public boolean takeOpenForGood(long tokens) {
        Allotment open = current.get().open();
        return open != null && open.takeForGood(tokens, time.nanoTime());
    }

    /**
     * A refusal, which is the same again while the state is.
     *
     * @param state the state that refused
     * @param limits the limits it was held against
     * @param need what was refused
     * @param atNanos from when it would be granted
     */
    private record Refusal(LimitState state, Limits limits, Need need, long atNanos) {}

    /** Notes when what was refused is free, to say so again. */
    public void refused(Denied denied, Need need, long atNanos) {
        if (denied.state.isPlain()) {
            refusal = new Refusal(denied.state, denied.limits, need, atNanos);
        }
    }

    /** {@return how long until what was just refused is free; 0 where that is not known any more} */
    @SuppressWarnings("ReferenceEquality") // whether nothing has changed
    public long refusedForNanos(long input, long output) {
        Refusal last = refusal;
        if (last == null || last.state != current.get() || last.limits != limits) {
            return 0;
        }
        if (last.need.input() != input || last.need.output() != output) {
            return 0;
        }
        return Math.max(0, last.atNanos - time.nanoTime());
    }

    public Taken take(Need need, Priority priority) {
        while (true) {
            LimitState seen = sealed();
            Limits bounds = bounds(); // read after the state: who changes them replaces the state afterwards
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

    /** Goes from a place that nobody will await. */
    public void abandon(Place place) {
        if (!leave(place)) {
            giveBack(place.waiter.grant(), place.waiter.need());
        }
    }

    public Taken await(Place place) throws InterruptedException {
        boolean ended = false;
        try {
            Taken taken = awaitTurn(place);
            ended = true;
            return taken;
        } finally {
            if (!ended) {
                abandon(place);
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

    /** A grant that was taken from an allotment ended, and used all it took. */
    public void settle(Allotment source, long tokens) {
        if (!source.end(0)) {
            var need = new Need(tokens, 0);
            settle(source.index(), need, need);
        }
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
            LimitState seen = sealed();
            Limits bounds = bounds();
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

    /** Only who wins the compare-and-set tells those it served. */
    private boolean replace(LimitState seen, LimitState next) {
        boolean won = swap(seen, next);
        if (won) {
            tell(next.served());
        }
        return won;
    }

    /** Only who wins wakes who comes first now, to see to its time. */
    private boolean swap(LimitState seen, LimitState next) {
        boolean won = current.compareAndSet(seen, next);
        if (won && seen.first() != next.first()) {
            wakeFirst();
        }
        return won;
    }

    /** What is given back by those who have gone serves others, who may have gone too: not one within the other, they may be many. */
    private void tell(List<Served> served) {
        List<Served> turns = served;
        while (!turns.isEmpty()) {
            List<Served> gone = turns.stream()
                    .filter(each -> !each.waiter().tell(each.grant()))
                    .toList();
            turns = gone.isEmpty() ? gone : givenBack(gone).served();
        }
    }

    private LimitState givenBack(List<Served> gone) {
        while (true) {
            LimitState seen = sealed();
            Limits bounds = bounds();
            LimitState next = seen.at(bounds, time.nanoTime());
            for (Served each : gone) {
                next = next.cancelled(bounds, each.grant(), each.waiter().need());
            }
            if (swap(seen, next)) {
                return next;
            }
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
