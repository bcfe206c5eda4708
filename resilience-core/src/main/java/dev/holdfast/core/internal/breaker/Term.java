package dev.holdfast.core.internal.breaker;

/** How long a state that someone ordered holds. */
public record Term(boolean ends, long untilNanos) {
    public static final Term FOREVER = new Term(false, 0);

    public static Term until(long nanos) {
        return new Term(true, nanos);
    }

    boolean isOver(long nowNanos) {
        return ends && nowNanos - untilNanos >= 0;
    }
}
