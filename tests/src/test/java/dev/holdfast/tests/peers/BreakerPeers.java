package dev.holdfast.tests.peers;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.holdfast.BreakerState;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.BreakerContract;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.smallrye.faulttolerance.api.CircuitBreakerMaintenance;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Other libraries' breakers under the same contract as ours; they are run by {@link ContractTableTest}, not by themselves.
 * Failures in a row are, for who knows only windows, as many failures of as many calls.
 */
final class BreakerPeers {
    private BreakerPeers() {}

    /**
     * Runs on the machine's clock. The breaker is set to open for a little less than the contract is told, so that a timer that is
     * late does not matter; what it does too early by less than that goes unseen.
     */
    abstract static class Peer extends BreakerContract {
        private static final Duration OPEN = Duration.ofMillis(600);
        private static final Duration LATE = Duration.ofMillis(150);

        @Override
        protected void pass(Duration length) {
            long end = System.nanoTime() + length.toNanos();
            for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }

        @Override
        protected Duration openTime() {
            return OPEN;
        }

        @Override
        protected Duration precision() {
            return OPEN.minus(LATE);
        }

        static Duration openTime(Settings settings) {
            return settings.openTime().minus(LATE);
        }

        /** Where the number of probes at once and of those that must succeed are one setting. */
        static int probes(Settings settings) {
            if (settings.successThreshold() > settings.maxProbes() && settings.successThreshold() < Integer.MAX_VALUE) {
                abort("one setting says how many probes there may be and how many must succeed");
            }
            return settings.maxProbes();
        }

        /** Where a window must be full before it opens the breaker. */
        static int calls(Settings settings) {
            return settings.window().map(Window::calls).orElse(settings.failureThreshold());
        }

        static double rate(Settings settings) {
            return settings.window().map(Window::failureRate).orElse(1.0);
        }
    }

    static final class Resilience4j extends Peer {
        @Override
        protected Subject create(Settings settings, Timekeeper clock, Consumer<BreakerState> listener) {
            int calls = calls(settings);
            int minimum = settings.window().map(Window::minimumCalls).orElse(calls);
            var breaker = CircuitBreaker.of(
                    "peer",
                    CircuitBreakerConfig.custom()
                            .slidingWindow(calls, minimum, SlidingWindowType.COUNT_BASED)
                            .failureRateThreshold((float) (rate(settings) * 100))
                            .permittedNumberOfCallsInHalfOpenState(probes(settings))
                            .maxWaitDurationInHalfOpenState(settings.probeTimeout())
                            .waitDurationInOpenState(openTime(settings))
                            .build());
            breaker.getEventPublisher()
                    .onStateTransition(event -> listener.accept(BreakerState.valueOf(
                            event.getStateTransition().getToState().name())));
            return new ByHand(breaker);
        }

        private record ByHand(CircuitBreaker breaker) implements Subject, Permit {
            @Override
            public Optional<Permit> acquire() {
                return breaker.tryAcquirePermission() ? Optional.of(this) : Optional.empty();
            }

            @Override
            public <T> T call(Callable<T> work) throws Exception {
                return breaker.executeCallable(work);
            }

            @Override
            public BreakerState state() {
                return BreakerState.valueOf(breaker.getState().name());
            }

            @Override
            public void succeeded() {
                breaker.onSuccess(0, TimeUnit.NANOSECONDS);
            }

            @Override
            public void failed() {
                breaker.onError(0, TimeUnit.NANOSECONDS, new CallPermit.FailedException());
            }

            @Override
            public void ignored() {
                breaker.releasePermission();
            }
        }
    }

    /** By hand, it has no ending that says nothing: such a permit is not reported. */
    static final class FailsafeBreaker extends Peer {
        @Override
        protected Subject create(Settings settings, Timekeeper clock, Consumer<BreakerState> listener) {
            int calls = calls(settings);
            var builder = dev.failsafe.CircuitBreaker.builder()
                    .withDelay(openTime(settings))
                    .withSuccessThreshold(probes(settings))
                    .onOpen(event -> listener.accept(BreakerState.OPEN))
                    .onHalfOpen(event -> listener.accept(BreakerState.HALF_OPEN))
                    .onClose(event -> listener.accept(BreakerState.CLOSED));
            var breaker = (settings.window().isEmpty()
                            ? builder.withFailureThreshold(calls)
                            : builder.withFailureThreshold((int) Math.ceil(calls * rate(settings)), calls))
                    .build();
            return new ByHand(breaker, Failsafe.with(breaker));
        }

