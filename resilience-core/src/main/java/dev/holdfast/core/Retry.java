package dev.holdfast.core;

import dev.holdfast.CallException;
import dev.holdfast.core.internal.budget.RetryBudget;
import dev.holdfast.spi.BackoffStrategy.BackoffRequest;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Retry for anything that is not a model call: the same attempts, backoff, deadline and budget, guarding any
 * {@link Callable}.
 *
 * <pre>{@code
 * Retry retry = Retry.of(RetryPolicy.standard()).onException(e -> e instanceof IOException);
 * Document document = retry.call(() -> store.load(id));
 * }</pre>
 *
 * <p>Of the policy it uses {@code maxAttempts}, {@code backoff}, {@code minInterval}, {@code deadline} and {@code budget}; one
 * instance is one target, whose budget its calls share. Unless told otherwise every exception is tried again but an interrupt, a cancel and a
 * {@link CallException}, which a client has tried again already. What cannot be tried again comes out as it was: the last
 * exception, or the last result.
 *
 * <p>Immutable but for the budget, and safe for use by many threads. Runs on the calling thread; while the work goes well,
 * nothing is allocated, and no clock is read unless the policy has a deadline or a minimal interval.
 */
public final class Retry {
    private final RetryPolicy policy;
    private final Predicate<? super Exception> retriedException;
    private final @Nullable Predicate<Object> retriedResult;
    private final @Nullable RetryBudget budget;
    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final @Nullable Duration deadline;
    /** Whether a bound of the policy needs to know when the call and its attempts began. */
    private final boolean timed;

    private Retry(
            RetryPolicy policy,
            Predicate<? super Exception> retriedException,
            @Nullable Predicate<Object> retriedResult,
            @Nullable RetryBudget budget,
            Timekeeper timekeeper,
            RandomGenerator random) {
        this.policy = policy;
        this.retriedException = retriedException;
        this.retriedResult = retriedResult;
        this.budget = budget;
        this.timekeeper = timekeeper;
        this.random = random;
        this.deadline = policy.deadline().orElse(null);
        this.timed = deadline != null || policy.minInterval().isPositive();
    }

    /**
     * {@return a retry on the machine's own time}
     *
     * @param policy how often and how long
     */
    public static Retry of(RetryPolicy policy) {
        return of(policy, Timekeeper.system(), () -> ThreadLocalRandom.current().nextLong());
    }

    /**
     * {@return a retry}
     *
     * @param policy how often and how long
     * @param timekeeper its clock and its waits
     * @param random spreads the delays; safe for use by several threads
     */
    public static Retry of(RetryPolicy policy, Timekeeper timekeeper, RandomGenerator random) {
        Objects.requireNonNull(timekeeper, "timekeeper");
        Objects.requireNonNull(random, "random");
        RetryBudget budget =
                policy.budget().map(each -> new RetryBudget(each, timekeeper)).orElse(null);
        return new Retry(policy, Retry::isWorthwhile, null, budget, timekeeper, random);
    }

    private static boolean isWorthwhile(Exception failure) {
        return !(failure instanceof CallException || failure instanceof CancellationException);
    }

    /**
     * {@return this retry, for other exceptions; an {@link InterruptedException} is never tried again}
     *
     * @param retried whether the work is tried again after the exception
     */
    public Retry onException(Predicate<? super Exception> retried) {
        Objects.requireNonNull(retried, "retried");
        return new Retry(policy, retried, retriedResult, budget, timekeeper, random);
    }

    /**
     * {@return this retry, which also tries again after some results}
     *
     * @param retried whether the work is tried again although it returned; never given null, which is always good
     */
    public Retry onResult(Predicate<Object> retried) {
        Objects.requireNonNull(retried, "retried");
        return new Retry(policy, retriedException, retried, budget, timekeeper, random);
    }

