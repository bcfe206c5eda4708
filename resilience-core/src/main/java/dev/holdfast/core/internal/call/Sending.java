package dev.holdfast.core.internal.call;

import java.util.Optional;

/** Sends an attempt that was begun, and blocks until it has won or ended otherwise. */
@FunctionalInterface
interface Sending {
    /** The attempt that won; empty if the call has to think again. */
    Optional<Won> send(Underway underway) throws InterruptedException;
}
