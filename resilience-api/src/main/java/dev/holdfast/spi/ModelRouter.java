package dev.holdfast.spi;

import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides which models are tried, best first.
 *
 * <p>Called once for each call that names no route of its own, by the thread of the call; must not block. An exception ends
 * the call with it: a router that can fail falls back by itself.
 */
@FunctionalInterface
public interface ModelRouter {
    /**
     * {@return the models to try, and why}
     *
     * @param request what is known
     */
    Route route(RouteRequest request);

    /**
     * What {@link #route} may answer, for those who want to know before the call is made. A router that leaves something to chance
     * implements it: it draws no number here, and nothing that it answers later depends on whether it was asked. Called by the thread
     * of whoever asks; must not block.
     *
     * @param request what is known
     * @return the routes, the likeliest first, at least one; together their probabilities are 1
     */
    default List<LikelyRoute> likely(RouteRequest request) {
        return List.of(new LikelyRoute(1, route(request)));
    }

    /**
     * A route, and how likely it is.
     *
     * @param probability above 0, at most 1
     * @param route the route
     */
    record LikelyRoute(double probability, Route route) {
        /** Refuses what is no probability. */
        public LikelyRoute {
            if (!(probability > 0 && probability <= 1)) {
                throw new IllegalArgumentException("probability: " + probability + " (expected: above 0, at most 1)");
            }
        }
    }

    /**
     * What a router knows.
     *
     * @param request the request
     * @param options the call's options, the client's defaults included
     * @param models every configured model and how it does now
     */
    record RouteRequest(ModelRequest request, CallOptions options, List<ModelStatus> models) {
        /** Copies the list. */
        public RouteRequest {
            models = List.copyOf(models);
        }
    }

    /**
     * How a model does now.
     *
     * @param model the model
     * @param available whether any of its targets would let an attempt through
     * @param contextWindow how many tokens it takes; empty where unknown
     * @param latency its usual time to answer; empty before the first answer
     * @param successRate the share of attempts that succeeded lately, 0 to 1; empty before the first
     * @param rateLimits what its endpoints last said of their limits, by the endpoint's name; those that said nothing are
     *     not in it
     */
    record ModelStatus(
            String model,
            boolean available,
            OptionalLong contextWindow,
            Optional<Duration> latency,
            Optional<Double> successRate,
            Map<String, RateLimitSnapshot> rateLimits) {
        /** Copies the map. */
        public ModelStatus {
            rateLimits = Map.copyOf(rateLimits);
        }

        /**
         * A model whose endpoints said nothing of limits.
         *
         * @param model the model
         * @param available whether any of its targets would let an attempt through
         * @param contextWindow how many tokens it takes
         * @param latency its usual time to answer
         * @param successRate the share of attempts that succeeded lately
         */
        public ModelStatus(
                String model,
                boolean available,
                OptionalLong contextWindow,
                Optional<Duration> latency,
                Optional<Double> successRate) {
            this(model, available, contextWindow, latency, successRate, Map.of());
        }
    }
}
