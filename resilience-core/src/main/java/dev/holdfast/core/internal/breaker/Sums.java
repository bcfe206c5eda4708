package dev.holdfast.core.internal.breaker;

/**
 * What a window holds.
 *
 * @param calls how many calls, which are the failures and the successes
 * @param failures how many failed
 * @param slow how many were slow, failed or not
 */
public record Sums(long calls, long failures, long slow) {
    public static final Sums NONE = new Sums(0, 0, 0);
}
