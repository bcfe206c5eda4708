package dev.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * A target that was skipped without sending anything.
 *
 * @param target the target
 * @param kind why: the breaker, a limit, a cooldown, an allow list
 * @param availableIn how long until it would be let through, where that is known
 * @param by the name of what skipped it, where several could have: the budget; empty elsewhere
 */
public record Rejection(Target target, FailureKind kind, Optional<Duration> availableIn, Optional<String> by) {
    /**
     * Creates a rejection whose kind says who it was.
     *
     * @param target the target
     * @param kind why
     * @param availableIn how long until it would be let through, where that is known
     */
    public Rejection(Target target, FailureKind kind, Optional<Duration> availableIn) {
        this(target, kind, availableIn, Optional.empty());
    }

    @Override
    public String toString() {
        return target + " " + kind.wireName() + by.map(name -> " by " + name).orElse("")
                + availableIn.map(in -> " for " + in.toMillis() + " ms").orElse("");
    }
}
