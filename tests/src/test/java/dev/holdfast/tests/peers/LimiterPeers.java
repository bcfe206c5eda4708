package dev.holdfast.tests.peers;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.LimiterContract;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Other libraries' rate limiters under the same contract as ours; they are run by {@link ContractTableTest}, not by
 * themselves. None limits two things together: requests and tokens are two limiters, asked one after the other, as one would
 * have to write it.
 */
final class LimiterPeers {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private LimiterPeers() {}

    abstract static class Peer extends LimiterContract {
        static void refuseConcurrency(Settings settings) {
            if (settings.concurrency().isPresent()) {
                abort("its rate limiter does not bound what is in flight");
            }
        }

        static Answer answer(boolean granted) {
            return new Answer(granted ? Optional.of(new Forgotten()) : Optional.empty(), Optional.empty());
        }
    }

    /** It is handed a clock. It takes nothing back, and to ask when there will be a permit is to reserve it. */
    static final class Resilience4j extends Peer {
        @Override
        protected Subject create(Settings settings, Timekeeper time) {
            refuseConcurrency(settings);
            RateLimiter requests = limiter(settings.requests(), time);
            RateLimiter tokens = limiter(settings.tokens(), time);
            return (wanted, maxWait) ->
                    answer(requests.acquirePermission() && (wanted == 0 || tokens.acquirePermission((int) wanted)));
        }

        private static RateLimiter limiter(OptionalLong limit, Timekeeper time) {
            return RateLimiter.of(
                    "peer",
                    RateLimiterConfig.custom()
                            .limitForPeriod((int) limit.orElse(Integer.MAX_VALUE))
                            .limitRefreshPeriod(MINUTE)
                            .timeoutDuration(Duration.ZERO)
                            .build(),
                    time::nanoTime);
        }
    }

    /** It knows the machine's clock only, and takes nothing back. */
    static final class Failsafe extends Peer {
        @Override
        protected Subject create(Settings settings, Timekeeper time) {
            refuseConcurrency(settings);
            var requests = limiter(settings.requests());
            var tokens = limiter(settings.tokens());
            return (wanted, maxWait) ->
                    answer(requests.tryAcquirePermit() && (wanted == 0 || tokens.tryAcquirePermits((int) wanted)));
        }

        private static dev.failsafe.RateLimiter<Object> limiter(OptionalLong limit) {
            return dev.failsafe.RateLimiter.burstyBuilder(limit.orElse(Integer.MAX_VALUE), MINUTE)
                    .build();
        }
    }

    /** It is handed a clock, says when there will be tokens, and tokens can be put back and taken beyond the limit. */
    static final class Bucket4j extends Peer {
        @Override
        protected Subject create(Settings settings, Timekeeper time) {
            refuseConcurrency(settings);
            Bucket requests = bucket(settings.requests(), time);
            Bucket tokens = bucket(settings.tokens(), time);
            return (wanted, maxWait) -> {
                ConsumptionProbe first = requests.tryConsumeAndReturnRemaining(1);
                if (!first.isConsumed()) {
                    return refusal(first);
                }
                if (wanted == 0) {
                    return new Answer(Optional.of(new Refundable(requests, tokens, 0)), Optional.empty());
                }
                ConsumptionProbe second = tokens.tryConsumeAndReturnRemaining(wanted);
                if (!second.isConsumed()) {
                    requests.addTokens(1);
                    return refusal(second);
                }
                return new Answer(Optional.of(new Refundable(requests, tokens, wanted)), Optional.empty());
            };
        }

        private static Answer refusal(ConsumptionProbe probe) {
            return new Answer(Optional.empty(), Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill())));
        }

        private static Bucket bucket(OptionalLong limit, Timekeeper time) {
            long capacity = limit.orElse(Integer.MAX_VALUE);
            return Bucket.builder()
                    .addLimit(each -> each.capacity(capacity).refillGreedy(capacity, MINUTE))
                    .withCustomTimePrecision(new TimeMeter() {
                        @Override
                        public long currentTimeNanos() {
                            return time.nanoTime();
                        }

                        @Override
                        public boolean isWallClockBased() {
                            return false;
                        }
                    })
                    .build();
        }
    }

    /** That it ends once is the adapter's doing: a bucket does not know what it gave to whom. */
    private record Refundable(Bucket requests, Bucket tokens, long reserved, AtomicBoolean ended)
            implements LimiterContract.Grant {
        Refundable(Bucket requests, Bucket tokens, long reserved) {
            this(requests, tokens, reserved, new AtomicBoolean());
        }

        @Override
        public void settle(long actualTokens) {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            if (actualTokens < reserved) {
                tokens.addTokens(reserved - actualTokens);
            } else if (actualTokens > reserved) {
                tokens.consumeIgnoringRateLimits(actualTokens - reserved);
            }
        }

        @Override
        public void cancel() {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            requests.addTokens(1);
            if (reserved > 0) {
                tokens.addTokens(reserved);
            }
        }
    }

    private record Forgotten() implements LimiterContract.Grant {
        @Override
        public void settle(long actualTokens) {}

        @Override
        public void cancel() {}
    }
}
