package dev.holdfast.tests.architecture.offenders;

/** Holds a monitor for the length of a method. */
public final class Synchronizes {
    synchronized void run() {
        notifyAll();
    }
}
