package dev.holdfast.tests.contract;

import dev.holdfast.core.Backoff;
import dev.holdfast.core.Jitter;
import dev.holdfast.core.Retry;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.RetryContract;
import java.util.Random;
import org.junit.jupiter.api.Nested;

class RetryContractTest {
    private abstract static class Ours extends RetryContract {
        static Retry retry(Settings settings, Timekeeper time) {
            Backoff backoff = Backoff.exponential(settings.delay())
                    .withFactor(settings.factor())
                    .withMax(settings.maxDelay())
                    .withJitter(settings.jitter() == 0 ? Jitter.none() : Jitter.proportional(settings.jitter()));
            RetryPolicy plain = RetryPolicy.standard()
                    .withMaxAttempts(settings.maxAttempts())
                    .withBackoff(backoff)
                    .withoutBudget();
            RetryPolicy policy = settings.deadline().map(plain::withDeadline).orElse(plain.withoutDeadline());
            return Retry.of(policy, time, new Random(1))
                    .onException(settings.retried()::test)
                    .onResult(settings.retriedResult());
        }
    }

    @Nested
    class OnGivenTime extends Ours {
        @Override
        protected Subject create(Settings settings, Timekeeper time) {
            return retry(settings, time)::call;
        }
    }

    @Nested
    class OnTheMachinesTime extends Ours {
        @Override
        protected Subject create(Settings settings, Timekeeper time) {
            return retry(settings, Timekeeper.system())::call;
        }

        @Override
        protected boolean waitsInRealTime() {
            return true;
        }
    }
}
