package dev.holdfast.comparisons;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Contenders that take short turns in one process: what the machine does beside falls on all of them, and each turn is judged by its
 * ratio to the first contender's turn of the same round. The order changes from round to round.
 */
final class Duel {
    /** The processor's clock ticks a hundred times a second, so that a turn may be over between two ticks: it is read over many. */
    private static final int PARTS = 10;

    private final int callers;
    private final int times;
    private final int warmUpCalls;
    private final List<Side> sides;

    /** A contender with a client of its own. The same one may stand twice: the method is then judged by itself. */
    private static final class Side {
        private final String name;
        private final ClientContender contender;
        private final List<Slice> slices = new ArrayList<>();

        Side(String name, ClientContender contender) {
            this.name = name;
            this.contender = contender;
        }

        private double[] values(ToDoubleFunction<Slice> figure) {
            return slices.stream().mapToDouble(figure).toArray();
        }

        private double median(ToDoubleFunction<Slice> figure) {
            return Quartiles.of(values(figure)).median();
        }

        private Quartiles ratios(Side measure, ToDoubleFunction<Slice> figure) {
            return Quartiles.ofRatios(values(figure), measure.values(figure));
        }

        /** The processor's time for each call, in each part of the rounds. */
        private double[] processorMicros() {
            return means(values(Slice::processorMicros), PARTS);
        }
    }

    /**
     * Creates a duel.
     *
     * @param callers how many ask at once
     * @param times how often each asks in one turn
     * @param warmUpCalls how many calls each contender has before it counts: the last compiler wants thousands
     * @param contenders who takes turns; the first is the measure of the others
     */
    Duel(int callers, int times, int warmUpCalls, ClientContender... contenders) {
        this.callers = callers;
        this.times = times;
        this.warmUpCalls = warmUpCalls;
        this.sides = new ArrayList<>();
        for (ClientContender each : contenders) {
            boolean again = sides.stream().anyMatch(side -> side.contender == each);
            sides.add(new Side(again ? each + " again" : each.toString(), each));
        }
    }

    /** Runs so many rounds, and before them those that only warm up. */
    Duel run(int rounds) throws InterruptedException, ExecutionException {
        List<Caller> open = new ArrayList<>();
        try (var server = FixedServer.start(ClientContender.BODY);
                var asking = new Callers(callers)) {
            for (Side each : sides) {
                open.add(each.contender.open(server));
            }
            int warm = Math.ceilDiv(warmUpCalls, callers * times);
            for (int round = 0; round < rounds + warm; round++) {
                for (int each : order(round)) {
                    Slice slice = asking.ask(open.get(each), times);
                    if (round >= warm) {
                        sides.get(each).slices.add(slice);
                    }
                }
            }
            open.forEach(Caller::close);
        }
        return this;
    }

    /** Each round begins with another one, so that nobody always follows the same. */
    private List<Integer> order(int round) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++) {
            order.add(i);
        }
        Collections.rotate(order, round);
        return round / order.size() % 2 == 0 ? order : order.reversed();
    }

    /** The figures as lines: medians over the rounds, and the medians of the ratios with their intervals of 95 % confidence. */
    List<String> lines() {
        Side first = sides.getFirst();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-17s %7s %9s %24s %9s %24s %9s %24s %9s",
                "contender",
                "callers",
                "p50 us",
                "p50 / first",
                "calls/s",
                "throughput / first",
                "cpu us",
                "cpu / first",
                "B/call"));
        for (Side each : sides) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-17s %7d %9.1f %24s %9.0f %24s %9.1f %24s %9.0f",
                    each.name,
                    callers,
                    each.median(Slice::medianMicros),
                    each.ratios(first, Slice::medianMicros),
                    each.median(Slice::callsPerSecond),
                    each.ratios(first, Slice::callsPerSecond),
                    Quartiles.of(each.processorMicros()).median(),
                    Quartiles.ofRatios(each.processorMicros(), first.processorMicros()),
                    each.median(Slice::bytesPerCall)));
        }
        return lines;
    }

    /** The means of so many parts of the values, of all of them in turn; of as many as there are where they are fewer. */
    static double[] means(double[] values, int parts) {
        int most = Math.min(parts, values.length);
        return IntStream.range(0, most)
                .mapToDouble(
                        part -> Arrays.stream(values, part * values.length / most, (part + 1) * values.length / most)
                                .average()
                                .orElseThrow())
                .toArray();
    }

    /** Whether the second is within so much of the first, at the median and in throughput. */
    String verdict(double share) {
        Side first = sides.getFirst();
        Side second = sides.get(1);
        return String.format(
                Locale.ROOT,
                "%s within %.0f %% of %s, %d callers: p50 %s, throughput %s",
                second.name,
                100 * share,
                first.name,
                callers,
                second.ratios(first, Slice::medianMicros).atMost(1 + share),
                second.ratios(first, Slice::callsPerSecond).atLeast(1 - share));
    }
}
