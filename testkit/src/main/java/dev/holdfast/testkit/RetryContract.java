package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What any retry around a piece of work must keep. Extend it, and adapt an engine by a {@link Subject}:
 *
 * <pre>{@code
 * class MyRetryContractTest extends RetryContract {
 *     protected Subject create(Settings settings, Timekeeper time) {
 *         var retry = new MyRetry(settings.maxAttempts(), settings.delay(), settings.retried());
 *         return retry::call;
 *     }
 *
 *     protected boolean waitsInRealTime() {
 *         return true;
 *     }
 * }
 * }</pre>
 *
 * <p>The clock that an engine is given moves by being slept, so that the contract takes no time. An engine that knows only
 * the machine's clock says so by {@link #waitsInRealTime}: its waits are short then, and are held to be long enough, but not
 * to be exact. What an engine has no setting for it says as well; those tests are skipped.
 */
public abstract class RetryContract {
    private static final Duration SHORT = Duration.ofMillis(20);
    /** Nobody waits for it: whoever sleeps it, in real time too, is found out. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final Duration ROUNDING = Duration.ofMillis(1);

    private final SleptTime slept = new SleptTime();

    /** For subclasses. */
    protected RetryContract() {}

    /**
     * {@return a new engine}
     *
     * @param settings how it must behave
     * @param time its clock and its waits; to be left alone by an engine that {@link #waitsInRealTime}
     */
    protected abstract Subject create(Settings settings, Timekeeper time);

    /** {@return whether the engine waits on the machine's clock rather than on the one it is given; false by default} */
    protected boolean waitsInRealTime() {
        return false;
    }

    /** {@return whether the engine can bound a call's time; true by default} */
    protected boolean knowsDeadlines() {
        return true;
    }

    /** {@return whether the engine can try again after a result; true by default} */
    protected boolean retriesResults() {
        return true;
    }

    /** {@return whether the engine can let its delay grow up to a cap; true by default} */
    protected boolean growsDelays() {
        return true;
    }

    /** {@return whether the engine can spread its delay; true by default} */
    protected boolean spreadsDelays() {
        return true;
    }

    /**
     * How an engine must behave.
     *
     * @param maxAttempts the most attempts of one call, the first included
     * @param delay the delay before the first retry
     * @param factor what the delay grows by with each retry; 1 for the same delay always
     * @param maxDelay the longest delay, at least {@code delay}, also after the jitter
     * @param jitter by what share of itself a delay may be shorter or longer; 0 for none
     * @param deadline how long a call may take in all; empty for no bound
     * @param retried whether work that threw is tried again
     * @param retriedResult whether work that returned is tried again
     */
    public record Settings(
            int maxAttempts,
            Duration delay,
            double factor,
            Duration maxDelay,
            double jitter,
            Optional<Duration> deadline,
            Predicate<Throwable> retried,
            Predicate<Object> retriedResult) {
        static Settings of(int maxAttempts, Duration delay) {
            return new Settings(
                    maxAttempts, delay, 1, delay, 0, Optional.empty(), e -> e instanceof Passing, result -> false);
        }

        Settings withGrowth(double by, Duration cap) {
            return new Settings(maxAttempts, delay, by, cap, jitter, deadline, retried, retriedResult);
        }

        Settings withJitter(double share) {
            return new Settings(maxAttempts, delay, factor, maxDelay, share, deadline, retried, retriedResult);
        }

        Settings withDeadline(Duration length) {
            return new Settings(
                    maxAttempts, delay, factor, maxDelay, jitter, Optional.of(length), retried, retriedResult);
        }

        Settings withRetriedResult(Object result) {
            return new Settings(maxAttempts, delay, factor, maxDelay, jitter, deadline, retried, result::equals);
        }
    }

    /** An engine under test. */
    @FunctionalInterface
    public interface Subject {
        /**
         * Runs the work, again and again as settings say.
         *
         * @param <T> what it returns
         * @param work the work
         * @return what the work returned
         * @throws Exception what the engine throws; may be, or be caused by, what the work threw
         */
        <T> T call(Callable<T> work) throws Exception;

