package dev.holdfast.routing;

import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.routing.internal.route.Exploration;
import dev.holdfast.routing.internal.route.Nanos;
import dev.holdfast.routing.internal.route.RankedModels;
import dev.holdfast.routing.internal.route.Shortlist;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.TokenEstimator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Asks first the model from which an answer is expected soonest: its usual latency through its success rate, which is the
 * time to the first success where each attempt fails alike. A model that no one has heard of yet counts as quick as the
 * quickest, so that it is tried; one in twenty calls asks another than the best.
 *
 * <pre>{@code
 * LiveStats stats = LiveStats.create();
 * var client = ResilientClient.builder().endpoint(endpoint)
 *         .model(ModelSettings.of("gpt-4.1")).model(ModelSettings.of("gemini-2.5-flash"))
 *         .listener(stats)
 *         .router(LiveRouter.of(stats, new SplittableRandom()))
 *         .build();
 * }</pre>
 *
 * <p>Models whose window is too small are left out, those that would let nothing through come last. An opaque request stays
 * with its model.
 *
 * @param stats how models do
 * @param estimator how many tokens a request takes
 * @param exploration how often another than the best is asked, 0 to 1
 * @param random decides when; one that many threads may use
 */
public record LiveRouter(LiveStats stats, TokenEstimator estimator, double exploration, RandomGenerator random)
        implements ModelRouter {
    private static final double USUAL_EXPLORATION = 0.05;

    /** Refuses an exploration that is no share. */
    public LiveRouter {
        new Exploration(exploration, random);
    }

    /**
     * {@return a router that explores one call in twenty}
     *
     * @param stats how models do; the client's listener too
     * @param random decides when to explore; one that many threads may use
     */
    public static LiveRouter of(LiveStats stats, RandomGenerator random) {
        return new LiveRouter(stats, TokenEstimator.lexical(), USUAL_EXPLORATION, random);
    }

    /**
     * {@return this router, more or less curious}
     *
     * @param changed how often another than the best is asked, 0 to 1
     */
    public LiveRouter withExploration(double changed) {
        return new LiveRouter(stats, estimator, changed, random);
    }

    @Override
    public Route route(RouteRequest request) {
        return exploring().route(ranked(request));
    }

    @Override
    public List<LikelyRoute> likely(RouteRequest request) {
        return exploring().likely(ranked(request));
    }

    private Exploration exploring() {
        return new Exploration(exploration, random);
    }

    private RankedModels ranked(RouteRequest request) {
        ModelRequest asked = request.request();
        if (asked.form() == Form.OPAQUE || request.models().isEmpty()) {
            return RankedModels.ofNamed("live", asked.model());
        }
        Shortlist fitting = Shortlist.of(request.models(), estimator.estimate(asked));
        double quickest = fitting.models().stream()
                .flatMap(model -> latency(model).stream())
                .mapToDouble(Nanos::of)
                .min()
                .orElse(0);
        List<ModelStatus> soonestFirst = fitting.sortedBy(
                model -> latency(model).map(Nanos::of).orElse(quickest) / stats.successRate(model.model()));
        return new RankedModels("live", soonestFirst, this::describe, fitting.note());
    }

    private Optional<Duration> latency(ModelStatus model) {
        return stats.latency(model.model()).or(model::latency);
    }

    private String describe(ModelStatus model) {
        String latency = latency(model)
                .map(each -> Math.round(Nanos.of(each) / 1e6) + " ms")
                .orElse("latency unknown");
        long percent = Math.round(100 * stats.successRate(model.model()));
        return model.model() + " " + latency + " " + percent + " %" + (model.available() ? "" : " unavailable");
    }
}
