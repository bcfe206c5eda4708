package dev.holdfast.tests.regions;

import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.HealthStatus;
import dev.holdfast.tests.regions.Regions.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What came of one run, in a line. */
record Row(
        double answered,
        long median,
        long ninetyFifth,
        long ninetyNinth,
        double attempts,
        long[] served,
        long hedges,
        long hedgesWon,
        long ejections,
        long probes) {
    static final String HEAD = String.format(
            "%-16s %4s  %8s %7s %7s %7s %9s  %12s  %12s %6s %7s",
            "tactic", "seed", "answered", "p50", "p95", "p99", "attempts", "us/eu/ap", "hedges (won)", "out", "probes");

    static Row of(Regions run) {
        List<Outcome> all = run.outcomes();
        List<Duration> took = all.stream()
                .filter(outcome -> outcome.response().isPresent())
                .map(Outcome::took)
                .sorted()
                .toList();
        long[] served = new long[Region.values().length];
        all.stream()
                .flatMap(outcome -> outcome.response().stream())
                .forEach(response -> served[
                        Region.valueOf(response.servedBy()
                                        .orElseThrow()
                                        .endpoint()
                                        .toUpperCase(Locale.ROOT))
                                .ordinal()]++);
        return new Row(
                100.0 * took.size() / all.size(),
                quantile(took, 0.5),
                quantile(took, 0.95),
                quantile(took, 0.99),
                all.stream().mapToInt(Outcome::attempts).average().orElse(0),
                served,
                steps(run, HedgeStep.SENT),
                steps(run, HedgeStep.WON),
                run.events(CallEvent.HealthChanged.class).stream()
                        .filter(change -> change.to() == HealthStatus.UNHEALTHY)
                        .count(),
                run.events(CallEvent.EndpointProbed.class).size());
    }

    private static long steps(Regions run, HedgeStep step) {
        return run.events(CallEvent.Hedged.class).stream()
                .filter(event -> event.step() == step)
                .count();
    }

    private static long quantile(List<Duration> sorted, double part) {
        return sorted.isEmpty()
                ? 0
                : sorted.get((int) Math.ceil(part * sorted.size()) - 1).toMillis();
    }

    String line(Tactic tactic, long seed) {
        return String.format(
                Locale.ROOT,
                "%-16s %4d  %6.2f %% %7d %7d %7d %9.3f  %12s  %12s %6d %7d",
                tactic.title(),
                seed,
                answered,
                median,
                ninetyFifth,
                ninetyNinth,
                attempts,
                served[0] + "/" + served[1] + "/" + served[2],
                hedges + " (" + hedgesWon + ")",
                ejections,
                probes);
    }
}
