package dev.holdfast.core;

import dev.holdfast.core.internal.limit.LimitState;
import dev.holdfast.core.internal.limit.LimitState.Served;
import dev.holdfast.core.internal.limit.Limits;
import dev.holdfast.core.internal.limit.Waiter;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/**
 * Keeps attempts within a target's limits: requests and tokens within any minute, and attempts in flight. All three are
 * taken together or not at all. Who has to wait is served first come, first served: a small request does not overtake a
 * large one.
 *
 * <pre>{@code
 * var limiter = RateLimiter.of("gpt-4.1", LimitPolicy.perMinute(500, 1_000_000), Timekeeper.system());
 * switch (limiter.acquire(1_200)) {
 *     case Granted(Reservation reservation) -> {
 *         var answer = ask();
 *         reservation.settle(answer.tokens());
 *     }
 *     case Refused refused -> later(refused.availableIn());
 * }
 * }</pre>
 *
 * <p>The window slides: whatever minute one looks at, what was granted in it never exceeds the limit. What a reservation
 * turned out not to need is free again at once; what it used beyond its estimate counts from when that is known.
 *
 * <p>Safe for use by any number of threads; only {@code acquire} waits.
 */
public final class RateLimiter {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(365);

    private final String name;
    private final Duration window;
    private final Timekeeper timekeeper;
    private final AtomicReference<LimitState> current;
    private volatile LimitPolicy policy;
    private volatile Limits limits;

