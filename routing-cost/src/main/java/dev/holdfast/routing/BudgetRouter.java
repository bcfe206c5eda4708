package dev.holdfast.routing;

import dev.holdfast.Cost;
import dev.holdfast.Form;
import dev.holdfast.Route;
import dev.holdfast.Usage;
import dev.holdfast.routing.Budget.Exceeded;
import dev.holdfast.routing.Budgets.Status;
import dev.holdfast.routing.internal.route.Prices;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps another router's choice while the budgets of the call hold it, and asks the cheapest first when they do not: once a
 * budget that downgrades is spent, or where a budget that refuses would refuse the first choice. It adds no model that the
 * other router did not name, and refuses nothing; {@link Budgets} does.
 *
 * @param chooses the other router
 * @param budgets the budgets; the client's spend guard too
 * @param prices what models cost
 * @param estimator how many tokens a request takes
 * @param timekeeper when the prices are looked up
 */
public record BudgetRouter(
        ModelRouter chooses, Budgets budgets, PriceSource prices, TokenEstimator estimator, Timekeeper timekeeper)
        implements ModelRouter {
    /**
     * {@return a router that reckons as a client does}
     *
     * @param chooses the other router
     * @param budgets the budgets; the client's spend guard too
     * @param prices what models cost
     */
    public static BudgetRouter of(ModelRouter chooses, Budgets budgets, PriceSource prices) {
        return new BudgetRouter(chooses, budgets, prices, TokenEstimator.lexical(), Timekeeper.system());
    }

    @Override
    public Route route(RouteRequest request) {
        return within(chooses.route(request), request);
    }

    @Override
    public List<LikelyRoute> likely(RouteRequest request) {
        return chooses.likely(request).stream()
                .map(each -> new LikelyRoute(each.probability(), within(each.route(), request)))
                .toList();
    }

    private Route within(Route chosen, RouteRequest request) {
        List<Status> statuses = budgets.statusOf(request.options());
        if (request.request().form() == Form.OPAQUE || chosen.models().size() < 2 || statuses.isEmpty()) {
            return chosen;
        }
        Map<String, Cost> costs = costs(request, chosen.models());
        return statuses.stream()
                .filter(status -> !holds(status, costs.get(chosen.models().getFirst())))
                .findFirst()
                .map(status -> downgraded(chosen, status, costs))
                .orElse(chosen);
    }

    /** What has no known price is held by what is not spent yet, as far as nothing is refused for it. */
    private static boolean holds(Status status, @Nullable Cost cost) {
        if (cost != null) {
            return status.holds(cost);
        }
        return status.budget().exceeded() == Exceeded.DOWNGRADE
                && status.left().usd().signum() > 0;
    }

    private static Route downgraded(Route chosen, Status status, Map<String, Cost> costs) {
        var models = new ArrayList<>(chosen.models());
        models.sort(Comparator.comparing(
                model -> Optional.ofNullable(costs.get(model)).map(Cost::usd).orElse(null),
                Comparator.nullsLast(Comparator.naturalOrder())));
        return new Route(
                models,
                "budget " + status.budget().name() + ": " + status.left() + " left of $"
                        + status.budget().usdPerDay().toPlainString() + ", the cheapest first; " + chosen.reason());
    }

    private Map<String, Cost> costs(RouteRequest request, List<String> models) {
        var tokens = estimator.estimate(request.request());
        Usage usage = Usage.of(tokens.input(), tokens.output());
        Instant now = timekeeper.now();
        var costs = new HashMap<String, Cost>();
        models.forEach(model -> Prices.costOf(prices, model, now, usage).ifPresent(cost -> costs.put(model, cost)));
        return costs;
    }
}
