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
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
    private static final Refused TOO_LARGE = new Refused(Cause.REQUEST_TOO_LARGE, Optional.empty());
    private static final Refused FULL = new Refused(Cause.CONCURRENCY, Optional.empty());

    private final String name;
    private final Timekeeper timekeeper;
    private final LimitCell cell;

    private RateLimiter(String name, LimitPolicy policy, Duration window, Timekeeper timekeeper) {
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
        return acquire(need(tokens), Priority.INTERACTIVE, timekeeper.nanoTime(), nanos(maxWait), refused -> {});
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
        long now = timekeeper.nanoTime();
        return acquire(need(tokens), priority, now, Math.min(nanos(maxWait), deadlineNanos - now), queued);
    }

    private Admission acquire(Need need, Priority priority, long nowNanos, long patienceNanos, Consumer<Refused> queued)
            throws InterruptedException {
        Admission now = tryAcquire(need, priority);
        if (!(now instanceof Refused refused) || refused.outlasts(patienceNanos)) {
            return now;
        }
        queued.accept(refused);
        return admission(cell.await(cell.enter(need, priority, nowNanos + patienceNanos)), need, priority);
    }

    /**
     * Takes a place in the queue now, on this thread, and waits for its turn on another.
     *
     * @param tokens how many tokens it will take, input and output together; not negative
     * @param maxWait how long it may wait for its turn
     * @return ends with the reservation or why there is none; is not done while it is queued. To cancel it, or to
     *     end it otherwise, is to leave the queue
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the caller holds the future itself
    public CompletableFuture<Admission> acquireAsync(long tokens, Duration maxWait) {
        long now = timekeeper.nanoTime();
        Need need = need(tokens);
        Admission first = tryAcquire(need, Priority.INTERACTIVE);
        if (!(first instanceof Refused refused) || refused.outlasts(nanos(maxWait))) {
            return CompletableFuture.completedFuture(first);
        }
        var future = new CompletableFuture<Admission>();
        LimitCell.Place place = cell.enter(need, Priority.INTERACTIVE, now + nanos(maxWait));
        Timekeeper.Task task = timekeeper.start("holdfast-limit", () -> awaitFor(future, place));
        future.whenComplete((admission, failure) -> {
            if (failure != null) {
                task.interrupt();
            }
        });
        return future;
    }

    private void awaitFor(CompletableFuture<Admission> future, LimitCell.Place place) {
        try {
            Admission admission = admission(
                    cell.await(place), place.waiter().need(), place.waiter().priority());
            if (!future.complete(admission) && admission instanceof Granted granted) {
                granted.reservation().cancel();
            }
        } catch (InterruptedException e) {
            future.cancel(false);
        }
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
        return tryAcquire(need(tokens), Priority.INTERACTIVE);
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

    private Admission tryAcquire(Need need, Priority priority) {
        Allotment open = cell.takeOpen(need);
        return open != null
                ? new Granted(new Reservation(this, open.index(), need, open, LimitCell.NOT_TIMED))
                : admission(cell.take(need, priority), need, priority);
    }

    private Admission admission(Taken taken, Need need, Priority priority) {
        return switch (taken) {
            case LimitCell.Grant(long grant, Allotment allotment) ->
                new Granted(new Reservation(this, grant, need, allotment, cell.startNanos()));
            case LimitCell.Denied denied -> refused(denied, need, priority);
        };
    }

    private static Need need(long tokens) {
        if (tokens < 0) {
            throw new IllegalArgumentException("tokens: " + tokens + " (expected: >= 0)");
        }
        return new Need(tokens, 0);
    }

    private Need need(TokenEstimate tokens) {
        if (tokens.input() < 0 || tokens.output() < 0) {
            throw new IllegalArgumentException("tokens: " + tokens + " (expected: >= 0)");
        }
        return cell.need(tokens.input(), tokens.output());
    }

    private static Refused refused(LimitCell.Denied denied, Need need, Priority priority) {
        LimitState state = denied.state();
        if (!denied.limits().canEverGrant(need)) {
            return TOO_LARGE;
        }
        long atNanos = state.availableAtNanos(denied.limits(), need, priority);
        long waitNanos = atNanos - denied.clockNanos();
        return waitNanos > 0 && atNanos - state.nowNanos() > 0
                ? new Refused(Cause.RATE, Optional.of(Duration.ofNanos(waitNanos)))
                : FULL;
    }

    /**
     * Grants nothing for a while: the provider said so. Who waits and cannot wait that long is refused at once.
     *
     * @param delay for how long; a shorter one than is in force changes nothing
     */
    public void closeFor(Duration delay) {
        cell.closeFor(nanos(delay));
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

    long logEntries() {
        return cell.look().logged();
    }

    /** {@return name and limits} */
    @Override
    public String toString() {
        return "RateLimiter[" + name + ", " + policy() + "]";
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

    /**
     * What one attempt took. It ends once, in one of three ways; ending it again does nothing. What the provider said on the
     * way ({@link #heard}, {@link #answered}, {@link #overloaded}) is told before.
     */
    public static final class Reservation {
        private static final AtomicIntegerFieldUpdater<Reservation> ENDED =
                AtomicIntegerFieldUpdater.newUpdater(Reservation.class, "ended");
        private static final AtomicIntegerFieldUpdater<Reservation> SAMPLED =
                AtomicIntegerFieldUpdater.newUpdater(Reservation.class, "sampled");

        private final RateLimiter limiter;
        private final long grant;
        private final Need need;
        private final @Nullable Allotment allotment;
        private final long startedNanos;
        private volatile int ended;
        private volatile int sampled;

        private Reservation(
                RateLimiter limiter, long grant, Need need, @Nullable Allotment allotment, long startedNanos) {
            this.limiter = limiter;
            this.grant = grant;
            this.need = need;
            this.allotment = allotment;
            this.startedNanos = startedNanos;
        }

        /** {@return the tokens that were reserved} */
        public long tokens() {
            return need.total();
        }

        /**
         * The headers of the answer said this of the provider's limits. What the answer to a later grant said is not undone.
         *
         * @param snapshot what they said
         */
        public void heard(RateLimitSnapshot snapshot) {
            limiter.cell.hear(grant, snapshot);
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

        private void sample(boolean dropped) {
            if (SAMPLED.compareAndSet(this, 0, 1)) {
                limiter.cell.sample(startedNanos, dropped);
            }
        }

        /** The attempt was sent, and nobody knows what it used: the estimate stands. */
        public void settle() {
            if (end() && !endsOpen(need.total())) {
                limiter.cell.settle(grant, need, need);
            }
        }

        /**
         * The attempt was sent, and this is what it used.
         *
         * @param actual tokens, input and output together; less than zero counts as zero
         */
        public void settle(long actual) {
            if (end() && !endsOpen(Math.max(0, actual))) {
                limiter.cell.settle(grant, need, need.withTotal(Math.max(0, actual)));
            }
        }

        /**
         * The attempt was sent, and this is what it used.
         *
         * @param input input tokens, less than zero counts as zero
         * @param output output tokens, less than zero counts as zero
         */
        public void settle(long input, long output) {
            Need actual = limiter.cell.need(input, output);
            if (end() && !endsOpen(actual.total())) {
                limiter.cell.settle(grant, need, actual);
            }
        }

        private boolean end() {
            return ENDED.compareAndSet(this, 0, 1);
        }

        /** {@return whether what it was taken from is still open, so that nothing else is to do} */
        private boolean endsOpen(long used) {
            long unused = need.total() - used;
            return allotment != null && unused >= 0 && allotment.end(unused);
        }

        /** The attempt was never sent: all is given back. */
        public void cancel() {
            if (end() && (allotment == null || !allotment.cancel(need.total()))) {
                limiter.cell.giveBack(grant, need);
            }
        }
    }

    /** There was no reservation, and nothing was done. It holds no stack trace: who refuses much must not pay for it. */
    public static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Refused refused;

        RefusedException(String name, Refused refused) {
            super(message(name, refused), null, true, false);
            this.refused = refused;
        }

        private static String message(String name, Refused refused) {
            return "limiter " + name + " refuses: " + refused.cause()
                    + refused.availableIn().map(in -> ", free in " + in).orElse("");
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
