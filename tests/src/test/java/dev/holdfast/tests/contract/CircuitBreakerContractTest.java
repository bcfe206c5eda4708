package dev.holdfast.tests.contract;

import dev.holdfast.BreakerState;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.BreakerContract;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

class CircuitBreakerContractTest extends BreakerContract {
    @Override
    protected Subject create(Settings settings, Timekeeper time) {
        List<BreakerState> heard = new CopyOnWriteArrayList<>();
        BreakerPolicy policy = BreakerPolicy.defaults()
                .withFailureThreshold(settings.failureThreshold())
                .withOpenTime(settings.openTime())
                .withProbes(settings.maxProbes(), settings.successThreshold())
                .withProbeTimeout(settings.probeTimeout());
        var breaker =
                CircuitBreaker.of("subject", policy, time, new Random(), transition -> heard.add(transition.to()));
        return new Adapter(breaker, heard);
    }

    private record Adapter(CircuitBreaker breaker, List<BreakerState> heard) implements Subject {
        @Override
        public Optional<Permit> acquire() {
            return breaker.acquire() instanceof CircuitBreaker.Permit permit
                    ? Optional.of(new AdaptedPermit(permit))
                    : Optional.empty();
        }

        @Override
        public BreakerState state() {
            return breaker.state();
        }
    }

    private record AdaptedPermit(CircuitBreaker.Permit permit) implements BreakerContract.Permit {
        @Override
        public void succeeded() {
            permit.succeeded();
        }

        @Override
        public void failed() {
            permit.failed();
        }

        @Override
        public void ignored() {
            permit.ignored();
        }
    }
}
