package dev.holdfast.core;

import dev.holdfast.Priority;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.internal.limit.Allotment;
import dev.holdfast.core.internal.limit.LimitCell;
import dev.holdfast.core.internal.limit.LimitCell.Taken;
import dev.holdfast.core.internal.limit.LimitState;
import dev.holdfast.core.internal.limit.Need;
import dev.holdfast.core.internal.limit.Weight;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps attempts within a target's limits: requests and tokens within any minute, and attempts in flight. All three are taken together or
 * not at all. Who has to wait is served first come, first served: a small request does not overtake a large one.
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
 * <p>The window slides: whatever minute one looks at, what was granted in it never exceeds the limit. What a reservation turned out not to
 * need is free again at once; what it used beyond its estimate counts from when that is known. Safe for use by any number of threads; only
 * {@code acquire} waits.
 */
public final class RateLimiter {
    private static final Refused TOO_LARGE = new Refused(Cause.REQUEST_TOO_LARGE, Refused.UNKNOWN);
    private static final Refused FULL = new Refused(Cause.CONCURRENCY, Refused.UNKNOWN);

    private final String name;
    private final Timekeeper timekeeper;
    final LimitCell cell;

    RateLimiter(String name, LimitPolicy policy, Duration window, Timekeeper timekeeper) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
        this.name = name;
        this.timekeeper = timekeeper;
        this.cell = new LimitCell(policy, window, timekeeper);
    }

    /**
     * {@return a limiter of which nothing is used yet}
     *
     * @param name what it guards, for messages
     * @param policy the limits
     * @param timekeeper its clock, and how its waiters wait
     */
    public static RateLimiter of(String name, LimitPolicy policy, Timekeeper timekeeper) {
        return new RateLimiter(name, policy, Duration.ofMinutes(1), timekeeper);
    }

    /** {@return what it guards} */
    public String name() {
        return name;
    }

    /** {@return the limits in force} */
    public LimitPolicy policy() {
        return cell.policy();
    }

    /**
     * Changes the limits. What was granted before counts against the new ones, and is not taken back.
     *
     * @param changed the new limits
     */
    public void change(LimitPolicy changed) {
        cell.change(changed);
    }

    /**
     * Reserves one request and its tokens, waiting at most as long as the policy says.
     *
     * @param tokens how many tokens it will take, input and output together; not negative
     * @return the reservation, which must be ended, or why there is none
     * @throws InterruptedException if the thread is interrupted while it waits; nothing is reserved then
     */
    public Admission acquire(long tokens) throws InterruptedException {
        return acquire(tokens, cell.policy().maxWait());
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
        Admission now = tryAcquire(tokens);
        return now instanceof Refused refused
                ? await(
                        refused,
                        new Need(tokens, 0),
                        Priority.INTERACTIVE,
                        timekeeper.nanoTime(),
                        Patience.nanos(maxWait),
                        queued -> {})
                : now;
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
        return acquire(new TokenEstimate(tokens, 0), Priority.INTERACTIVE, maxWait, deadlineNanos, refused -> {});
    }

    /**
     * Reserves one request and its tokens before a deadline.
     *
     * @param tokens how many tokens it will take; not negative
     * @param priority who may pass whom in the queue
     * @param maxWait how long it may wait for its turn
     * @param deadlineNanos until when it may wait, on {@link Timekeeper#nanoTime()}
     * @param queued is told, on this thread, before it begins to wait
     * @return the reservation, which must be ended, or why there is none
     * @throws InterruptedException if the thread is interrupted while it waits; nothing is reserved then
     */
    public Admission acquire(
            TokenEstimate tokens, Priority priority, Duration maxWait, long deadlineNanos, Consumer<Refused> queued)
            throws InterruptedException {
        Need need = need(tokens);
        Admission now = tryAcquire(need, priority);
        if (!(now instanceof Refused refused)) {
            return now;
        }
        long nowNanos = timekeeper.nanoTime();
        long patienceNanos = Math.min(Patience.nanos(maxWait), deadlineNanos - nowNanos);
        return await(refused, need, priority, nowNanos, patienceNanos, queued);
    }

    /** What who is told takes for itself makes the wait no longer. */
    private Admission await(
            Refused refused, Need need, Priority priority, long nowNanos, long patienceNanos, Consumer<Refused> queued)
            throws InterruptedException {
        if (refused.outlasts(patienceNanos)) {
            return refused;
        }
        queued.accept(refused);
        LimitCell.Place place = cell.enter(need, priority, nowNanos + patienceNanos);
        return admission(cell.await(place), need, priority);
    }

    /**
     * Takes a place in the queue now, on this thread, and waits for its turn on another.
     *
     * @param tokens how many tokens it will take, input and output together; not negative
     * @param maxWait how long it may wait for its turn
     * @return ends with the reservation or why there is none; to end it while it is queued is to leave the queue
     */
    public CompletableFuture<Admission> acquireAsync(long tokens, Duration maxWait) {
        var need = new Need(checked(tokens), 0);
        Admission first = tryAcquire(need, Priority.INTERACTIVE);
        if (!(first instanceof Refused refused) || refused.outlasts(Patience.nanos(maxWait))) {
            return CompletableFuture.completedFuture(first);
        }
        LimitCell.Place place = cell.enter(need, Priority.INTERACTIVE, timekeeper.nanoTime() + Patience.nanos(maxWait));
        return new PlaceInLine(cell, place, timekeeper).await(taken -> admission(taken, need, Priority.INTERACTIVE));
    }

    /**
     * Does something under a reservation, waiting for it at most as long as the policy says. It settles with the estimate,
     * however the body ends.
     *
     * @param <T> what the body returns
     * @param tokens how many tokens it will take, input and output together; not negative
     * @param body what is done
     * @return what the body returns
     * @throws RefusedException if there is no reservation; the body was not called
     * @throws Exception what the body throws, or {@link InterruptedException} if the thread is interrupted while it waits
     */
    public <T> T call(long tokens, Callable<T> body) throws Exception {
        Allotment open = cell.takeOpen(checked(tokens));
        if (open != null) {
            try {
                return body.call();
            } finally {
                cell.settle(open, tokens);
            }
        }
        return switch (acquire(tokens)) {
            case Refused refused -> throw new RefusedException(name, refused);
            case Granted(Reservation reservation) -> {
                try {
                    yield body.call();
                } finally {
                    reservation.settle();
                }
            }
        };
    }

    /**
     * Reserves one request and its tokens without waiting.
     *
     * @param tokens how many tokens it will take, input and output together; not negative
     * @return the reservation, which must be ended, or why there is none
     */
    public Admission tryAcquire(long tokens) {
        Admission known = known(checked(tokens), 0);
        return known != null ? known : take(new Need(tokens, 0), Priority.INTERACTIVE);
    }

    /**
     * Reserves one request and its tokens without waiting.
     *
     * @param tokens how many tokens it will take; not negative
     * @param priority who may pass whom in the queue
     * @return the reservation, which must be ended, or why there is none
     */
    public Admission tryAcquire(TokenEstimate tokens, Priority priority) {
        return tryAcquire(need(tokens), priority);
    }

    /**
     * Takes one request and its tokens for good, without waiting: nothing is in flight then, and nothing has to be ended.
     *
     * @param tokens how many tokens it takes, input and output together; not negative
     * @return empty if they were taken, else why not
     */
    public Optional<Refused> tryTake(long tokens) {
        if (cell.takeOpenForGood(checked(tokens))) {
            return Optional.empty();
        }
        return switch (tryAcquire(tokens)) {
            case Refused refused -> Optional.of(refused);
            case Granted(Reservation reservation) -> {
                reservation.settle();
                yield Optional.empty();
            }
        };
    }

    private Admission tryAcquire(Need need, Priority priority) {
        Admission known = known(need.input(), need.output());
        return known != null ? known : take(need, priority);
    }

    private Admission take(Need need, Priority priority) {
        return admission(cell.take(need, priority), need, priority);
    }

    /** {@return what can be said without a change of state, else null} */
    private @Nullable Admission known(long input, long output) {
        Allotment open = cell.takeOpen(input + output);
        if (open != null) {
            return new Granted(new Reservation(cell, open, input + output));
        }
        long refusedNanos = cell.refusedForNanos(input, output);
        return refusedNanos > 0 ? new Refused(Cause.RATE, refusedNanos) : null;
    }

    private Admission admission(Taken taken, Need need, Priority priority) {
        return switch (taken) {
            case LimitCell.Grant(long grant, Allotment allotment) ->
                new Granted(
                        allotment != null
                                ? new Reservation(cell, allotment, need.total())
                                : new Reservation(cell, new LimitHold.Counted(grant, need, cell.startNanos())));
            case LimitCell.Denied denied -> refused(denied, need, priority);
        };
    }

    private static long checked(long tokens) {
        if (tokens < 0) {
            throw new IllegalArgumentException("tokens: " + tokens + " (expected: >= 0)");
        }
        return tokens;
    }

    private Need need(TokenEstimate tokens) {
        return cell.need(checked(tokens.input()), checked(tokens.output()));
    }

    private Refused refused(LimitCell.Denied denied, Need need, Priority priority) {
        if (!denied.limits().canEverGrant(need)) {
            return TOO_LARGE;
        }
        long atNanos = denied.state().availableAtNanos(denied.limits(), need, priority);
        long waitNanos = atNanos - denied.clockNanos();
        if (waitNanos <= 0 || atNanos - denied.state().nowNanos() <= 0) {
            return FULL;
        }
        cell.refused(denied, need, atNanos);
        return new Refused(Cause.RATE, waitNanos);
    }

    /**
     * Grants nothing for a while: the provider said so. Who waits and cannot wait that long is refused at once; behind more than a
     * thousand others, when it comes first or its time is over.
     *
     * @param delay for how long; a shorter one than is in force changes nothing
     */
    public void closeFor(Duration delay) {
        cell.closeFor(Patience.nanos(delay));
    }

    /** {@return what there is to see, as of one moment} */
    public Status status() {
        LimitState state = cell.look();
        return new Status(
                name,
                state.used(Weight.REQUESTS),
                state.used(Weight.TOKENS),
                state.inFlight(),
                state.waiting(),
                Duration.ofNanos(Math.max(0, state.closedUntilNanos() - state.nowNanos())));
    }

    /** {@return name and limits} */
    @Override
    public String toString() {
        return "RateLimiter[" + name + ", " + policy() + "]";
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
     * @param availableInNanos how long until the same request would be granted if nobody else came; -1 where nobody can know
     */
    public record Refused(Cause cause, long availableInNanos) implements Admission {
        private static final long UNKNOWN = -1;

        /**
         * A refusal.
         *
         * @param cause what is in the way
         * @param availableIn how long until the same request would be granted; empty where nobody can know
         */
        public Refused(Cause cause, Optional<Duration> availableIn) {
            this(cause, availableIn.map(Patience::nanos).orElse(UNKNOWN));
        }

        /** {@return how long until the same request would be granted if nobody else came; empty where nobody can know} */
        public Optional<Duration> availableIn() {
            return availableInNanos == UNKNOWN ? Optional.empty() : Optional.of(Duration.ofNanos(availableInNanos));
        }

        private String when() {
            return availableIn().map(in -> ", free in " + in).orElse("");
        }

        private boolean outlasts(long patienceNanos) {
            return patienceNanos <= 0 || cause == Cause.REQUEST_TOO_LARGE || availableInNanos > patienceNanos;
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

    /**
     * What one attempt took. It ends once, in one of three ways; ending it again does nothing. What the provider said on the
     * way ({@link #heard}, {@link #answered}, {@link #overloaded}) is told before.
     */
    public static final class Reservation extends LimitHold {
        private Reservation(LimitCell cell, Allotment source, long tokens) {
            super(cell, source, tokens);
        }

        private Reservation(LimitCell cell, Counted source) {
            super(cell, source);
        }

        /** {@return the tokens that were reserved} */
        public long tokens() {
            return reserved();
        }

        /**
         * The headers of the answer said this of the provider's limits. What the answer to a later grant said is not undone.
         *
         * @param snapshot what they said
         */
        public void heard(RateLimitSnapshot snapshot) {
            hear(snapshot);
        }

        /**
         * The provider answered, or began to: an adaptive limit learns how long it took until now. Only the first word of this and
         * {@link #overloaded} counts.
         */
        public void answered() {
            sample(false);
        }

        /** The provider was overloaded or too slow: an adaptive limit goes down. */
        public void overloaded() {
            sample(true);
        }

        /** The attempt was sent, and nobody knows what it used: the estimate stands. */
        public void settle() {
            end(reserved());
        }

        /**
         * The attempt was sent, and this is what it used.
         *
         * @param actual tokens, input and output together; less than zero counts as zero
         */
        public void settle(long actual) {
            end(actual);
        }

        /**
         * The attempt was sent, and this is what it used.
         *
         * @param input input tokens, less than zero counts as zero
         * @param output output tokens, less than zero counts as zero
         */
        public void settle(long input, long output) {
            end(input, output);
        }

        /** The attempt was never sent: all is given back. */
        public void cancel() {
            undo();
        }
    }

    /** There was no reservation, and nothing was done. It holds no stack trace: who refuses much must not pay for it. */
    public static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Refused refused;

        RefusedException(String name, Refused refused) {
            super("limiter " + name + " refuses: " + refused.cause() + refused.when(), null, true, false);
            this.refused = refused;
        }

        /** {@return why} */
        public Refused refused() {
            return refused;
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
