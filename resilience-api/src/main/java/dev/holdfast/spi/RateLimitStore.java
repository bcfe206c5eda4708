package dev.holdfast.spi;

import java.time.Duration;

/**
 * Shares one limit between several processes by leases: a limiter asks for a share, spends it on its own and asks again.
 *
 * <p>No part of this version asks one yet; {@code LimitPolicy.withInstances} shares a limit evenly without a store.
 *
 * <p>Whatever is leased counts against the limit until it is renewed, and for a window after its end where it is not: what all
 * processes spend in any window never exceeds the limit. Called off the call's path by a thread of the limiter. It may throw any unchecked exception: the limiter then keeps its
 * last lease. A lease ends by itself, so that what a dead process held comes back.
 */
@FunctionalInterface
public interface RateLimitStore {
    /**
     * {@return what this process may spend}
     *
     * @param request whose limit, and how much was spent since the last lease
     */
    Lease lease(LeaseRequest request);

    /**
     * A request for a share.
     *
     * @param key whose limit
     * @param instance which process asks
     * @param limit what all processes together may spend in a window
     * @param window the window
     * @param spent what this process has spent since its last lease
     */
    record LeaseRequest(String key, String instance, long limit, Duration window, long spent) {}

    /**
     * A share.
     *
     * @param amount what may be spent, not negative
     * @param length for how long, at most 10 s
     */
    record Lease(long amount, Duration length) {}
}
