package dev.holdfast.core.internal.call;

/** Asked once, when an attempt is about to leave this process: whether it still may. From then on nobody can call it back unsent. */
@FunctionalInterface
interface Departure {
    /** Nothing is called off from beside. */
    Departure FREE = () -> true;

    boolean mayLeave();
}