        /**
         * {@return the delays that the engine says it waited, in order; empty if it does not tell, and the contract's own
         * clock must do}
         */
        default Optional<List<Duration>> delays() {
            return Optional.empty();
        }
    }

    /** What may pass. */
    private static final class Passing extends RuntimeException {
        private static final long serialVersionUID = 1;

        Passing(int attempt) {
            super("attempt " + attempt);
        }
    }

    /** What will not pass. */
    private static final class Lasting extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Work that counts its attempts and notes when each began. */
    private final class Work implements Callable<String> {
        private final Callable<String> body;
        private final List<Long> startedNanos = new ArrayList<>();

        Work(Callable<String> body) {
            this.body = body;
        }

        @Override
        public String call() throws Exception {
            startedNanos.add(nanoTime());
            return body.call();
        }

        int attempts() {
            return startedNanos.size();
        }

        List<Duration> gaps() {
            List<Duration> gaps = new ArrayList<>();
            for (int i = 1; i < startedNanos.size(); i++) {
                gaps.add(Duration.ofNanos(startedNanos.get(i) - startedNanos.get(i - 1)));
            }
            return gaps;
        }
    }

    @AfterEach
    void leavesNoInterruptBehind() {
        boolean left = Thread.interrupted();
        assertThat(left).as("interrupt flag left behind").isFalse();
    }

    @Test
    void doesGoodWorkOnceAndWithoutAWait() throws Exception {
        var work = new Work(() -> "good");
        long startNanos = nanoTime();
        assertThat(create(Settings.of(3, LONG), slept).call(work)).isEqualTo("good");
        assertThat(work.attempts()).isEqualTo(1);
        assertThat(since(startNanos)).isLessThan(LONG);
    }

    @Test
    void passesNullOn() throws Exception {
        assertThat(create(Settings.of(3, SHORT), slept).<String>call(() -> null))
                .isNull();
    }

    @Test
    void attemptsNoMoreThanItMayAndEndsWithTheLastFailure() {
        for (int maxAttempts : new int[] {1, 2, 3, 7}) {
            Work work = failing();
            Settings settings = Settings.of(maxAttempts, Duration.ofMillis(1));
            Throwable thrown = catchThrowable(() -> create(settings, slept).call(work));
            assertThat(work.attempts()).isEqualTo(maxAttempts);
            assertThat(rootOf(thrown)).isInstanceOf(Passing.class).hasMessage("attempt " + maxAttempts);
        }
    }

    @Test
    void doesNotSleepAfterTheLastAttempt() {
        Work work = failing();
        long startNanos = nanoTime();
        Throwable thrown =
                catchThrowable(() -> create(Settings.of(1, LONG), slept).call(work));
        assertThat(thrown).isNotNull();
        assertThat(since(startNanos)).isLessThan(LONG);
    }

    @Test
    void stopsAsSoonAsTheWorkGoesWell() throws Exception {
        var count = new AtomicInteger();
        var work = new Work(() -> goodFrom(3, count));
        assertThat(create(Settings.of(5, SHORT), slept).call(work)).isEqualTo("good");
        assertThat(work.attempts()).isEqualTo(3);
    }

    @Test
    void waitsItsDelayBeforeEveryRetry() {
        Work work = failing();
        Subject subject = create(Settings.of(4, SHORT), slept);
        assertThat(catchThrowable(() -> subject.call(work))).isNotNull();
        assertThat(work.gaps()).hasSize(3).allSatisfy(gap -> isAbout(gap, SHORT));
    }

    @Test
    void delaysGrowToTheirCapAndNoFurther() {
        assumeTrue(growsDelays(), "the engine's delay does not grow");
        Work work = failing();
        Settings settings = Settings.of(6, SHORT).withGrowth(2, SHORT.multipliedBy(3));
        Subject subject = create(settings, slept);
        assertThat(catchThrowable(() -> subject.call(work))).isNotNull();
        List<Duration> waited = subject.delays().orElseGet(work::gaps);
        assertThat(waited).hasSize(5);
        for (int i = 0; i < 5; i++) {
            Duration wanted = SHORT.multipliedBy(List.of(1, 2, 3, 3, 3).get(i));
            isAbout(waited.get(i), wanted);
        }
    }

