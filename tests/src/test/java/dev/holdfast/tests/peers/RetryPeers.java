package dev.holdfast.tests.peers;

import dev.failsafe.Failsafe;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.RetryContract;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Other libraries' retries under the same contract as ours; they are run by {@link ContractTableTest}, not by themselves. */
final class RetryPeers {
    private RetryPeers() {}

    /** Waits on the machine's clock, as all of them do. */
    abstract static class Peer extends RetryContract {
        @Override
        protected boolean waitsInRealTime() {
            return true;
        }
    }

    /** It has no bound on a call's time. */
    static final class Resilience4j extends Peer {
        @Override
        protected boolean knowsDeadlines() {
            return false;
        }

        @Override
        protected Subject create(Settings settings, Timekeeper time) {
            var retry = io.github.resilience4j.retry.Retry.of(
                    "peer",
                    RetryConfig.<Object>custom()
                            .maxAttempts(settings.maxAttempts())
                            .intervalFunction(interval(settings))
                            .retryOnException(settings.retried())
                            .retryOnResult(settings.retriedResult())
                            .build());
            List<Duration> waits = Collections.synchronizedList(new ArrayList<>());
            retry.getEventPublisher().onRetry(event -> waits.add(event.getWaitInterval()));
            return new Telling(waits) {
                @Override
                public <T> T call(Callable<T> work) throws Exception {
                    return retry.executeCallable(work);
                }
            };
        }

        private static IntervalFunction interval(Settings settings) {
            if (settings.jitter() > 0) {
                return IntervalFunction.ofExponentialRandomBackoff(
                        settings.delay(), settings.factor(), settings.jitter(), settings.maxDelay());
            }
            return settings.factor() > 1
                    ? IntervalFunction.ofExponentialBackoff(settings.delay(), settings.factor(), settings.maxDelay())
                    : IntervalFunction.of(settings.delay());
        }
    }

    /** Its delay has a cap only if it grows. */
    static final class FailsafeRetry extends Peer {
        @Override
        protected Subject create(Settings settings, Timekeeper time) {
            List<Duration> waits = Collections.synchronizedList(new ArrayList<>());
            var builder = dev.failsafe.RetryPolicy.builder()
                    .withMaxAttempts(settings.maxAttempts())
                    .handleIf(thrown -> settings.retried().test(thrown))
                    .handleResultIf(result -> settings.retriedResult().test(result))
                    .onRetryScheduled(event -> waits.add(event.getDelay()));
            if (settings.factor() > 1) {
                builder.withBackoff(settings.delay(), settings.maxDelay(), settings.factor());
            } else {
                builder.withDelay(settings.delay());
            }
            if (settings.jitter() > 0) {
                builder.withJitter(settings.jitter());
            }
            settings.deadline().ifPresent(builder::withMaxDuration);
            var executor = Failsafe.with(builder.build());
            return new Telling(waits) {
                @Override
                public <T> T call(Callable<T> work) {
                    return executor.get(work::call);
                }
            };
        }
    }

    /** It looks at no results, and its delay has no cap. */
    static final class Helidon extends Peer {
        @Override
        protected boolean retriesResults() {
            return false;
        }

        @Override
        protected boolean growsDelays() {
            return false;
        }

        @Override
        protected Subject create(Settings settings, Timekeeper time) {
            var builder = io.helidon.faulttolerance.Retry.builder()
                    .name("peer")
                    .overallTimeout(settings.deadline().orElse(Duration.ofDays(1)))
                    .addApplyOn(retried());
            var retry = settings.jitter() > 0
                    ? builder.retryPolicy(io.helidon.faulttolerance.Retry.JitterRetryPolicy.builder()
                            .calls(settings.maxAttempts())
                            .delay(settings.delay())
                            .jitter(Duration.ofNanos((long) (settings.delay().toNanos() * settings.jitter())))
                            .build())
                    : builder.retryPolicy(io.helidon.faulttolerance.Retry.DelayingRetryPolicy.builder()
                            .calls(settings.maxAttempts())
                            .delay(settings.delay())
                            .delayFactor(settings.factor())
                            .build());
            return calling(new Supplying(retry.build()::invoke));
        }

        /** It knows classes only, no predicates: the class that the contract's predicate stands for. */
        @SuppressWarnings("unchecked")
        private static Class<? extends Throwable> retried() {
            try {
                return (Class<? extends Throwable>) Class.forName(RetryContract.class.getName() + "$Passing");
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** It is not built with a delay as long as the deadline. */
    static final class SmallRye extends Peer {
        @Override
        protected Subject create(Settings settings, Timekeeper time) {
            var retry = TypedGuard.create(Object.class)
                    .withRetry()
                    .maxRetries(settings.maxAttempts() - 1)
                    .maxDuration(settings.deadline().orElse(Duration.ZERO).toMillis(), ChronoUnit.MILLIS)
                    .delay(settings.delay().toMillis(), ChronoUnit.MILLIS)
                    .jitter((long) (settings.delay().toMillis() * settings.jitter()), ChronoUnit.MILLIS)
                    .whenException(thrown -> settings.retried().test(thrown))
                    .whenResult(settings.retriedResult());
            var guard = (settings.factor() > 1
                            ? retry.withExponentialBackoff()
                                    .factor((int) settings.factor())
                                    .maxDelay(settings.maxDelay().toMillis(), ChronoUnit.MILLIS)
                                    .done()
                            : retry)
                    .done()
                    .build();
            return calling(work -> guard.call(work::call));
        }
    }

    /** A subject that tells how long it waited. */
    private abstract static class Telling implements RetryContract.Subject {
        private final List<Duration> waits;

        Telling(List<Duration> waits) {
            this.waits = waits;
        }

        @Override
        public Optional<List<Duration>> delays() {
            return Optional.of(waits);
        }
    }

    private static RetryContract.Subject calling(Engine engine) {
        return new RetryContract.Subject() {
            @Override
            @SuppressWarnings("unchecked")
            public <T> T call(Callable<T> work) throws Exception {
                return (T) engine.call((Callable<Object>) work);
            }
        };
    }
}
