package dev.holdfast.core.internal.call;

/**
 * The attempt that a call ends well with, and what came of it. It ends with the answer's last byte.
 *
 * @param outcome what came
 * @param underway the attempt
 */
record Won(Outcome.Good outcome, Underway underway) {}
