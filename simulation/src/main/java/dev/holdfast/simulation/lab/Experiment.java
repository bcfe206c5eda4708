package dev.holdfast.simulation.lab;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.internal.lab.OutageWindow;
import dev.holdfast.simulation.internal.lab.Recorder;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * What is to be tried: policies, each with each combination of some settings, under the weather of some seeds. Immutable.
 *
 * @param profile the weather
 * @param policies the policies, at least one, under names that differ
 * @param sweep the settings that are tried with each
 * @param objective what decides which is best
 * @param requests how many calls each run has
 * @param firstSeed the first seed
 * @param seeds how many seeds from there
 * @param timelines whether the report has timelines, which take up to three runs more
 */
public record Experiment(
        Profile profile,
        List<LabPolicy> policies,
        Sweep sweep,
        Objective objective,
        int requests,
        long firstSeed,
        int seeds,
        boolean timelines) {
    private static final int REQUESTS = 10_000;

    /** A longer run is not needed to see an outage. */
    private static final int MOST_IN_TIMELINE = 20_000;

    private static final URI ROOT = URI.create("http://localhost/");

    /** Refuses what cannot be run, before anything is. */
    public Experiment {
        policies = List.copyOf(policies);
        if (policies.isEmpty()) {
            throw new IllegalArgumentException("policies: none (expected: at least one)");
        }
        var titles = new HashSet<String>();
        for (LabPolicy policy : policies) {
            if (!titles.add(policy.title())) {
                throw new IllegalArgumentException(
                        "policies: '" + policy.title() + "' twice (expected: names that differ)");
            }
        }
        if (requests < 1) {
            throw new IllegalArgumentException("requests: " + requests + " (expected: >= 1)");
        }
        if (seeds < 1) {
            throw new IllegalArgumentException("seeds: " + seeds + " (expected: >= 1)");
        }
        long variants = (long) policies.size() * sweep.points().size();
        if (variants > Sweep.MOST) {
            throw new IllegalArgumentException(variants + " combinations of policies and settings (expected: at most "
                    + Sweep.MOST + "; try fewer values or fewer policies)");
        }
        variants(policies, sweep).forEach(each -> each.policy().builder(profile, ROOT));
    }

    /** Hears how far the work is. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Hears it, on the thread that works.
         *
         * @param done how many runs are done
         * @param all how many there are
         */
        void done(int done, int all);
    }

    /**
     * {@return the rows of the strategy table under a profile: 10,000 calls, seed 1}
     *
     * @param profile the weather
     */
    public static Experiment of(Profile profile) {
        int requests =
                profile.arrivals().trace().map(trace -> trace.rows().size()).orElse(REQUESTS);
        List<LabPolicy> strategies = LabPolicy.strategies();
        return new Experiment(profile, strategies, Sweep.none(), Objective.usual(), requests, 1, 1, true);
    }

    /**
     * {@return this experiment with other policies}
     *
     * @param others the policies
     */
    public Experiment withPolicies(LabPolicy... others) {
        return new Experiment(profile, List.of(others), sweep, objective, requests, firstSeed, seeds, timelines);
    }

    /**
     * {@return this experiment with other settings to try}
     *
     * @param other the settings
     * @throws IllegalArgumentException if a policy cannot have one
     */
    public Experiment withSweep(Sweep other) {
        return new Experiment(profile, policies, other, objective, requests, firstSeed, seeds, timelines);
    }

    /**
     * {@return this experiment with another objective}
     *
     * @param other what decides which is best
     */
    public Experiment withObjective(Objective other) {
        return new Experiment(profile, policies, sweep, other, requests, firstSeed, seeds, timelines);
    }

    /**
     * {@return this experiment with another number of calls}
     *
     * @param other how many calls each run has
     */
    public Experiment withRequests(int other) {
        return new Experiment(profile, policies, sweep, objective, other, firstSeed, seeds, timelines);
    }

    /**
     * {@return this experiment with other seeds}
     *
     * @param first the first
     * @param count how many from there
     */
    public Experiment withSeeds(long first, int count) {
        return new Experiment(profile, policies, sweep, objective, requests, first, count, timelines);
    }

    /**
     * {@return this experiment with or without timelines in its report}
     *
     * @param other whether it has them
     */
    public Experiment withTimelines(boolean other) {
        return new Experiment(profile, policies, sweep, objective, requests, firstSeed, seeds, other);
    }

    /** {@return what is run: each policy with each combination of the settings} */
    public List<Variant> variants() {
        return variants(policies, sweep);
    }

    private static List<Variant> variants(List<LabPolicy> policies, Sweep sweep) {
        var variants = new ArrayList<Variant>();
        for (LabPolicy policy : policies) {
            for (Map<String, String> point : sweep.points()) {
                variants.add(new Variant(policy.title(), point, point.isEmpty() ? policy : policy.with(point)));
            }
        }
        return variants;
    }

    /**
     * Runs it all on this thread. An interrupt stops it: what is done then is the report, of whole seeds only unless there is none.
     *
     * @param progress hears how far it is
     * @return the report
     */
    @SuppressWarnings("InterruptedInCatchBlock") // what is done is told, and telling it must not be interrupted
    public Report run(Progress progress) {
        var work = new Work(progress);
        try {
            work.run();
            List<Report.Row> rows = work.rows();
            return new Report(this, work.seedsDone, rows, timelines ? timelines(rows) : List.of());
        } catch (InterruptedException e) {
            Thread.interrupted();
            return new Report(this, work.seedsDone, work.rows(), List.of());
        }
    }

    private final class Work {
        private final Progress progress;
        private final List<Variant> variants = variants();
        private final List<List<Outcome>> outcomes =
                variants.stream().<List<Outcome>>map(each -> new ArrayList<>()).toList();
        private final List<Outcome> baselines = new ArrayList<>();
        private int seedsDone;
        private int done;

        Work(Progress progress) {
            this.progress = progress;
        }

        void run() throws InterruptedException {
            while (seedsDone < seeds) {
                runSeed(firstSeed + seedsDone);
                seedsDone++;
            }
        }

        private void runSeed(long seed) throws InterruptedException {
            stopIfInterrupted();
            baselines.add(Trial.run(profile, LabPolicy.named("none"), seed, requests));
            tell();
            for (int i = 0; i < variants.size(); i++) {
                stopIfInterrupted();
                outcomes.get(i).add(Trial.run(profile, variants.get(i).policy(), seed, requests));
                tell();
            }
        }

        /** A run that is over before it would wait does not notice an interrupt. */
        private static void stopIfInterrupted() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        private void tell() {
            progress.done(++done, seeds * (variants.size() + 1));
        }

        List<Report.Row> rows() {
            var rows = new ArrayList<Report.Row>();
            for (int i = 0; i < variants.size(); i++) {
                List<Outcome> own = outcomes.get(i);
                int count = seedsDone == 0 ? own.size() : seedsDone;
                if (count > 0) {
                    rows.add(Report.Row.of(variants.get(i), own.subList(0, count), baselines));
                }
            }
            return Report.marked(rows, objective);
        }
    }

    /** Of the best, of another that is not beaten and serves most, and of the slowest. */
    private List<Timeline> timelines(List<Report.Row> rows) throws InterruptedException {
        Measure time = objective.latency();
        Comparator<Report.Row> bySuccess =
                Comparator.comparingDouble(row -> row.mean().successPct());
        Comparator<Report.Row> byTime = Comparator.comparingDouble(row -> time.of(row.mean()));
        var shown = new LinkedHashSet<Report.Row>();
        rows.stream().filter(Report.Row::best).findFirst().ifPresent(shown::add);
        rows.stream().filter(row -> row.pareto() && !row.best()).max(bySuccess).ifPresent(shown::add);
        rows.stream().max(byTime).ifPresent(shown::add);
        var timelines = new ArrayList<Timeline>();
        for (Report.Row row : shown) {
            timelines.add(timeline(row.variant().policy()));
        }
        return timelines;
    }

    private Timeline timeline(LabPolicy policy) throws InterruptedException {
        int calls = Math.min(requests, MOST_IN_TIMELINE);
        ProfileWeather weather = profile.weather(firstSeed, calls);
        var recorder = new Recorder(OutageWindow.of(weather));
        Trial.recorded(profile, policy, firstSeed, calls, recorder);
        return recorder.timeline(policy.title(), firstSeed, weather, policy.regionsByEndpoint(profile, ROOT));
    }
}
