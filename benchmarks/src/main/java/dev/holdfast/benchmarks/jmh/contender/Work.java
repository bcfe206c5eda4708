package dev.holdfast.benchmarks.jmh.contender;

import dev.failsafe.function.CheckedSupplier;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * What is guarded, in the shape that each library takes, so that none of them pays for an adapter. It gives back a field, or
 * throws an exception made beforehand: what is measured is the guard.
 */
public class Work implements Callable<Object>, Supplier<Object>, CheckedSupplier<Object> {
    private Object answer = "answer";

    @Override
    public Object call() {
        return answer;
    }

    @Override
    public Object get() {
        return answer;
    }

    /** Work that fails. */
    public static final class Failing extends Work {
        @Override
        public Object call() {
            throw WorkFailedException.ONLY;
        }

        @Override
        public Object get() {
            throw WorkFailedException.ONLY;
        }
    }

    /** Work that tells when it has begun, and never ends. */
    public static final class Staying extends Work {
        private final CountDownLatch begun;

        /** Creates it. */
        public Staying(CountDownLatch begun) {
            this.begun = begun;
        }

        @Override
        public Object call() {
            return stay();
        }

        @Override
        public Object get() {
            return stay();
        }

        private Object stay() {
            begun.countDown();
            while (true) {
                LockSupport.park(this);
            }
        }
    }

    /** Work that goes well and fails in turn, as one thread sees it. */
    public static final class Alternating extends Work {
        private boolean fails;

        @Override
        public Object call() {
            return answer();
        }

        @Override
        public Object get() {
            return answer();
        }

        private Object answer() {
            fails = !fails;
            if (fails) {
                throw WorkFailedException.ONLY;
            }
            return this;
        }
    }
}
