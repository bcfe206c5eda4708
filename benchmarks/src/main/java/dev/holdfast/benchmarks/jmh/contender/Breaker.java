package dev.holdfast.benchmarks.jmh.contender;

/** A library's breaker: around work, and where it has them, with permits by hand. */
@FunctionalInterface
public interface Breaker extends Guard {
    /** No breaker at all. */
    Breaker BARE = new Breaker() {
        @Override
        public Object call(Work work) {
            return work.call();
        }

        @Override
        public boolean succeed() {
            return true;
        }

        @Override
        public boolean fail() {
            return true;
        }
    };

    /** {@return whether it admitted an attempt, which went well} */
    default boolean succeed() {
        throw new NoPermitsException();
    }

    /** {@return whether it admitted an attempt, which failed} */
    default boolean fail() {
        throw new NoPermitsException();
    }

    /** The library has no permits by hand. */
    final class NoPermitsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoPermitsException() {
            super("no permits by hand");
        }
    }
}
