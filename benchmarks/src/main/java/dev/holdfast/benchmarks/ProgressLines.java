package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.table.StrategyTable;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Says on the error stream how far the work is and how long it may still take: nothing within the first second, then a line every
 * two, and later every ten. Whole lines, since Java cannot tell whether the error stream is a terminal.
 */
final class ProgressLines implements StrategyTable.Progress {
    private static final long QUIET_NANOS = 1_000_000_000L;
    private static final long PAUSE_NANOS = 2_000_000_000L;
    private static final long LONG_PAUSE_NANOS = 10_000_000_000L;
    private static final long LONG_NANOS = 20_000_000_000L;

    private final PrintWriter err;
    private final long startNanos = System.nanoTime();
    private int runsDone;
    private long doneNanos = startNanos;
    private long nextNanos = startNanos + QUIET_NANOS;

    ProgressLines(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void done(int runs, int all) {
        long now = System.nanoTime();
        runsDone = runs;
        doneNanos = now;
        if (runs < all && now - nextNanos >= 0) {
            long spent = now - startNanos;
            nextNanos = now + (spent > LONG_NANOS ? LONG_PAUSE_NANOS : PAUSE_NANOS);
            err.printf(Locale.ROOT, "holdfast: %d of %d runs done, about %s left%n", runs, all, length((long)
                    ((double) spent / runs * (all - runs))));
            err.flush();
        }
    }

    /** The work is over: how fast it went, unless it was too quick to tell. */
    void finished(int callsOfARun) {
        long nanos = doneNanos - startNanos;
        long calls = (long) runsDone * callsOfARun;
        if (nanos > QUIET_NANOS && calls > 0) {
            err.printf(Locale.ROOT, "holdfast: %,d calls in %.1f s, %,d in a second%n", calls, nanos / 1e9, (long)
                    (calls / (nanos / 1e9)));
            err.flush();
        }
    }

    private static String length(long nanos) {
        long seconds = Math.max(1, Math.round(nanos / 1e9));
        return seconds < 100 ? seconds + " s" : Math.round(seconds / 60.0) + " min";
    }
}
