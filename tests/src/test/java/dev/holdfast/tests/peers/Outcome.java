package dev.holdfast.tests.peers;

/** What became of one promise of a contract with one library. */
enum Outcome {
    KEPT("yes"),
    BROKEN("**no**"),
    /** The library has no setting for it, or the outcome hangs on the machine's clock. */
    NOT_APPLICABLE("—");

    private final String cell;

    Outcome(String cell) {
        this.cell = cell;
    }

    String cell() {
        return cell;
    }
}