    private RateLimiter(String name, LimitPolicy policy, Duration window, Timekeeper timekeeper) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
        this.name = name;
        this.policy = policy;
        this.window = window;
        this.limits = Limits.of(policy, window);
        this.timekeeper = timekeeper;
        this.current = new AtomicReference<>(LimitState.initial(timekeeper.nanoTime()));
    }

    /**
     * {@return a limiter of which nothing is used yet}
     *
     * @param name what it guards, for messages
     * @param policy the limits
     * @param timekeeper its clock, and how its waiters wait
     */
    public static RateLimiter of(String name, LimitPolicy policy, Timekeeper timekeeper) {
        return of(name, policy, MINUTE, timekeeper);
    }

    static RateLimiter of(String name, LimitPolicy policy, Duration window, Timekeeper timekeeper) {
        return new RateLimiter(name, policy, window, timekeeper);
    }

    /** {@return what it guards} */
    public String name() {
        return name;
    }

    /** {@return the limits in force} */
    public LimitPolicy policy() {
        return policy;
    }

    /**
     * Changes the limits. What was granted before counts against the new ones, and is not taken back.
     *
     * @param changed the new limits
     */
    public void change(LimitPolicy changed) {
        policy = changed;
        limits = Limits.of(changed, window);
        look();
        wakeAll();
    }

    /**
     * Reserves one request and its tokens, waiting at most as long as the policy says.
     *
     * @param tokens how many tokens it will take, input and output together; not negative
     * @return the reservation, which must be ended, or why there is none
     * @throws InterruptedException if the thread is interrupted while it waits; nothing is reserved then
     */
    public Admission acquire(long tokens) throws InterruptedException {
        return acquire(tokens, policy.maxWait());
    }

    /**
     * Reserves one request and its tokens.
     *
     * @param tokens how many tokens it will take, input and output together; not negative
     * @param maxWait how long it may wait for its turn; if it is known to take longer, the refusal comes at once
     * @return the reservation, which must be ended, or why there is none
     * @throws InterruptedException if the thread is interrupted while it waits; nothing is reserved then
     */
    public Admission acquire(long tokens, Duration maxWait) throws InterruptedException {
        return acquire(tokens, timekeeper.nanoTime(), nanos(maxWait));
    }

    /**
     * Reserves one request and its tokens before a deadline.
     *
     * @param tokens how many tokens it will take, input and output together; not negative
     * @param maxWait how long it may wait for its turn
     * @param deadlineNanos until when it may wait, on {@link Timekeeper#nanoTime()}
     * @return the reservation, which must be ended, or why there is none
     * @throws InterruptedException if the thread is interrupted while it waits; nothing is reserved then
     */
    public Admission acquire(long tokens, Duration maxWait, long deadlineNanos) throws InterruptedException {
        long now = timekeeper.nanoTime();
        return acquire(tokens, now, Math.min(nanos(maxWait), deadlineNanos - now));
    }

    private Admission acquire(long tokens, long nowNanos, long patienceNanos) throws InterruptedException {
        Admission now = tryAcquire(tokens);
        return now instanceof Refused refused && !refused.outlasts(patienceNanos)
                ? queue(tokens, nowNanos + patienceNanos)
                : now;
    }

    /**
     * Reserves one request and its tokens without waiting.
     *
     * @param tokens how many tokens it will take, input and output together; not negative
     * @return the reservation, which must be ended, or why there is none
     */
    public Admission tryAcquire(long tokens) {
        if (tokens < 0) {
            throw new IllegalArgumentException("tokens: " + tokens + " (expected: >= 0)");
        }
        while (true) {
            Limits bounds = limits;
            LimitState seen = current.get();
            LimitState state = seen.at(bounds, timekeeper.nanoTime());
            boolean admits = state.admits(bounds, tokens);
            LimitState next = admits ? state.granted(bounds, tokens) : state;
            if (replace(seen, next)) {
                return admits ? granted(next.lastGrant(), tokens) : refused(state, bounds, tokens);
            }
        }
    }

    private Admission queue(long tokens, long giveUpNanos) throws InterruptedException {
        var waiter = new Waiter(tokens, timekeeper.newSignal());
        long index = update((state, bounds) -> state.queued(waiter, bounds))
                .waiters()
                .lastIndex();
        boolean ended = false;
        try {
            Admission admission = await(waiter, index, giveUpNanos);
            ended = true;
            return admission;
        } finally {
            if (!ended) {
                abandon(waiter, index);
            }
        }
    }

    private Admission await(Waiter waiter, long index, long giveUpNanos) throws InterruptedException {
        while (true) {
            Signal signal = timekeeper.newSignal();
            waiter.arm(signal);
            if (waiter.isServed()) { // asked after arming: whoever serves it from now on sets this signal
                return granted(waiter.grant(), waiter.tokens());
            }
            LimitState state = look();
            Limits bounds = limits;
            if (!state.isWaiting(index)) {
                signal.await(); // served already: whoever did it is about to say so
            } else if (!isHopeless(state, bounds, waiter, index, giveUpNanos)) {
                signal.await(state.wakeNanos(bounds, index, giveUpNanos));
            } else if (leave(waiter, index)) {
                return refused(look(), bounds, waiter.tokens());
            }
        }
    }

    private boolean isHopeless(LimitState state, Limits bounds, Waiter waiter, long index, long giveUpNanos) {
        return !bounds.canEverGrant(waiter.tokens())
                || timekeeper.nanoTime() - giveUpNanos >= 0
                || state.turnNanos(bounds, index) - giveUpNanos > 0;
    }

    /** {@return false if the waiter was served before} */
    private boolean leave(Waiter waiter, long index) {
        boolean left = waiter.leave();
        if (left) {
            update((state, bounds) -> state.without(index, bounds));
        }
        return left;
    }

    private void abandon(Waiter waiter, long index) {
        if (!leave(waiter, index)) {
            giveBack(waiter.grant(), waiter.tokens());
        }
    }

    private Granted granted(long grant, long tokens) {
        return new Granted(new Reservation(this, grant, tokens));
    }

    private Refused refused(LimitState state, Limits bounds, long tokens) {
        if (!bounds.canEverGrant(tokens)) {
            return new Refused(Cause.REQUEST_TOO_LARGE, Optional.empty());
        }
        long atNanos = state.availableAtNanos(bounds, tokens);
        return atNanos - state.nowNanos() > 0
                ? new Refused(Cause.RATE, Optional.of(Duration.ofNanos(Math.max(0, atNanos - timekeeper.nanoTime()))))
                : new Refused(Cause.CONCURRENCY, Optional.empty());
    }

    /**
     * Grants nothing for a while: the provider said so. Who waits and cannot wait that long is refused at once.
     *
     * @param delay for how long; a shorter one than is in force changes nothing
     */
    public void closeFor(Duration delay) {
        long untilNanos = timekeeper.nanoTime() + nanos(delay);
        update((state, bounds) -> state.closed(untilNanos));
        wakeAll();
    }

    private void settle(long grant, long reserved, long actual) {
        update((state, bounds) -> state.ended(bounds, grant, reserved, actual));
        wakeFirst();
    }

    private void giveBack(long grant, long reserved) {
        update((state, bounds) -> state.cancelled(bounds, grant, reserved));
        wakeFirst();
    }

    /** {@return the state as of now, with everyone served whose turn has come} */
    private LimitState look() {
        return update((state, bounds) -> state);
    }

    private LimitState update(BiFunction<LimitState, Limits, LimitState> change) {
        while (true) {
            Limits bounds = limits;
            LimitState seen = current.get();
            LimitState next = change.apply(seen.at(bounds, timekeeper.nanoTime()), bounds);
            if (replace(seen, next)) {
                return next;
            }
        }
    }

    /** Only who wins the compare-and-set tells those it served, and wakes who comes first now, to see to its time. */
    private boolean replace(LimitState seen, LimitState next) {
        if (!current.compareAndSet(seen, next)) {
            return false;
        }
        next.served().forEach(this::tell);
        if (seen.waiters().firstIndex() != next.waiters().firstIndex()) {
            wakeFirst();
        }
        return true;
    }

    private void tell(Served served) {
        if (!served.waiter().tell(served.grant())) {
            giveBack(served.grant(), served.waiter().tokens());
        }
    }

    private void wakeFirst() {
        Waiter first = current.get().waiters().first();
        if (first != null) {
            first.wake();
        }
    }

    private void wakeAll() {
        current.get().waiters().forEach(Waiter::wake);
    }

    /** {@return what there is to see, as of one moment} */
    public Status status() {
        LimitState state = look();
        return new Status(
                name,
                state.log().requests(),
                state.log().tokens(),
                state.inFlight(),
                state.waiters().count(),
                Duration.ofNanos(Math.max(0, state.closedUntilNanos() - state.nowNanos())));
    }

    long logEntries() {
        return look().log().count();
    }

    /** {@return name and limits} */
    @Override
    public String toString() {
        return "RateLimiter[" + name + ", " + policy + "]";
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : Math.max(0, duration.toNanos());
    }

    /** What {@code acquire} says. */
    public sealed interface Admission {}

    /**
     * The request may be sent.
     *
     * @param reservation what it took; ends with the attempt
     */
    public record Granted(Reservation reservation) implements Admission {}

    /**
     * The request may not be sent now.
     *
     * @param cause what is in the way
     * @param availableIn how long until the same request would be granted if nobody else came; empty where nobody can know
     */
    public record Refused(Cause cause, Optional<Duration> availableIn) implements Admission {
        private boolean outlasts(long patienceNanos) {
            return patienceNanos <= 0
                    || cause == Cause.REQUEST_TOO_LARGE
                    || availableIn.map(in -> in.toNanos() > patienceNanos).orElse(false);
        }
    }

    /** What is in the way of a request. */
    public enum Cause {
        /** Requests or tokens of the last minute, or the provider's wish. */
        RATE,
        /** The attempts in flight. */
        CONCURRENCY,
        /** The request alone takes more tokens than a minute has: it will never be granted. */
        REQUEST_TOO_LARGE
    }

    /** What one attempt took. It ends once, in one of three ways; ending it again does nothing. */
    public static final class Reservation {
        private final RateLimiter limiter;
        private final long grant;
        private final long tokens;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Reservation(RateLimiter limiter, long grant, long tokens) {
            this.limiter = limiter;
            this.grant = grant;
            this.tokens = tokens;
        }

        /** {@return the tokens that were reserved} */
        public long tokens() {
            return tokens;
        }

        /** The attempt was sent, and nobody knows what it used: the estimate stands. */
        public void settle() {
            settle(tokens);
        }

        /**
         * The attempt was sent, and this is what it used.
         *
         * @param actual tokens, input and output together; less than zero counts as zero
         */
        public void settle(long actual) {
            if (ended.compareAndSet(false, true)) {
                limiter.settle(grant, tokens, Math.max(0, actual));
            }
        }

        /** The attempt was never sent: all is given back. */
        public void cancel() {
            if (ended.compareAndSet(false, true)) {
                limiter.giveBack(grant, tokens);
            }
        }
    }

    /**
     * What there is to see of a limiter.
     *
     * @param name what it guards
     * @param requests requests that count against the limit now
     * @param tokens tokens that count against the limit now
     * @param inFlight attempts in flight
     * @param waiting attempts that wait for their turn
     * @param closedFor for how long nothing is granted since the provider said so
     */
    public record Status(String name, long requests, long tokens, long inFlight, long waiting, Duration closedFor) {}
}
