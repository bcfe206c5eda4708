package dev.holdfast.core;

import dev.holdfast.CallException;
import dev.holdfast.core.internal.budget.RetryBudget;
import dev.holdfast.spi.BackoffStrategy.BackoffRequest;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
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
 * <p>Of the policy it uses {@code maxAttempts}, {@code backoff}, {@code deadline} and {@code budget}; one instance is one target,
 * whose budget its calls share. Unless told otherwise every exception is tried again but an interrupt, a cancel and a
 * {@link CallException}, which a client has tried again already. What cannot be tried again comes out as it was: the last
 * exception, or the last result.
 *
 * <p>Immutable but for the budget, and safe for use by many threads. Runs on the calling thread; while the work goes well,
 * nothing is allocated, and no clock is read unless the policy has a deadline.
 */
public final class Retry {
    private final RetryPolicy policy;
    private final Predicate<? super Exception> retriedException;
    private final @Nullable Predicate<Object> retriedResult;
    private final @Nullable RetryBudget budget;
    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    /** Nanoseconds; negative for no deadline. */
    private final long deadlineNanos;

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
        this.deadlineNanos = policy.deadline().map(Duration::toNanos).orElse(-1L);
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
        return new Retry(policy, retried, retriedResult, budget, timekeeper, random);
    }

    /**
     * {@return this retry, which also tries again after some results}
     *
     * @param retried whether the work is tried again although it returned; never given null, which is always good
     */
    public Retry onResult(Predicate<Object> retried) {
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
        long startNanos = deadlineNanos < 0 ? 0 : timekeeper.nanoTime();
        if (budget != null) {
            budget.recordFirstAttempt();
        }
        Duration backoff = Duration.ZERO;
        for (int attempt = 1; ; attempt++) {
            Exception failure = null;
            Optional<Duration> delay;
            try {
                T result = work.call();
                if (retriedResult == null || result == null || !retriedResult.test(result)) {
                    return result;
                }
                delay = delayAfter(attempt, backoff, startNanos);
                if (delay.isEmpty()) {
                    return result;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw e;
            } catch (Exception e) {
                delay = retriedException.test(e) ? delayAfter(attempt, backoff, startNanos) : Optional.empty();
                if (delay.isEmpty()) {
                    throw e;
                }
                failure = e;
            }
            backoff = delay.get();
            sleep(backoff, failure);
        }
    }

    /** The wait before the next attempt; empty if there is none. */
    private Optional<Duration> delayAfter(int attempt, Duration previous, long startNanos) {
        if (attempt >= policy.maxAttempts()) {
            return Optional.empty();
        }
        Duration delay = policy.backoff().delay(new BackoffRequest(attempt, previous, random));
        boolean tooLate = deadlineNanos >= 0 && timekeeper.nanoTime() - startNanos + delay.toNanos() >= deadlineNanos;
        boolean refused = tooLate || (budget != null && !budget.tryWithdraw());
        return refused ? Optional.empty() : Optional.of(delay);
    }

    private void sleep(Duration delay, @Nullable Exception failure) throws InterruptedException {
        try {
            timekeeper.sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (failure != null) {
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    @Override
    public String toString() {
        return "Retry[" + policy.backoff() + ", " + policy.maxAttempts() + " attempts]";
    }
}
