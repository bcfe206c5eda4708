package dev.holdfast.tests.architecture.offenders;

import dev.holdfast.tests.architecture.offenders.vault.internal.Hidden;

/** Uses what another module keeps to itself. */
public final class Intruder {
    private final Hidden taken = new Hidden();

    @Override
    public String toString() {
        return "has " + taken;
    }
}