    @Test
    void jitterPassesNeitherItsShareNorTheCap() {
        assumeTrue(spreadsDelays(), "the engine does not spread its delay");
        Work work = failing();
        Subject subject = create(Settings.of(41, SHORT).withJitter(0.5), slept);
        assertThat(catchThrowable(() -> subject.call(work))).isNotNull();
        List<Duration> told = subject.delays().orElseGet(work::gaps);
        boolean exact = subject.delays().isPresent() || !waitsInRealTime();
        Duration least = SHORT.dividedBy(2).minus(ROUNDING);
        assertThat(told).hasSize(40).allSatisfy(delay -> {
            assertThat(delay).isGreaterThanOrEqualTo(least);
            if (exact) {
                assertThat(delay).isLessThanOrEqualTo(SHORT);
            }
        });
        assertThat(told.stream().distinct().count()).as("different delays").isGreaterThan(1);
    }

    @Test
    void doesNotRepeatWhatWillNotPass() {
        var work = new Work(() -> {
            throw new Lasting();
        });
        long startNanos = nanoTime();
        Throwable thrown =
                catchThrowable(() -> create(Settings.of(5, LONG), slept).call(work));
        assertThat(rootOf(thrown)).isInstanceOf(Lasting.class);
        assertThat(work.attempts()).isEqualTo(1);
        assertThat(since(startNanos)).isLessThan(LONG);
    }

    @Test
    void judgesEveryFailureAnew() {
        var count = new AtomicInteger();
        var work = new Work(() -> {
            if (count.incrementAndGet() == 3) {
                throw new Lasting();
            }
            throw new Passing(count.get());
        });
        Throwable thrown =
                catchThrowable(() -> create(Settings.of(5, SHORT), slept).call(work));
        assertThat(rootOf(thrown)).isInstanceOf(Lasting.class);
        assertThat(work.attempts()).isEqualTo(3);
    }

    @Test
    void doesNotRepeatAnError() {
        var work = new Work(() -> {
            throw new AssertionError("broken");
        });
        Throwable thrown =
                catchThrowable(() -> create(Settings.of(5, SHORT), slept).call(work));
        assertThat(rootOf(thrown)).isInstanceOf(AssertionError.class).hasMessage("broken");
        assertThat(work.attempts()).isEqualTo(1);
    }

    @Test
    void anExceptionThatIsThrownAgainAndAgainDoesNotGrow() {
        var same = new Passing(0);
        int frames = same.getStackTrace().length;
        var work = new Work(() -> {
            throw same;
        });
        Throwable thrown = catchThrowable(
                () -> create(Settings.of(10, Duration.ofMillis(1)), slept).call(work));
        assertThat(rootOf(thrown)).isSameAs(same);
        assertThat(work.attempts()).isEqualTo(10);
        assertThat(same.getSuppressed()).isEmpty();
        assertThat(same.getStackTrace()).hasSize(frames);
    }

    @Test
    void repeatsAResultThatIsNotGoodEnough() throws Exception {
        assumeTrue(retriesResults(), "the engine does not look at results");
        var count = new AtomicInteger();
        var work = new Work(() -> count.incrementAndGet() < 3 ? "bad" : "good");
        Settings settings = Settings.of(5, SHORT).withRetriedResult("bad");
        assertThat(create(settings, slept).call(work)).isEqualTo("good");
        assertThat(work.attempts()).isEqualTo(3);
    }

    @Test
    void attemptsForABetterResultNoMoreThanItMay() {
        assumeTrue(retriesResults(), "the engine does not look at results");
        var work = new Work(() -> "bad");
        Settings settings = Settings.of(3, SHORT).withRetriedResult("bad");
        Throwable thrown = catchThrowable(() -> create(settings, slept).call(work));
        assertThat(work.attempts())
                .as("some give the last result back, some throw: %s", thrown)
                .isEqualTo(3);
    }

