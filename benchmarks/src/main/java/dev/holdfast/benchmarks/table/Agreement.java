package dev.holdfast.benchmarks.table;

import dev.holdfast.benchmarks.table.StrategyTable.Progress;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The same weather simulated and over real sockets.
 *
 * @param speed how many seconds of the weather passed in one
 * @param exchange how long an exchange takes on this machine that takes no time in the weather; the provider answered so much
 *     earlier
 * @param rows one for each strategy that was run
 */
public record Agreement(Profile profile, int requests, long seed, double speed, Duration exchange, List<Row> rows) {
    private static final int WARM_UP = 300;
    private static final double MEAN_PERCENT = 5;
    private static final double SUCCESS_POINTS = 0.3;
    private static final String FIGURES = "%-20s %10s %10s %9s   %10s %10s %9s   %s%n";

    /** Copies the list. */
    public Agreement {
        rows = List.copyOf(rows);
    }

    /** A strategy, both ways. */
    public record Row(Strategy strategy, Cells simulated, Cells real) {
        double meanPercent() {
            return 100 * (real.meanMs() / simulated.meanMs() - 1);
        }

        double successPoints() {
            return real.successPct() - simulated.successPct();
        }

        /** Whether the means are within 5 % and the successes within 0.3 points. */
        public boolean holds() {
            return Math.abs(meanPercent()) <= MEAN_PERCENT && Math.abs(successPoints()) <= SUCCESS_POINTS + 1e-9;
        }
    }

    /** Whether all rows agree, and all strategies were run. */
    public boolean holds() {
        return rows.size() == Strategy.values().length && rows.stream().allMatch(Row::holds);
    }

    /** Runs every strategy both ways. An interrupt stops it: what is done then is the result. */
    public static Agreement run(Profile profile, int requests, long seed, double speed, Progress progress) {
        var rows = new ArrayList<Row>();
        Duration exchange = RealRun.exchange();
        try {
            RealRun.of(Strategy.NONE, seed, profile.weather(seed, Math.min(requests, WARM_UP)), speed, exchange);
            for (Strategy strategy : Strategy.values()) {
                Outcome simulated = StrategyRun.withChanceOfEachCall(strategy, seed, profile.weather(seed, requests));
                Outcome real = RealRun.of(strategy, seed, profile.weather(seed, requests), speed, exchange);
                rows.add(new Row(strategy, Cells.of(simulated, simulated), Cells.of(real, real)));
                progress.done(rows.size(), Strategy.values().length);
            }
        } catch (InterruptedException e) {
            // What is done is told.
        }
        return new Agreement(profile, requests, seed, speed, exchange, rows);
    }

    /** For people. */
    public String text() {
        var out = new StringBuilder(format(
                "%,d calls for each strategy, profile %s, seed %d, simulated and over real sockets at %s times the"
                        + " speed%n%n",
                requests, profile.name(), seed, number(speed)));
        out.append(format(
                FIGURES, "strategy", "mean ms", "real", "differ", "success %", "real", "differ", "within 5 %, 0.3"));
        for (Row row : rows) {
            out.append(format(
                    FIGURES,
                    row.strategy().title(),
                    format("%.0f", row.simulated().meanMs()),
                    format("%.0f", row.real().meanMs()),
                    format("%+.1f %%", row.meanPercent()),
                    format("%.2f", row.simulated().successPct()),
                    format("%.2f", row.real().successPct()),
                    format("%+.2f", row.successPoints()),
                    row.holds() ? "agrees" : "DOES NOT AGREE"));
        }
        out.append(format(
                "%nAn exchange takes %.2f ms of this machine, %.1f ms of the weather; the provider answers that much"
                        + " earlier.%n",
                exchange.toNanos() / 1e6, exchange.toNanos() / 1e6 * speed));
        return out.append(rows.size() < Strategy.values().length ? "\nstopped before all strategies were run\n" : "")
                .toString();
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not worth a dependency
    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
