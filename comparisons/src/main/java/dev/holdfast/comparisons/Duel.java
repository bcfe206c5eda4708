package dev.holdfast.comparisons;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;

/**
 * Contenders that take turns of a few dozen milliseconds: what the machine does beside falls on all of them, and each turn is
 * judged by the ratio to the bare client's turn of the same round.
 */
final class Duel {
    private final int callers;
    private final int times;
    private final int warmUpCalls;
    private final Map<ClientContender, List<Slice>> slices = new EnumMap<>(ClientContender.class);

    /**
     * Creates a duel.
     *
     * @param callers how many ask at once
     * @param times how often each asks in one turn
     * @param warmUpCalls how many calls each contender has before it counts: the last compiler wants thousands
     */
    Duel(int callers, int times, int warmUpCalls) {
        this.callers = callers;
        this.times = times;
        this.warmUpCalls = warmUpCalls;
    }

    /** Runs so many rounds, and before them those that only warm up. */
    Duel run(int rounds) throws InterruptedException, ExecutionException {
        Map<ClientContender, Caller> open = new EnumMap<>(ClientContender.class);
        try (var server = FixedServer.start(ClientContender.BODY);
                var asking = new Callers(callers)) {
            for (ClientContender each : ClientContender.values()) {
                open.put(each, each.open(server.baseUrl()));
                slices.put(each, new ArrayList<>());
            }
            int warm = Math.ceilDiv(warmUpCalls, callers * times);
            for (int round = 0; round < rounds + warm; round++) {
                for (ClientContender each : order(round)) {
                    Slice slice = asking.ask(Objects.requireNonNull(open.get(each)), times);
                    if (round >= warm) {
                        slices.computeIfAbsent(each, contender -> new ArrayList<>())
                                .add(slice);
                    }
                }
            }
            open.values().forEach(Caller::close);
        }
        return this;
    }

    /** Each round begins with another one, so that nobody always follows the same. */
    private static List<ClientContender> order(int round) {
        List<ClientContender> order = new ArrayList<>(List.of(ClientContender.values()));
        Collections.rotate(order, round);
        return round / order.size() % 2 == 0 ? order : order.reversed();
    }

    /** The figures as lines: medians over the rounds, ratios with the quartiles of their rounds. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                "%-12s %7s %9s %24s %9s %24s %9s",
                "contender", "callers", "p50 us", "p50 / bare", "calls/s", "throughput / bare", "B/call"));
        for (ClientContender each : ClientContender.values()) {
            lines.add(String.format(
                    "%-12s %7d %9.1f %24s %9.0f %24s %9.0f",
                    each,
                    callers,
                    Quartiles.of(values(each, Slice::medianMicros)).median(),
                    ratio(each, Slice::medianMicros),
                    Quartiles.of(values(each, Slice::callsPerSecond)).median(),
                    ratio(each, Slice::callsPerSecond),
                    Quartiles.of(values(each, Slice::bytesPerCall)).median()));
        }
        return lines;
    }

    private Quartiles ratio(ClientContender contender, ToDoubleFunction<Slice> figure) {
        double[] own = values(contender, figure);
        double[] bare = values(ClientContender.BARE, figure);
        double[] ratios = new double[own.length];
        for (int i = 0; i < own.length; i++) {
            ratios[i] = own[i] / bare[i];
        }
        return Quartiles.of(ratios);
    }

    private double[] values(ClientContender contender, ToDoubleFunction<Slice> figure) {
        return slices.getOrDefault(contender, List.of()).stream()
                .mapToDouble(figure)
                .toArray();
    }
}
