package dev.holdfast.core.internal.limit;

import static dev.holdfast.core.internal.limit.GrantLog.later;

import dev.holdfast.Priority;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All there is to know about a limiter at one moment, so that requests, tokens and concurrency are taken in one
 * compare-and-set or not at all.
 *
 * @param log what counts against the limits now
 * @param line who waits
 * @param inFlight grants that have not ended
 * @param nowNanos the latest time seen: a clock that goes back frees nothing
 * @param closedUntilNanos nothing is granted before: the provider said so
 * @param pacedUntilNanos nothing is granted before: grants keep a distance
 * @param outlook what the provider's answers said
 * @param open may be taken from while this is the state; null if none is open
 * @param served who was taken from the queue by the very step that led here
 */
public record LimitState(
        GrantLog log,
        Line line,
        long inFlight,
        long nowNanos,
        long closedUntilNanos,
        long pacedUntilNanos,
        Outlook outlook,
        @Nullable Allotment open,
        List<Served> served) {
    /** Beyond so many in the queue the wait is reckoned by sums, as the least that it can be. */
    private static final int ON_PAPER = 256;
    /** What remains below this asks for less than was measured, by the rule of that name. */
    private static final long LITTLE_LEFT = 50;

    private static final double OF_MEASURED = 0.8;

    /** A waiter that has its turn, and the index of what it was granted. */
    public record Served(Waiter waiter, long grant) {}

    public static LimitState initial(long nowNanos) {
        return new LimitState(
                GrantLog.EMPTY, Line.EMPTY, 0, nowNanos, nowNanos, nowNanos, Outlook.NOTHING, null, List.of());
    }

    /** Closes what is open, so that what was taken from it stands. Before one looks at the clock. */
    public void seal() {
        if (open != null) {
            open.seal();
        }
    }

    /** {@return this state at a later time: what has passed is forgotten, who can be served is served} */
    public LimitState at(Limits limits, long clockNanos) {
        long now = clockNanos - nowNanos > 0 ? clockNanos : nowNanos;
        GrantLog all = log;
        long running = inFlight;
        if (open != null && open.takenRequests() > 0) {
            long dated = open.untilNanos() - now > 0 ? now : open.untilNanos();
            all = all.joined(dated, open.takenRequests(), new Need(open.takenTokens(), 0));
            running += open.takenRequests() - open.ended();
        } else if (open != null) {
            running -= open.ended();
        }
        var state = new LimitState(
                all.at(limits, now), line, running, now, closedUntilNanos, pacedUntilNanos, outlook, null, List.of());
        return state.serve(limits);
    }

    private LimitState serve(Limits limits) {
        Waiter first = line.first();
        if (first == null || !fits(limits, first.need())) {
            return this;
        }
        LimitState state = this;
        var turns = new ArrayList<>(served);
        while (first != null && state.fits(limits, first.need())) {
            state = state.withLine(state.line.served()).taken(limits, first.need());
            turns.add(new Served(first, state.lastGrant()));
            first = state.line.first();
        }
        return state.withServed(List.copyOf(turns));
    }

    /** {@return whether a newcomer gets its turn now: it fits, and nobody is before it} */
    public boolean admits(Limits limits, Need need, Priority priority) {
        return line.isOpenTo(priority) && fits(limits, need);
    }

    /** {@return whether a newcomer is refused then, and time has changed nothing, so that this state may stay as it is} */
    public boolean refuses(Limits limits, Need need, long clockNanos) {
        long now = later(clockNanos, nowNanos);
        return isPlain() && !log.isOutdated(limits, now) && !fits(limits, need, now);
    }

    /** {@return whether nobody waits, nothing is open, and nothing was heard: only time can change what it refuses} */
    public boolean isPlain() {
        return open == null && line.isEmpty() && outlook.isNothing();
    }

    private boolean fits(Limits limits, Need need) {
        return fits(limits, need, nowNanos);
    }

    private boolean fits(Limits limits, Need need, long now) {
        return inFlight < limits.concurrency()
                && limits.canEverGrant(need)
                && earliest() - now <= 0
                && log.fits(outlook.bound(limits, now), need)
                && outlook.availableAtNanos(need, now) - now <= 0;
    }

    private Limits bound(Limits limits) {
        return outlook.bound(limits, nowNanos);
    }

    /** {@return this state with one more grant, at {@link #lastGrant()}} */
    public LimitState granted(Limits limits, Need need, Priority priority) {
        return withLine(line.passedBy(priority)).taken(limits, need);
    }

    private LimitState taken(Limits limits, Need need) {
        return new LimitState(
                log.with(limits, nowNanos, 1, need),
                line,
                inFlight + 1,
                nowNanos,
                closedUntilNanos,
                limits.paced() ? nowNanos + bound(limits).paceNanos(need) : pacedUntilNanos,
                outlook.spent(need, nowNanos),
                null,
                served);
    }

    /** {@return this state with an allotment that newcomers take from, or null where a grant has to be counted on its own} */
    public @Nullable LimitState opened(Limits limits, Need need) {
        boolean simple = limits.areRatesAlone() && outlook.isNothing() && line.isEmpty() && served.isEmpty();
        if (!simple || !log.joinsLast(limits, nowNanos)) {
            return null;
        }
        var allotment = new Allotment(
                free(limits, Weight.REQUESTS),
                free(limits, Weight.TOKENS),
                log.lastIndex(),
                log.joinsUntilNanos(limits, nowNanos));
        return allotment.take(need.total(), nowNanos)
                ? new LimitState(
                        log, line, inFlight, nowNanos, closedUntilNanos, pacedUntilNanos, outlook, allotment, served)
                : null;
    }

    private long free(Limits limits, Weight weight) {
        return limits.of(weight) == Limits.NONE ? Limits.NONE : limits.of(weight) - log.used(weight);
    }

    public long lastGrant() {
        return log.lastIndex();
    }

    public long used(Weight weight) {
        return log.used(weight);
    }

    public long logged() {
        return log.tree().count();
    }

    /** {@return the time from which a newcomer would be granted its request if nobody ended early; no later than that} */
    public long availableAtNanos(Limits limits, Need need, Priority priority) {
        Limits bound = bound(limits);
        long ahead = line.countAhead(priority);
        long at = later(earliest(), outlook.availableAtNanos(need, nowNanos));
        if (ahead == 0) {
            return later(at, freeAtNanos(bound, need));
        }
        return ahead <= ON_PAPER
                ? later(at, afterThoseAhead(bound, need, priority))
                : later(at, afterWindowsAhead(bound, need, priority));
    }

    private long freeAtNanos(Limits bound, Need need) {
        return log.freeAtNanos(bound, nowNanos, 1, need.total(), need.input(), need.output());
    }

    /** Grants those who wait, one after the other, on paper. */
    private long afterThoseAhead(Limits bound, Need need, Priority priority) {
        var paper = new Object() {
            GrantLog log = LimitState.this.log;
            long at = earliest();

            void grant(Need wanted) {
                var amount =
                        new Need(Math.min(wanted.input(), bound.input()), Math.min(wanted.output(), bound.output()));
                long total = Math.min(amount.total(), bound.tokens());
                at = later(at, outlook.availableAtNanos(wanted, nowNanos));
                at = later(at, log.freeAtNanos(bound, at, 1, total, amount.input(), amount.output()));
                log = log.at(bound, at).with(bound, at, 1, amount);
            }
        };
        line.forEachAhead(priority, waiter -> paper.grant(waiter.need()));
        paper.grant(need);
        return paper.at;
    }

    /** A long queue takes a window for every limit's worth of it. */
    private long afterWindowsAhead(Limits bound, Need need, Priority priority) {
        long at = nowNanos;
        for (Weight weight : Weight.values()) {
            long limit = bound.of(weight);
            if (limit != Limits.NONE) {
                long all = line.ahead(priority, weight) + need.of(weight);
                long windows = Math.max(0, all - 1) / limit;
                long rest = all - windows * limit;
                long first = log.freeAtNanos(
                        bound,
                        nowNanos,
                        weight == Weight.REQUESTS ? rest : 0,
                        weight == Weight.TOKENS ? rest : 0,
                        weight == Weight.INPUT ? rest : 0,
                        weight == Weight.OUTPUT ? rest : 0);
                at = later(
                        at, first + Math.min(windows, Long.MAX_VALUE / 4 / bound.windowNanos()) * bound.windowNanos());
            }
        }
        return at;
    }

    /** {@return before what time the waiter's turn cannot come if nobody ends early; exact for the first one's rates} */
    public long turnNanos(Limits limits, Waiter waiter) {
        if (line.first() != waiter) {
            return earliest();
        }
        long at = later(earliest(), outlook.availableAtNanos(waiter.need(), nowNanos));
        return later(at, freeAtNanos(bound(limits), waiter.need()));
    }

    /** {@return until when a waiter may sleep: the first one until its turn, where that is a matter of time} */
    public long wakeNanos(Limits limits, Waiter waiter, long giveUpNanos) {
        boolean timed = line.first() == waiter && inFlight < limits.concurrency();
        return timed ? turnNanos(limits, waiter) : giveUpNanos;
    }

    public boolean isWaiting(Waiter waiter, long index) {
        return line.holds(waiter.priority(), index);
    }

    public @Nullable Waiter first() {
        return line.first();
    }

    public long waiting() {
        return line.count();
    }

    public void forEachWaiter(java.util.function.Consumer<Waiter> action) {
        line.forEach(action);
    }

    private long earliest() {
        return later(nowNanos, later(closedUntilNanos, pacedUntilNanos));
    }

    /** {@return this state with one more waiter, at the end of its class; served at once if it can be} */
    public LimitState queued(Waiter waiter, Limits limits) {
        return withLine(line.plus(waiter)).serve(limits);
    }

    /** {@return the index of the waiter that came last in its class} */
    public long lastWaiter(Priority priority) {
        return line.lastIndex(priority);
    }

    /** {@return this state without the waiter; the next may be served} */
    public LimitState without(Waiter waiter, long index, Limits limits) {
        return withLine(line.without(waiter.priority(), index)).serve(limits);
    }

    /** {@return this state after a grant has ended: less used counts from when it was granted, more from now} */
    public LimitState ended(Limits limits, long grant, Need reserved, Need actual) {
        Need unused = reserved.beyond(actual);
        Need more = actual.beyond(reserved);
        GrantLog settled = unused.isNothing() ? log : log.without(grant, 0, unused);
        settled = more.isNothing() ? settled : settled.with(limits, nowNanos, 0, more);
        return with(settled, inFlight - 1, outlook).serve(limits);
    }

    /** {@return this state after a grant was given back unused} */
    public LimitState cancelled(Limits limits, long grant, Need reserved) {
        return with(log.without(grant, 1, reserved), inFlight - 1, outlook).serve(limits);
    }

    /** {@return this state, closed at least until then} */
    public LimitState closed(long untilNanos) {
        return new LimitState(
                log,
                line,
                inFlight,
                nowNanos,
                later(untilNanos, closedUntilNanos),
                pacedUntilNanos,
                outlook,
                open,
                served);
    }

    /**
     * {@return this state after the answer to a grant said what is left}
     *
     * @param measuring whether little left means less than was measured
     */
    @SuppressWarnings("ReferenceEquality") // whether it is unchanged
    public LimitState heard(Limits limits, long grant, Reading reading, boolean measuring) {
        Outlook next =
                outlook.updated(grant, reading, weight -> log.since(grant, weight), nowNanos, limits.windowNanos());
        if (measuring && next != outlook) {
            next = measured(next, reading.said().get(Weight.REQUESTS), limits);
        }
        return next == outlook ? this : with(log, inFlight, next).serve(limits);
    }

    /** What was measured while a measured limit was in force would be its own doing: it stands until its time is over. */
    private Outlook measured(Outlook heard, Reading.@Nullable Said requests, Limits limits) {
        if (requests == null || requests.left() == Limits.NONE) {
            return heard;
        }
        if (requests.left() >= LITTLE_LEFT) {
            return heard.withMeasured(Limits.NONE, nowNanos);
        }
        if (heard.isMeasured(nowNanos)) {
            return heard;
        }
        long reset = requests.resetNanos() < 0 ? limits.windowNanos() : requests.resetNanos();
        return heard.withMeasured(Math.max(1, (long) (OF_MEASURED * log.used(Weight.REQUESTS))), nowNanos + reset);
    }

    private LimitState with(GrantLog changed, long running, Outlook said) {
        return new LimitState(changed, line, running, nowNanos, closedUntilNanos, pacedUntilNanos, said, open, served);
    }

    @SuppressWarnings("ReferenceEquality") // whether it is unchanged
    private LimitState withLine(Line changed) {
        return changed == line
                ? this
                : new LimitState(
                        log, changed, inFlight, nowNanos, closedUntilNanos, pacedUntilNanos, outlook, open, served);
    }

    private LimitState withServed(List<Served> turns) {
        return new LimitState(log, line, inFlight, nowNanos, closedUntilNanos, pacedUntilNanos, outlook, open, turns);
    }
}
