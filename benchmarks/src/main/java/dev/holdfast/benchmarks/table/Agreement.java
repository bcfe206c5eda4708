package dev.holdfast.benchmarks.table;

import dev.holdfast.benchmarks.table.StrategyTable.Progress;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The same weather simulated and over real sockets.
 *
 * @param speed how many seconds of the weather passed in one
 * @param exchange how long an exchange takes on this machine that takes no time in the weather; the provider answered so much
 *     earlier
 * @param rows one for each strategy that was run
 */
public record Agreement(Profile profile, int requests, long seed, double speed, Duration exchange, List<Row> rows) {
    private static final int WARM_UP = 500;
    private static final double MEAN_PERCENT = 5;
    private static final double SUCCESS_POINTS = 0.3;
    private static final String FIGURES = "%-20s %10s %9s %10s %6s %9s   %10s %10s %9s   %s%n";
    /** How often each strategy is simulated. */
    private static final int SIMULATED = 10;
    /** One whose simulations differ by more is run several times over sockets. */
    private static final double STEADY_PERCENT = 1;

    private static final int REAL_IF_UNSTEADY = 3;

    /** Copies the list. */
    public Agreement {
        rows = List.copyOf(rows);
    }

    /**
     * A strategy, both ways.
     *
     * @param simulations what each simulation gave, on a machine that is never twice the same
     * @param runs what each run over sockets gave
     */
    public record Row(Strategy strategy, List<Cells> simulations, List<Cells> runs) {
        /** Copies the lists. */
        public Row {
            simulations = List.copyOf(simulations);
            runs = List.copyOf(runs);
        }

        Cells simulated() {
            return Cells.mean(simulations);
        }

        Cells real() {
            return Cells.mean(runs);
        }

        /** How far the means of the simulations lie apart: their standard deviation. */
        double spreadPercent() {
            return Agreement.spreadPercent(simulations);
        }

        double meanPercent() {
            return 100 * (real().meanMs() / simulated().meanMs() - 1);
        }

        double successPoints() {
            return real().successPct() - simulated().successPct();
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
            exchange = underLoad(exchange, profile, Math.min(requests, WARM_UP), seed, speed);
            for (Strategy strategy : Strategy.values()) {
                rows.add(row(strategy, profile, requests, seed, speed, exchange));
                progress.done(rows.size(), Strategy.values().length);
            }
        } catch (InterruptedException e) {
            // What is done is told.
        }
        return new Agreement(profile, requests, seed, speed, exchange, rows);
    }

    /** The simulation plays the machine too: each answer comes up to an exchange earlier or later. */
    private static Row row(Strategy strategy, Profile profile, int requests, long seed, double speed, Duration exchange)
            throws InterruptedException {
        Duration inTheWeather = Duration.ofNanos(Math.round(exchange.toNanos() * speed));
        var simulations = new ArrayList<Cells>();
        for (int i = 0; i < SIMULATED; i++) {
            Outcome simulated = StrategyRun.asOverSockets(
                    strategy, seed, profile.weather(seed, requests), inTheWeather, new SplittableRandom(i));
            simulations.add(Cells.of(simulated, simulated));
        }
        var runs = new ArrayList<Cells>();
        int times = spreadPercent(simulations) <= STEADY_PERCENT ? 1 : REAL_IF_UNSTEADY;
        for (int i = 0; i < times; i++) {
            Outcome real = RealRun.of(strategy, seed, profile.weather(seed, requests), speed, exchange);
            runs.add(Cells.of(real, real));
        }
        return new Row(strategy, simulations, runs);
    }

    private static double spreadPercent(List<Cells> simulations) {
        return 100
                * Cells.deviation(simulations).meanMs()
                / Cells.mean(simulations).meanMs();
    }

    /**
     * How long an exchange takes while others are on their way: what one alone takes, and what calls without retries, which are an
     * exchange each, take longer than simulated. The first of them warm up.
     */
    private static Duration underLoad(Duration alone, Profile profile, int requests, long seed, double speed)
            throws InterruptedException {
        Duration exchange = alone;
        for (int i = 0; i < 2; i++) {
            Outcome simulated = StrategyRun.asOverSockets(Strategy.NONE, seed, profile.weather(seed, requests));
            Outcome real = RealRun.of(Strategy.NONE, seed, profile.weather(seed, requests), speed, exchange);
            double longerMs = Cells.of(real, real).meanMs()
                    - Cells.of(simulated, simulated).meanMs();
            exchange = exchange.plusNanos(Math.round(longerMs * 1e6 / speed));
        }
        return exchange.isNegative() ? Duration.ZERO : exchange;
    }

    /** For people. */
    public String text() {
        var out = new StringBuilder(format(
                "%,d calls for each strategy, profile %s, seed %d, simulated and over real sockets at %s times the"
                        + " speed%n%n",
                requests, profile.name(), seed, number(speed)));
        out.append(format(
                FIGURES,
                "strategy",
                "mean ms",
                "spread",
                "real",
                "runs",
                "differ",
                "success %",
                "real",
                "differ",
                "within 5 %, 0.3"));
        for (Row row : rows) {
            out.append(format(
                    FIGURES,
                    row.strategy().title(),
                    format("%.0f", row.simulated().meanMs()),
                    format("%.1f %%", row.spreadPercent()),
                    format("%.0f", row.real().meanMs()),
                    row.runs().size(),
                    format("%+.1f %%", row.meanPercent()),
                    format("%.2f", row.simulated().successPct()),
                    format("%.2f", row.real().successPct()),
                    format("%+.2f", row.successPoints()),
                    row.holds() ? "agrees" : "DOES NOT AGREE"));
        }
        double exchangeMs = exchange.toNanos() / 1e6;
        out.append(format(
                "%nAn exchange takes %.2f ms of this machine under this load, %.1f ms of the weather; the provider answers"
                        + " that much earlier.%n"
                        + "mean ms: of %d simulations with answers up to that much earlier or later; spread: their standard"
                        + " deviation. Over %.0f %%, %d runs.%n",
                exchangeMs, exchangeMs * speed, SIMULATED, STEADY_PERCENT, REAL_IF_UNSTEADY));
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
