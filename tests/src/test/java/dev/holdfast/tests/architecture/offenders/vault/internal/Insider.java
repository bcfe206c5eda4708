package dev.holdfast.tests.architecture.offenders.vault.internal;

/** Uses what is its own. */
public final class Insider {
    private final Hidden own = new Hidden();

    @Override
    public String toString() {
        return "has " + own;
    }
}
