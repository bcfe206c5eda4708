/**
 * A provider that fails on purpose, as a real server and in virtual time.
 *
 * <p>{@link dev.holdfast.simulation.Reply} is one scripted answer, {@link dev.holdfast.simulation.FaultScript} says which
 * request gets which.
 */
package dev.holdfast.simulation;
