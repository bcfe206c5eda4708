package dev.holdfast.tests.contract;

import dev.holdfast.core.Backoff;
import dev.holdfast.spi.BackoffStrategy;
import dev.holdfast.testkit.BackoffContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

class BackoffContractTest {
    private abstract static class Ours extends BackoffContract {
        private final Backoff backoff;

        Ours(String text) {
            backoff = Backoff.parse(text);
        }

        @Override
        protected BackoffStrategy strategy() {
            return backoff;
        }

        @Override
        protected Duration cap() {
            return backoff.max();
        }

        @Override
        protected Duration floor() {
            return backoff.floor();
        }
    }

    @Nested
    class Immediate extends Ours {
        Immediate() {
            super("immediate()");
        }
    }

    @Nested
    class Fixed extends Ours {
        Fixed() {
            super("fixed(2s, jitter full)");
        }
    }

    @Nested
    class Linear extends Ours {
        Linear() {
            super("linear(1s, max 30s, jitter equal)");
        }
    }

    @Nested
    class Exponential extends Ours {
        Exponential() {
            super("exponential(1s, x2, max 60s, jitter 0.5)");
        }
    }

    @Nested
    class ExponentialWithFloor extends Ours {
        ExponentialWithFloor() {
            super("exponential(1s, x2, max 60s, floor 100ms, jitter full)");
        }
    }

    @Nested
    class Decorrelated extends Ours {
        Decorrelated() {
            super("exponential(1s, x2, max 60s, jitter decorrelated)");
        }
    }
}
