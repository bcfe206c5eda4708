package dev.holdfast.core;

/** Stands here until the package has its first type: an exported package cannot be empty. */
public final class Placeholder {
    private Placeholder() {}
}
