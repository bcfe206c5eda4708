package dev.holdfast.core.internal.call;

import java.util.Optional;

/** One way a call can go on. Pure: it looks at the state and says what it would do, or nothing. */
@FunctionalInterface
interface MoveRule {
    Optional<NextMove> next(CallState state);
}
