package dev.holdfast.simulation.internal.weather;

/** A provider's rate limit: full at the start, refilled steadily. Times in seconds, never going back. */
public final class TokenBucket {
    private final double capacity;
    private final double refillPerSecond;
    private double tokens;
    private double filledAt;

    public TokenBucket(double capacity, double refillPerSecond) {
        this.capacity = capacity;
        this.refillPerSecond = refillPerSecond;
        this.tokens = capacity;
    }

    /** Takes a token if there is one. */
    public boolean tryTake(double time) {
        tokens = StrictMath.min(capacity, tokens + (time - filledAt) * refillPerSecond);
        filledAt = time;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    /** In how many seconds there is a token, if nobody else takes it. */
    public double secondsToNext(double time) {
        double now = StrictMath.min(capacity, tokens + (time - filledAt) * refillPerSecond);
        return StrictMath.max(0, (1 - now) / refillPerSecond);
    }
}
