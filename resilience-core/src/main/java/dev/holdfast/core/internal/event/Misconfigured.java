package dev.holdfast.core.internal.event;

import dev.holdfast.FailureKind;
import dev.holdfast.Target;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The targets that refuse the key or do not know the model, so that each is warned of once, until it serves again. */
public final class Misconfigured {
    private static final int MOST_TARGETS = 1_000;

    private final Set<Target> known = ConcurrentHashMap.newKeySet();

    public static boolean is(FailureKind kind) {
        return switch (kind) {
            case AUTH, PERMISSION, MODEL_NOT_FOUND -> true;
            default -> false;
        };
    }

    /** Says whether this is news. */
    public boolean add(Target target) {
        if (known.size() >= MOST_TARGETS) {
            known.stream().findFirst().ifPresent(known::remove);
        }
        return known.add(target);
    }

    /** Says whether this is news. */
    public boolean serves(Target target) {
        return !known.isEmpty() && known.remove(target);
    }

    public boolean contains(Target target) {
        return known.contains(target);
    }
}
