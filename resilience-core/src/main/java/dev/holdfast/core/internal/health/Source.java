package dev.holdfast.core.internal.health;

/** Where evidence of health comes from. */
public enum Source {
    /** A real call. */
    CALL,
    /** A probe, made to see how the endpoint does. */
    PROBE
}
