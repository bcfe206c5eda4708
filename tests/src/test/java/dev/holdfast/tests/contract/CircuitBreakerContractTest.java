package dev.holdfast.tests.contract;

import dev.holdfast.BreakerState;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.BreakerContract;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

class CircuitBreakerContractTest extends BreakerContract {
    @Override
    protected Subject create(Settings settings, Timekeeper clock, Consumer<BreakerState> listener) {
        BreakerPolicy policy = BreakerPolicy.defaults()
                .withFailureThreshold(settings.failureThreshold())
                .withOpenTime(settings.openTime())
                .withProbes(settings.maxProbes(), settings.successThreshold())
                .withProbeTimeout(settings.probeTimeout());
        BreakerPolicy judging = settings.window()
                .map(window -> policy.withWindow(window(window)))
                .orElse(policy);
        return new Adapter(CircuitBreaker.of(
                "subject", judging, clock, new Random(), transition -> listener.accept(transition.to())));
    }

    private static BreakerWindow window(Window window) {
        return BreakerWindow.ofCalls(window.calls())
                .withMinimumCalls(window.minimumCalls())
                .withFailureRate(window.failureRate());
    }

    private record Adapter(CircuitBreaker breaker) implements Subject {
        @Override
        public Optional<Permit> acquire() {
            return breaker.acquire() instanceof CircuitBreaker.Permit permit
                    ? Optional.of(new AdaptedPermit(permit))
                    : Optional.empty();
        }

        @Override
        public <T> T call(Callable<T> work) throws Exception {
            return breaker.call(work);
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
