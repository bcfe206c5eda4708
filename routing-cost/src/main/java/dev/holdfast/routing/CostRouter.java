package dev.holdfast.routing;

import dev.holdfast.Cost;
import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.Usage;
import dev.holdfast.routing.internal.route.Prices;
import dev.holdfast.routing.internal.route.RankedModels;
import dev.holdfast.routing.internal.route.Shortlist;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tries the configured models from the cheapest that fits to the dearest, by what this request is expected to cost on each:
 * its input and its output, not the price of either alone. Models whose window is too small are left out, those that would let
 * nothing through now come last. Models whose price is unknown come behind those whose price is known; models that cost the
 * same keep the order they were configured in. An opaque request stays with its model.
 *
 * @param prices what models cost; the source that the costs of calls come from should be the same
 * @param estimator how many tokens a request takes
 * @param timekeeper when the prices are looked up
 */
public record CostRouter(PriceSource prices, TokenEstimator estimator, Timekeeper timekeeper) implements ModelRouter {
    static final long USUAL_OUTPUT = 1_000;

    /**
     * {@return a router that reckons with the request's cap on output tokens, else with 1,000}
     *
     * @param prices what models cost
     */
    public static CostRouter of(PriceSource prices) {
        return new CostRouter(prices, TokenEstimator.lexical(USUAL_OUTPUT), Timekeeper.system());
    }

    @Override
    public Route route(RouteRequest request) {
        ModelRequest asked = request.request();
        if (asked.form() == Form.OPAQUE || request.models().isEmpty()) {
            return RankedModels.ofNamed("cost", asked.model()).route();
        }
        TokenEstimate tokens = estimator.estimate(asked);
        Shortlist fitting = Shortlist.of(request.models(), tokens);
        Map<String, Cost> costs = costs(fitting.models(), Usage.of(tokens.input(), tokens.output()));
        List<ModelStatus> cheapestFirst = fitting.sorted(Comparator.comparing(
                model -> Optional.ofNullable(costs.get(model.model()))
                        .map(Cost::usd)
                        .orElse(null),
                Comparator.nullsLast(Comparator.naturalOrder())));
        return new RankedModels("cost", cheapestFirst, model -> describe(model, costs), fitting.note()).route();
    }

    private Map<String, Cost> costs(List<ModelStatus> models, Usage usage) {
        var costs = new HashMap<String, Cost>();
        Instant now = timekeeper.now();
        for (ModelStatus model : models) {
            Prices.costOf(prices, model.model(), now, usage).ifPresent(cost -> costs.put(model.model(), cost));
        }
        return costs;
    }

    private static String describe(ModelStatus model, Map<String, Cost> costs) {
        Cost cost = costs.get(model.model());
        return model.model() + " " + (cost == null ? "unknown" : cost) + (model.available() ? "" : " unavailable");
    }
}
