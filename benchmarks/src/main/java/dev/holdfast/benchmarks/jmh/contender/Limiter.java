package dev.holdfast.benchmarks.jmh.contender;

/** A library's rate limiter. */
@FunctionalInterface
public interface Limiter {
    /** No limiter at all. */
    Limiter BARE = () -> true;

    /** {@return whether one request was granted, which is then over} */
    boolean tryOnce();
}
