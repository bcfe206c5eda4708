package dev.holdfast;

/**
 * Something in the request that had to change for the target that served it.
 *
 * @param pointer where in the request, as a JSON pointer (RFC 6901)
 * @param what what was done: "dropped", "clamped to 8192"
 */
public record Adjustment(String pointer, String what) {}
