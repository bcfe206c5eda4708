package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.table.StrategyTable;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Says on the error stream how far the work is: nothing within the first second, then a line every two. Whole lines, since
 * Java cannot tell whether the error stream is a terminal.
 */
final class ProgressLines implements StrategyTable.Progress {
    private static final long QUIET_NANOS = 1_000_000_000L;
    private static final long PAUSE_NANOS = 2_000_000_000L;

    private final PrintWriter err;
    private long nextNanos = System.nanoTime() + QUIET_NANOS;

    ProgressLines(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void done(int runs, int all) {
        long now = System.nanoTime();
        if (runs < all && now - nextNanos >= 0) {
            nextNanos = now + PAUSE_NANOS;
            err.printf(Locale.ROOT, "holdfast: %d of %d runs done%n", runs, all);
            err.flush();
        }
    }
}
