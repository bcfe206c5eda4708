package dev.holdfast.routing;

import dev.holdfast.Cost;
import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.Usage;
import dev.holdfast.routing.internal.route.Exploration;
import dev.holdfast.routing.internal.route.Nanos;
import dev.holdfast.routing.internal.route.Prices;
import dev.holdfast.routing.internal.route.RankedModels;
import dev.holdfast.routing.internal.route.Shortlist;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Weighs cost, latency and availability against each other. Each model gets, for each of the three, a number from 0 (best) to
 * 1: its cost for this request through the dearest model's, its latency through the slowest model's, its share of failures;
 * the least weighted sum is asked first.
 *
 * <p>An unknown price counts as the dearest and comes behind a known one of the same sum; an unknown latency counts as the
 * quickest, so that the model is tried. Models whose window is too small are left out, those that would let nothing through
 * come last. An opaque request stays with its model.
 *
 * @param prices what models cost
 * @param stats how models do; the client's listener too
 * @param weights how much each counts
 * @param estimator how many tokens a request takes
 * @param exploration how often another than the best is asked, 0 to 1
 * @param random decides when; one that many threads may use
 * @param timekeeper when the prices are looked up
 */
public record BlendRouter(
        PriceSource prices,
        LiveStats stats,
        Weights weights,
        TokenEstimator estimator,
        double exploration,
        RandomGenerator random,
        Timekeeper timekeeper)
        implements ModelRouter {
    private static final double USUAL_EXPLORATION = 0.05;

    /** Refuses an exploration that is no share. */
    public BlendRouter {
        new Exploration(exploration, random);
    }

    /**
     * How much each counts; only their proportions matter.
     *
     * @param cost the cost of the request, not negative
     * @param latency the usual time to an answer, not negative
     * @param availability the success rate, not negative
     */
    public record Weights(double cost, double latency, double availability) {
        /** Refuses negative weights, and none at all. */
        public Weights {
            if (!(cost >= 0 && latency >= 0 && availability >= 0 && cost + latency + availability > 0)
                    || Double.isInfinite(cost + latency + availability)) {
                throw new IllegalArgumentException("weights: " + cost + ", " + latency + ", " + availability
                        + " (expected: >= 0, finite, at least one > 0)");
            }
        }
    }

    /**
     * {@return a router that explores one call in twenty and reckons with 1,000 output tokens where the request names no cap}
     *
     * @param prices what models cost
     * @param stats how models do; the client's listener too
     * @param weights how much each counts
     * @param random decides when to explore; one that many threads may use
     */
    public static BlendRouter of(PriceSource prices, LiveStats stats, Weights weights, RandomGenerator random) {
        return new BlendRouter(
                prices,
                stats,
                weights,
                TokenEstimator.lexical(CostRouter.USUAL_OUTPUT),
                USUAL_EXPLORATION,
                random,
                Timekeeper.system());
    }

    /**
     * {@return this router, more or less curious}
     *
     * @param changed how often another than the best is asked, 0 to 1
     */
    public BlendRouter withExploration(double changed) {
        return new BlendRouter(prices, stats, weights, estimator, changed, random, timekeeper);
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
            return RankedModels.ofNamed("blend", asked.model());
        }
        var tokens = estimator.estimate(asked);
        Shortlist fitting = Shortlist.of(request.models(), tokens);
        Map<String, Optional<Cost>> costs = costs(fitting.models(), Usage.of(tokens.input(), tokens.output()));
        Map<String, Double> scores = scores(fitting.models(), costs);
        List<ModelStatus> leastFirst = fitting.sorted(
                Comparator.comparingDouble((ModelStatus model) -> scores.getOrDefault(model.model(), 0.0))
                        .thenComparing(model -> costs.getOrDefault(model.model(), Optional.empty())
                                .isEmpty()));
        return new RankedModels("blend", leastFirst, model -> describe(model, costs, scores), fitting.note());
    }

    private Map<String, Optional<Cost>> costs(List<ModelStatus> models, Usage usage) {
        var costs = new HashMap<String, Optional<Cost>>();
        Instant now = timekeeper.now();
        models.forEach(model -> costs.put(model.model(), Prices.costOf(prices, model.model(), now, usage)));
        return costs;
    }

    private Map<String, Double> scores(List<ModelStatus> models, Map<String, Optional<Cost>> costs) {
        double dearest = costs.values().stream()
                .flatMap(Optional::stream)
                .mapToDouble(cost -> cost.usd().doubleValue())
                .max()
                .orElse(0);
        double slowest = models.stream().mapToDouble(this::latencyNanos).max().orElse(0);
        double quickest = models.stream()
                .mapToDouble(this::latencyNanos)
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(0);
        var scores = new HashMap<String, Double>();
        for (ModelStatus model : models) {
            double nanos = Math.max(latencyNanos(model), quickest);
            double cost = costs.getOrDefault(model.model(), Optional.empty())
                    .map(known -> share(known.usd().doubleValue(), dearest))
                    .orElse(1.0);
            scores.put(
                    model.model(),
                    weights.cost() * cost
                            + weights.latency() * share(nanos, slowest)
                            + weights.availability() * (1 - stats.successRate(model.model())));
        }
        return scores;
    }

    private static double share(double part, double most) {
        return most == 0 ? 0 : part / most;
    }

    /** 0 where unknown. */
    private double latencyNanos(ModelStatus model) {
        return stats.latency(model.model()).or(model::latency).map(Nanos::of).orElse(0.0);
    }

    private static String describe(ModelStatus model, Map<String, Optional<Cost>> costs, Map<String, Double> scores) {
        String cost = costs.getOrDefault(model.model(), Optional.empty())
                .map(Cost::toString)
                .orElse("price unknown");
        return String.format(Locale.ROOT, "%s %.3f (%s)", model.model(), scores.get(model.model()), cost)
                + (model.available() ? "" : " unavailable");
    }
}
