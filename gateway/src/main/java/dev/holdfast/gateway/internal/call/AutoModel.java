package dev.holdfast.gateway.internal.call;

import dev.holdfast.CallOptions;
import dev.holdfast.HealthReport;
import dev.holdfast.ModelHealth;
import dev.holdfast.ModelRequest;
import dev.holdfast.Price;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Route;
import dev.holdfast.TargetHealth;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.config.ClientSettings;
import dev.holdfast.gateway.internal.access.AccessKey;
import dev.holdfast.routing.BlendRouter;
import dev.holdfast.routing.LiveStats;
import dev.holdfast.routing.PriceBook;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.ModelRouter.LikelyRoute;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import dev.holdfast.spi.PriceSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The model {@code auto}: a router chooses among the models that a key may ask for, by what they cost, how long they take and how
 * often they answer. Safe for use by many threads.
 */
public final class AutoModel {
    /** How clients ask for it. A model of that name in the configuration is that model. */
    public static final String NAME = "auto";

    private final ModelRouter router;
    private final ResilientClient client;
    private final Map<String, OptionalLong> windows;
    private final List<String> models;

    /**
     * Creates the choice.
     *
     * @param client reports on the models
     * @param settings names them, in their order, and says what they cost
     * @param stats how models did lately
     */
    public AutoModel(ResilientClient client, ClientSettings settings, LiveStats stats) {
        this.client = client;
        this.models = settings.models().stream().map(ModelSettings::name).toList();
        this.windows = new HashMap<>();
        settings.models().forEach(model -> windows.put(model.name(), model.contextWindow()));
        PriceBook list = PriceBook.listPrices();
        PriceSource prices = (model, at) -> {
            Optional<Price> own = settings.price(model);
            return own.isPresent() ? own : list.price(model, at);
        };
        this.router = BlendRouter.of(
                prices,
                stats,
                new BlendRouter.Weights(1, 1, 2),
                () -> ThreadLocalRandom.current().nextLong());
    }

    /**
     * {@return whether a name means this choice}
     *
     * @param name what a client asks for
     */
    boolean isMeantBy(String name) {
        return name.equals(NAME) && !models.contains(NAME);
    }

    /**
     * {@return the models to try, best first, and why}
     *
     * @param request what is asked
     * @param options how
     * @param key whose call it is
     */
    Route route(ModelRequest request, CallOptions options, Optional<AccessKey> key) {
        RouteRequest asked = asked(request, options, key);
        return named(router.route(asked), asked);
    }

    /**
     * {@return the routes that chance may bring, the likeliest first}
     *
     * @param request what is asked
     * @param options how
     * @param key whose call it is
     */
    List<LikelyRoute> likely(ModelRequest request, CallOptions options, Optional<AccessKey> key) {
        RouteRequest asked = asked(request, options, key);
        return router.likely(asked).stream()
                .map(each -> new LikelyRoute(each.probability(), named(each.route(), asked)))
                .toList();
    }

    private RouteRequest asked(ModelRequest request, CallOptions options, Optional<AccessKey> key) {
        HealthReport report = client.health();
        Map<String, ModelHealth> known = new HashMap<>();
        report.models().forEach(model -> known.put(model.model(), model));
        List<ModelStatus> allowed = models.stream()
                .filter(model -> key.isEmpty() || key.get().allows(model))
                .map(model -> status(model, Optional.ofNullable(known.get(model))))
                .toList();
        return new RouteRequest(request, options, allowed);
    }

    private static Route named(Route chosen, RouteRequest asked) {
        boolean unchosen = chosen.models().contains(NAME);
        return unchosen
                ? new Route(asked.models().stream().map(ModelStatus::model).toList(), "in the order of the file")
                : chosen;
    }

    private ModelStatus status(String model, Optional<ModelHealth> health) {
        List<TargetHealth> targets = health.map(ModelHealth::targets).orElse(List.of());
        Map<String, RateLimitSnapshot> limits = new HashMap<>();
        targets.forEach(target ->
                target.limits().ifPresent(said -> limits.put(target.target().endpoint(), said)));
        return new ModelStatus(
                model,
                targets.stream().anyMatch(TargetHealth::isAvailable),
                windows.getOrDefault(model, OptionalLong.empty()),
                targets.stream()
                        .filter(target -> target.latency().samples() > 0)
                        .map(target -> target.latency().median())
                        .min(Comparator.<Duration>naturalOrder()),
                targets.stream().map(target -> 1 - target.errorRate()).max(Comparator.<Double>naturalOrder()),
                limits);
    }
}
