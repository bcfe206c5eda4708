package dev.holdfast.tests.limits;

import dev.holdfast.simulation.Trace;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Requests that come at some time with some tokens. */
record Load(String name, List<Arrival> arrivals) {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    /** One request: the cap on its output is twice what comes out. */
    record Arrival(long atNanos, int input, int output) {
        int reserved() {
            return input + 2 * output;
        }
    }

    /** A recorded trace, played faster. */
    static Load of(String name, Trace trace, double speed) {
        return new Load(
                name,
                trace.rows().stream()
                        .map(row -> new Arrival(
                                (long) (row.at().toNanos() / speed), (int) Math.max(1, row.contextTokens()), (int)
                                        Math.max(1, row.generatedTokens())))
                        .toList());
    }

    /** Requests that come one by one, more than the limit lets through. */
    static Load steady(int count, double perMinute) {
        return made("steady", count, perMinute, 1);
    }

    /** Requests that come by the dozen, after silences. */
    static Load bursts(int count, double perMinute) {
        return made("bursts", count, perMinute, 40);
    }

    private static Load made(String name, int count, double perMinute, int burst) {
        var random = new Random(17);
        List<Arrival> all = new ArrayList<>();
        double seconds = 0;
        while (all.size() < count) {
            int together = 1 + random.nextInt(burst);
            seconds += -Math.log(1 - random.nextDouble()) * together * 60 / perMinute;
            for (int i = 0; i < together && all.size() < count; i++) {
                int input = (int) Math.min(14_000, 100 + Math.exp(6.4 + random.nextGaussian()));
                int output = 10 + random.nextInt(400);
                all.add(new Arrival((long) (seconds * 1e9) + i * 10_000_000L, input, output));
            }
        }
        all.sort(java.util.Comparator.comparingLong(Arrival::atNanos));
        return new Load(name, all);
    }

    long endNanos() {
        return arrivals.getLast().atNanos();
    }

    /** How many of them limits of any minute let through until the last has come, if each goes as soon as it may. */
    int allowed(long rpm, long tpm) {
        Deque<long[]> window = new ArrayDeque<>();
        long tokens = 0;
        long now = 0;
        int granted = 0;
        for (Arrival arrival : arrivals) {
            now = Math.max(now, arrival.atNanos());
            while (window.size() >= rpm || tokens + arrival.input() + arrival.output() > tpm || isOver(window, now)) {
                long[] oldest = window.removeFirst();
                now = Math.max(now, oldest[0] + MINUTE);
                tokens -= oldest[1];
            }
            if (now > endNanos()) {
                return granted;
            }
            window.add(new long[] {now, arrival.input() + arrival.output()});
            tokens += arrival.input() + arrival.output();
            granted++;
        }
        return granted;
    }

    private static boolean isOver(Deque<long[]> window, long now) {
        return !window.isEmpty() && now - window.getFirst()[0] >= MINUTE;
    }
}
