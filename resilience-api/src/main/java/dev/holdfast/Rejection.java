package dev.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * A target that was skipped without sending anything.
 *
 * @param target the target
 * @param kind why: the breaker, a limit, a cooldown, an allow list
 * @param availableIn how long until it would be let through, where that is known
 */
public record Rejection(Target target, FailureKind kind, Optional<Duration> availableIn) {
    @Override
    public String toString() {
        return target + " " + kind.wireName()
                + availableIn.map(in -> " for " + in.toMillis() + " ms").orElse("");
    }
}
