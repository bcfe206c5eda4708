package dev.holdfast.comparisons;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Lanes that take turns; the first is the exchange without a gateway, and what the others take beyond it is what they add. */
final class GatewayRace {
    private static final double[] PERCENTILES = {0.5, 0.95, 0.99, 1};

    private final String title;
    private final int connections;
    private final int exchanges;
    private final long pauseNanos;

    /**
     * Creates a race.
     *
     * @param title what it measures
     * @param connections how many at once
     * @param exchanges how many of each in a turn
     * @param pauseNanos from the start of an exchange to that of the next on its connection; 0 for at once
     */
    GatewayRace(String title, int connections, int exchanges, long pauseNanos) {
        this.title = title;
        this.connections = connections;
        this.exchanges = exchanges;
        this.pauseNanos = pauseNanos;
    }

    /** Runs so many rounds, and before them those that only warm up, and returns the figures as lines. */
    List<String> run(List<Lane> lanes, int warmUp, int rounds) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
            for (int round = 0; round < warmUp + rounds; round++) {
                List<Lane> order = new ArrayList<>(lanes);
                Collections.rotate(order, round);
                for (Lane lane : order) {
                    lane.turn(threads, connections, exchanges, round < warmUp ? 0 : pauseNanos, round >= warmUp);
                }
            }
        }
        return lines(lanes);
    }

    private List<String> lines(List<Lane> lanes) {
        var lines = new ArrayList<String>();
        double[] bare = lanes.getFirst().micros();
        lines.add(String.format(Locale.ROOT, "%s, %d exchanges each", title, bare.length));
        lines.add(String.format(
                Locale.ROOT,
                "  %-10s %9s %9s %9s %9s   %s",
                "us",
                "p50",
                "p95",
                "p99",
                "max",
                "added p50, p99; of the bare exchange"));
        for (Lane lane : lanes) {
            double[] all = lane.micros();
            var line = new StringBuilder(String.format(Locale.ROOT, "  %-10s", lane.name()));
            for (double percentile : PERCENTILES) {
                line.append(String.format(Locale.ROOT, " %9.0f", at(all, percentile)));
            }
            line.append(String.format(Locale.ROOT, " %9.0f", lane.processorMicros()));
            if (lane != lanes.getFirst()) {
                line.append("   ").append(added(all, bare, 0.5)).append(", ").append(added(all, bare, 0.99));
            }
            if (lane.failures() > 0) {
                line.append("   ").append(lane.failures()).append(" failed");
            }
            lines.add(line.toString());
        }
        return lines;
    }

    private static String added(double[] all, double[] bare, double percentile) {
        double more = at(all, percentile) - at(bare, percentile);
        return String.format(Locale.ROOT, "%.0f (%.2f)", more, more / at(bare, percentile));
    }

    private static double at(double[] sorted, double percentile) {
        return sorted[(int) Math.min(sorted.length - 1L, (long) (percentile * sorted.length))];
    }
}
