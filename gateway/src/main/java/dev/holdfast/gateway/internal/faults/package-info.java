/** The faulty provider as a command: what it answers is read from a file. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.faults;