    @Test
    void failsAtOnceWhenTheNextWaitWouldPassTheDeadline() {
        assumeTrue(knowsDeadlines(), "the engine has no deadline");
        Work work = failing();
        Settings settings = Settings.of(5, LONG).withDeadline(LONG.dividedBy(2));
        long startNanos = nanoTime();
        Throwable thrown = catchThrowable(() -> create(settings, slept).call(work));
        assertThat(rootOf(thrown)).isInstanceOf(Passing.class).hasMessage("attempt 1");
        assertThat(work.attempts()).isEqualTo(1);
        assertThat(since(startNanos)).as("no part of the wait was slept").isLessThan(LONG.dividedBy(2));
    }

    @Test
    void startsNoAttemptAtOrAfterTheDeadline() {
        assumeTrue(knowsDeadlines(), "the engine has no deadline");
        Work work = failing();
        Duration deadline = SHORT.multipliedBy(4);
        Settings settings = Settings.of(1_000, SHORT).withDeadline(deadline);
        long startNanos = nanoTime();
        assertThat(catchThrowable(() -> create(settings, slept).call(work))).isNotNull();
        assertThat(work.attempts()).isBetween(1, 4);
        assertThat(work.startedNanos)
                .allSatisfy(at ->
                        assertThat(Duration.ofNanos(at - startNanos)).isLessThan(waitsInRealTime() ? LONG : deadline));
    }

    @Test
    void anInterruptOfTheWorkEndsTheCallAndIsKept() {
        var work = new Work(() -> {
            throw new InterruptedException();
        });
        Throwable thrown =
                catchThrowable(() -> create(Settings.of(5, LONG), slept).call(work));
        assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
        assertThat(thrown).isNotNull();
        assertThat(work.attempts()).isEqualTo(1);
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        var work = new Work(() -> {
            Thread.currentThread().interrupt();
            throw new Passing(1);
        });
        long startNanos = nanoTime();
        Throwable thrown =
                catchThrowable(() -> create(Settings.of(5, LONG), slept).call(work));
        assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
        assertThat(thrown).isNotNull();
        assertThat(work.attempts()).isEqualTo(1);
        assertThat(since(startNanos)).isLessThan(LONG);
    }

    @Test
    void remembersNothingFromOneCallToTheNext() {
        Subject subject = create(Settings.of(3, SHORT), slept);
        for (int call = 0; call < 4; call++) {
            Work work = failing();
            assertThat(catchThrowable(() -> subject.call(work))).isNotNull();
            assertThat(work.attempts()).isEqualTo(3);
        }
    }

    @Test
    @Tag("concurrency")
    void callsThatShareAnEngineDoNotShareTheirAttempts() throws InterruptedException {
        Subject subject = create(Settings.of(3, Duration.ofMillis(1)), slept);
        var wrong = new AtomicInteger();
        BreakerContract.together(200, () -> {
            for (int call = 0; call < 5; call++) {
                var count = new AtomicInteger();
                Throwable thrown = catchThrowable(() -> subject.call(() -> {
                    throw new Passing(count.incrementAndGet());
                }));
                if (thrown == null || count.get() != 3) {
                    wrong.incrementAndGet();
                }
            }
        });
        assertThat(wrong.get()).as("calls that had another number of attempts").isZero();
    }

    private Work failing() {
        var count = new AtomicInteger();
        return new Work(() -> {
            throw new Passing(count.incrementAndGet());
        });
    }

    private static String goodFrom(int attempt, AtomicInteger count) {
        if (count.incrementAndGet() < attempt) {
            throw new Passing(count.get());
        }
        return "good";
    }

    private void isAbout(Duration waited, Duration wanted) {
        if (waitsInRealTime()) {
            assertThat(waited).isGreaterThanOrEqualTo(wanted.minus(ROUNDING));
        } else {
            assertThat(waited).isEqualTo(wanted);
        }
    }

    private static Throwable rootOf(Throwable thrown) {
        assertThat(thrown).as("what the call threw").isNotNull();
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private long nanoTime() {
        return waitsInRealTime() ? System.nanoTime() : slept.nanoTime();
    }

    private Duration since(long startNanos) {
        return Duration.ofNanos(nanoTime() - startNanos);
    }
}
