package dev.holdfast.comparisons;

/**
 * What one contender did in one turn.
 *
 * @param medianMicros of its calls
 * @param callsPerSecond of all callers together
 * @param bytesPerCall allocated on the callers' own threads
 */
record Slice(double medianMicros, double callsPerSecond, double bytesPerCall) {}
