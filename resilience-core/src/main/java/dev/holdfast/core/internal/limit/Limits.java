package dev.holdfast.core.internal.limit;

import dev.holdfast.core.LimitPolicy;
import java.time.Duration;

/** A limit policy in plain numbers, with {@link Long#MAX_VALUE} for what is not limited. */
public record Limits(long requests, long tokens, long concurrency, long windowNanos) {
    public static Limits of(LimitPolicy policy, Duration window) {
        return new Limits(
                policy.rpm().orElse(Long.MAX_VALUE),
                policy.tpm().orElse(Long.MAX_VALUE),
                policy.concurrency().isPresent() ? policy.concurrency().getAsInt() : Long.MAX_VALUE,
                window.toNanos());
    }

    public boolean canEverGrant(long wanted) {
        return wanted <= tokens;
    }
}