        private record ByHand(dev.failsafe.CircuitBreaker<Object> breaker, FailsafeExecutor<Object> executor)
                implements Subject, Permit {
            @Override
            public Optional<Permit> acquire() {
                return breaker.tryAcquirePermit() ? Optional.of(this) : Optional.empty();
            }

            @Override
            public <T> T call(Callable<T> work) {
                return executor.get(work::call);
            }

            @Override
            public BreakerState state() {
                return BreakerState.valueOf(breaker.getState().name());
            }

            @Override
            public void succeeded() {
                breaker.recordSuccess();
            }

            @Override
            public void failed() {
                breaker.recordFailure();
            }

            @Override
            public void ignored() {}
        }
    }

    /** It admits one probe at a time, and tells nobody of its transitions: they are what one sees before and after each step. */
    static final class Helidon extends Peer {
        @Override
        protected Subject create(Settings settings, Timekeeper clock, Consumer<BreakerState> listener) {
            var breaker = io.helidon.faulttolerance.CircuitBreaker.builder()
                    .name("peer")
                    .volume(calls(settings))
                    .errorRatio((int) Math.round(rate(settings) * 100))
                    .successThreshold(Math.min(settings.successThreshold(), 1_000_000))
                    .delay(openTime(settings))
                    .addSkipOn(CallPermit.IgnoredException.class)
                    .build();
            var last = new AtomicReference<>(BreakerState.CLOSED);
            Engine engine = new Supplying(breaker::invoke);
            return new ByCall(engine, () -> BreakerState.valueOf(breaker.state().name())) {
                @Override
                void look() {
                    BreakerState now = state();
                    if (last.getAndSet(now) != now) {
                        listener.accept(now);
                    }
                }
            };
        }
    }

    static final class SmallRye extends Peer {
        @Override
        protected Subject create(Settings settings, Timekeeper clock, Consumer<BreakerState> listener) {
            String name = UUID.randomUUID().toString();
            var guard = TypedGuard.create(Object.class)
                    .withCircuitBreaker()
                    .name(name)
                    .requestVolumeThreshold(calls(settings))
                    .failureRatio(rate(settings))
                    .successThreshold(probes(settings))
                    .delay(openTime(settings).toMillis(), ChronoUnit.MILLIS)
                    .skipOn(CallPermit.IgnoredException.class)
                    .onStateChange(state -> listener.accept(BreakerState.valueOf(state.name())))
                    .done()
                    .build();
            return new ByCall(
                    guard::call,
                    () -> BreakerState.valueOf(
                            CircuitBreakerMaintenance.get().currentState(name).name()));
        }
    }

    /** A breaker without permits by hand. */
    private static class ByCall implements BreakerContract.Subject {
        private final Engine engine;
        private final java.util.function.Supplier<BreakerState> state;

        ByCall(Engine engine, java.util.function.Supplier<BreakerState> state) {
            this.engine = engine;
            this.state = state;
        }

        void look() {}

        @Override
        public Optional<BreakerContract.Permit> acquire() {
            look();
            return CallPermit.of(engine).map(Looking::new);
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T call(Callable<T> work) throws Exception {
            try {
                return (T) engine.call((Callable<Object>) work);
            } catch (RuntimeException e) {
                if (e.getCause() instanceof Error wrapped) {
                    throw wrapped;
                }
                throw e;
            }
        }

        @Override
        public BreakerState state() {
            return state.get();
        }

        private final class Looking implements BreakerContract.Permit {
            private final BreakerContract.Permit permit;

            Looking(BreakerContract.Permit permit) {
                this.permit = permit;
            }

            @Override
            public void succeeded() {
                permit.succeeded();
                look();
            }

            @Override
            public void failed() {
                permit.failed();
                look();
            }

            @Override
            public void ignored() {
                permit.ignored();
                look();
            }
        }
    }
}
