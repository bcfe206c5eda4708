package dev.holdfast.core.internal.limit;

import dev.holdfast.core.internal.limit.SumTree.Weight;
import java.util.ArrayList;
import java.util.List;

/**
 * All there is to know about a limiter at one moment, so that requests, tokens and concurrency are taken in one
 * compare-and-set or not at all.
 *
 * <p>What was granted stays in the log until its window has passed; the sums of the log are what is used. Up to
 * {@value #EXACT} grants each keep their own time; beyond that a grant joins the one before it if both lie within a small part
 * of the window, dated at the later of the two: memory is bounded, and the limit still holds.
 *
 * @param log what counts against the limits now
 * @param waiters who waits, first come first
 * @param inFlight grants that have not ended
 * @param nowNanos the latest time seen: a clock that goes back frees nothing
 * @param closedUntilNanos nothing is granted before
 * @param served who was taken from the queue by the very step that led here
 */
public record LimitState(
        SumTree<Grant> log,
        SumTree<Waiter> waiters,
        long inFlight,
        long nowNanos,
        long closedUntilNanos,
        List<Served> served) {
    static final int EXACT = 1024;
    private static final int PARTS = 4096;
    private static final long LARGEST_CHARGE = 1L << 50;

    /** Grants of one time. */
    public record Grant(long sinceNanos, long nanos) {}

    /** A waiter that has its turn, and the index of what it was granted. */
    public record Served(Waiter waiter, long grant) {}

    public static LimitState initial(long nowNanos) {
        return new LimitState(SumTree.empty(), SumTree.empty(), 0, nowNanos, nowNanos, List.of());
    }

    /** {@return this state at a later time: what has passed is forgotten, who can be served is served} */
    public LimitState at(Limits limits, long clockNanos) {
        long now = clockNanos - nowNanos > 0 ? clockNanos : nowNanos;
        SumTree<Grant> live = withoutPassed(log, limits, now);
        return new LimitState(live, waiters, inFlight, now, closedUntilNanos, List.of()).serve(limits);
    }

    private static SumTree<Grant> withoutPassed(SumTree<Grant> log, Limits limits, long now) {
        SumTree<Grant> live = log;
        Grant oldest = live.first();
        while (oldest != null && now - oldest.nanos >= limits.windowNanos()) {
            live = live.without(live.firstIndex());
            oldest = live.first();
        }
        return live;
    }

    private LimitState serve(Limits limits) {
        LimitState state = this;
        List<Served> turns = new ArrayList<>(0);
        Waiter first = state.waiters.first();
        while (first != null && state.fits(limits, first.tokens())) {
            state = state.withWaiters(state.waiters.without(state.waiters.firstIndex()))
                    .granted(limits, first.tokens());
            turns.add(new Served(first, state.lastGrant()));
            first = state.waiters.first();
        }
        return turns.isEmpty() ? this : state.withServed(List.copyOf(turns));
    }

    /** {@return whether a newcomer gets its turn now: it fits, and nobody waits} */
    public boolean admits(Limits limits, long tokens) {
        return waiters.isEmpty() && fits(limits, tokens);
    }

    private boolean fits(Limits limits, long tokens) {
        return closedUntilNanos - nowNanos <= 0
                && inFlight < limits.concurrency()
                && log.requests() < limits.requests()
                && log.tokens() <= limits.tokens() - tokens;
    }

    /** {@return this state with one more grant, at {@link #lastGrant()}} */
    public LimitState granted(Limits limits, long tokens) {
        return new LimitState(
                logged(log, limits, nowNanos, 1, tokens), waiters, inFlight + 1, nowNanos, closedUntilNanos, served);
    }

    public long lastGrant() {
        return log.lastIndex();
    }

    private static SumTree<Grant> logged(SumTree<Grant> log, Limits limits, long now, long requests, long tokens) {
        long index = log.lastIndex();
        var last = log.count() < EXACT ? null : log.leaf(index);
        if (last != null && last.item() != null && now - last.item().sinceNanos < limits.windowNanos() / PARTS) {
            var both = new Grant(last.item().sinceNanos, now);
            return log.with(index, both, last.requests() + requests, last.tokens() + tokens);
        }
        return log.plus(new Grant(now, now), requests, tokens);
    }

    /** {@return the time from which a newcomer would be granted its request if nobody ended early} */
    public long availableAtNanos(Limits limits, long tokens) {
        long requests = waiters.count() + 1;
        long all = waiters.tokens() + tokens;
        return requests <= limits.requests() && all <= limits.tokens()
                ? later(freeAtNanos(log, limits, requests, all), earliest())
                : availableAfterQueue(limits, tokens);
    }

    /** {@return before what time the waiter's turn cannot come if nobody ends early; exact for the first one's rates} */
    public long turnNanos(Limits limits, long index) {
        Waiter first = waiters.first();
        return first == null || waiters.firstIndex() != index
                ? earliest()
                : later(freeAtNanos(log, limits, 1, first.tokens()), earliest());
    }

    /** {@return until when a waiter may sleep: the first one until its turn, where that is a matter of time} */
    public long wakeNanos(Limits limits, long index, long giveUpNanos) {
        boolean timed = waiters.firstIndex() == index && inFlight < limits.concurrency();
        return timed ? turnNanos(limits, index) : giveUpNanos;
    }

    public boolean isWaiting(long index) {
        return waiters.leaf(index) != null;
    }

    /** Grants those who wait, one after the other, on paper: the queue holds more than a window. */
    private long availableAfterQueue(Limits limits, long tokens) {
        var paper = new Object() {
            SumTree<Grant> log = LimitState.this.log;
            long at = earliest();

            void grant(long wanted) {
                long amount = Math.min(wanted, limits.tokens());
                at = later(at, freeAtNanos(log, limits, 1, amount));
                log = logged(withoutPassed(log, limits, at), limits, at, 1, amount);
            }
        };
        waiters.forEach(waiter -> paper.grant(waiter.tokens()));
        paper.grant(tokens);
        return paper.at;
    }

    private long freeAtNanos(SumTree<Grant> used, Limits limits, long requests, long tokens) {
        long surplusRequests = used.requests() + requests - limits.requests();
        long surplusTokens = used.tokens() - (limits.tokens() - tokens);
        return later(
                freedAtNanos(used, limits, Weight.REQUESTS, surplusRequests),
                freedAtNanos(used, limits, Weight.TOKENS, surplusTokens));
    }

    private long freedAtNanos(SumTree<Grant> used, Limits limits, Weight weight, long surplus) {
        Grant last = surplus <= 0 ? null : used.reaching(weight, surplus);
        return last == null ? nowNanos : last.nanos + limits.windowNanos();
    }

    private long earliest() {
        return later(nowNanos, closedUntilNanos);
    }

    private static long later(long a, long b) {
        return a - b > 0 ? a : b;
    }

    /** {@return this state with one more waiter, at the end of the queue; served at once if it can be} */
    public LimitState queued(Waiter waiter, Limits limits) {
        return withWaiters(waiters.plus(waiter, 1, waiter.tokens())).serve(limits);
    }

    /** {@return this state without the waiter; the next may be served} */
    public LimitState without(long index, Limits limits) {
        return withWaiters(waiters.without(index)).serve(limits);
    }

    /** {@return this state after a grant has ended: less used counts from when it was granted, more from now} */
    public LimitState ended(Limits limits, long grant, long reserved, long actual) {
        SumTree<Grant> settled = actual > reserved
                ? logged(log, limits, nowNanos, 0, Math.min(LARGEST_CHARGE, actual - reserved))
                : reduced(grant, 0, reserved - actual);
        return new LimitState(settled, waiters, inFlight - 1, nowNanos, closedUntilNanos, served).serve(limits);
    }

    /** {@return this state after a grant was given back unused} */
    public LimitState cancelled(Limits limits, long grant, long reserved) {
        return new LimitState(reduced(grant, 1, reserved), waiters, inFlight - 1, nowNanos, closedUntilNanos, served)
                .serve(limits);
    }

    private SumTree<Grant> reduced(long index, long requests, long tokens) {
        var leaf = log.leaf(index);
        if (leaf == null || leaf.item() == null || (requests == 0 && tokens == 0)) {
            return log;
        }
        long leftRequests = leaf.requests() - requests;
        long leftTokens = leaf.tokens() - tokens;
        return leftRequests == 0 && leftTokens == 0
                ? log.without(index)
                : log.with(index, leaf.item(), leftRequests, leftTokens);
    }

    /** {@return this state, closed at least until then} */
    public LimitState closed(long untilNanos) {
        return new LimitState(log, waiters, inFlight, nowNanos, later(untilNanos, closedUntilNanos), served);
    }

    private LimitState withWaiters(SumTree<Waiter> changed) {
        return new LimitState(log, changed, inFlight, nowNanos, closedUntilNanos, served);
    }

    private LimitState withServed(List<Served> turns) {
        var all = new ArrayList<>(served);
        all.addAll(turns);
        return new LimitState(log, waiters, inFlight, nowNanos, closedUntilNanos, List.copyOf(all));
    }
}
