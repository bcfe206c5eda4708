package dev.holdfast.benchmarks.table;

/** Who keeps the places that calls take. */
public enum Slots {
    /** The program that makes the calls, around each of them: a call holds its place while it waits to try again. */
    PROGRAM,
    /** The limiter of the client, around each attempt: a call that waits has given its place back. */
    LIMITER
}
