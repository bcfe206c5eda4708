package dev.holdfast.comparisons;

/**
 * What one contender did in one turn.
 *
 * @param medianMicros of its calls
 * @param callsPerSecond of all callers together
 * @param bytesPerCall allocated on the callers' own threads
 * @param processorMicros of the whole process, the server included, for each call
 */
record Slice(double medianMicros, double callsPerSecond, double bytesPerCall, double processorMicros) {}