    /**
     * Runs the work until it goes well or may not be tried again.
     *
     * @param <T> what the work gives back
     * @param work what to do
     * @return what the work gave back
     * @throws InterruptedException if the thread was interrupted; the flag is set again
     * @throws Exception what the last attempt threw
     */
    public <T> T call(Callable<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        long startNanos = timed ? timekeeper.nanoTime() : 0;
        if (budget != null) {
            budget.recordFirstAttempt();
        }
        T result;
        try {
            result = work.call();
        } catch (Exception e) {
            return new Repetition<>(work, startNanos).goOn(e, null);
        }
        return isGood(result) ? result : new Repetition<>(work, startNanos).goOn(null, result);
    }

    private boolean isGood(@Nullable Object result) {
        return retriedResult == null || result == null || !retriedResult.test(result);
    }

    /** What a call becomes after its first attempt went wrong: all that takes time stands here, so that the rest is quick. */
    private final class Repetition<T> {
        private final Callable<T> work;
        private final long startNanos;
        private long attemptNanos;
        private int attempts = 1;
        private Duration backoff = Duration.ZERO;

        Repetition(Callable<T> work, long startNanos) {
            this.work = work;
            this.startNanos = startNanos;
            this.attemptNanos = startNanos;
        }

        /** Goes on after a failure or, where there is none, after a result that is not good enough. */
        @SuppressWarnings("NullAway") // a result that is null is good and does not come here
        T goOn(@Nullable Exception failed, @Nullable T returned) throws Exception {
            @Nullable Exception failure = failed;
            @Nullable T result = returned;
            while (failure == null || isRetried(failure)) {
                Duration delay = nextDelay(failure);
                if (delay == null) {
                    break;
                }
                sleep(delay, failure);
                attempts++;
                attemptNanos = timed ? timekeeper.nanoTime() : 0;
                try {
                    result = work.call();
                    failure = null;
                } catch (Exception e) {
                    failure = e;
                }
                if (failure == null && isGood(result)) {
                    return result;
                }
            }
            if (failure != null) {
                throw failure;
            }
            return result;
        }

        @SuppressWarnings("ReferenceEquality") // the same exception, not one like it
        private boolean isRetried(Exception failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                return false;
            }
            try {
                return retriedException.test(failure);
            } catch (RuntimeException e) {
                if (e != failure) {
                    e.addSuppressed(failure);
                }
                throw e;
            }
        }

        /** The wait before the next attempt; null if there is none. */
        private @Nullable Duration nextDelay(@Nullable Exception failure) {
            if (attempts >= policy.maxAttempts()) {
                return null;
            }
            backoff = draw(failure);
            Duration delay = backoff;
            if (timed) {
                long now = timekeeper.nanoTime();
                Duration apart = policy.minInterval().minusNanos(now - attemptNanos);
                delay = apart.compareTo(delay) > 0 ? apart : delay;
                if (deadline != null && delay.compareTo(deadline.minusNanos(now - startNanos)) >= 0) {
                    return null;
                }
            }
            return budget == null || budget.tryWithdraw() ? delay : null;
        }

        /** A strategy that throws does not hide what it was asked for. */
        @SuppressWarnings("ReferenceEquality") // the same exception, not one like it
        private Duration draw(@Nullable Exception failure) {
            try {
                Duration drawn = policy.backoff().delay(new BackoffRequest(attempts, backoff, random));
                return drawn.isNegative() ? Duration.ZERO : drawn;
            } catch (RuntimeException e) {
                if (failure != null && failure != e) {
                    e.addSuppressed(failure);
                }
                throw e;
            }
        }

        /** A retry that was paid for and then cancelled was never made. */
        @SuppressWarnings("ReferenceEquality") // the same exception, not one like it
        private void sleep(Duration delay, @Nullable Exception failure) throws InterruptedException {
            try {
                timekeeper.sleep(delay);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                if (budget != null) {
                    budget.giveBack();
                }
                if (failure != null && failure != e) {
                    e.addSuppressed(failure);
                }
                throw e;
            }
        }
    }

    @Override
    public String toString() {
        return "Retry[" + policy.backoff() + ", " + policy.maxAttempts() + " attempts]";
    }
}
