/** Virtual time, the faulty provider, weather profiles and traces. */
package dev.holdfast.simulation;
