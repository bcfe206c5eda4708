package dev.holdfast.core.internal.call;

import dev.holdfast.AllowList;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Route;
import dev.holdfast.Target;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds a call's route and the candidates along it. */
final class Routes {
    private final Setup setup;
    private final Keys keys;
    private final Predicate<Target> available;
    private final RateLimits rateLimits;

    Routes(Setup setup, Keys keys, Predicate<Target> available, RateLimits rateLimits) {
        this.rateLimits = rateLimits;
        this.setup = setup;
        this.keys = keys;
        this.available = available;
    }

    Route routeOf(Call call) {
        return call.options()
                .route()
                .map(models -> new Route(models, "the call names it"))
                .or(() -> setup.router().map(router -> router.route(routeRequest(call))))
                .orElseGet(() -> ownRoute(call.request().model()));
    }

    /** The model asked for, after it its fallbacks, after these theirs; each model once. */
    private Route ownRoute(String model) {
        if (setup.model(model).fallbacks().isEmpty()) {
            return new Route(List.of(model), "the model asked for");
        }
        var models = new LinkedHashSet<String>();
        var next = new ArrayDeque<String>();
        next.add(model);
        while (!next.isEmpty()) {
            String visited = next.remove();
            if (models.add(visited)) {
                next.addAll(setup.model(visited).fallbacks());
            }
        }
        String reason = models.size() > 1 ? "the model asked for and its fallbacks" : "the model asked for";
        return new Route(List.copyOf(models), reason);
    }

    /** Where the call may go, in the order of the route, then of the endpoints, then of their keys. */
    List<Candidate> candidates(Route route, ModelRequest request, CallOptions options) {
        AllowList allow = options.allow().orElse(AllowList.ANY);
        var candidates = new ArrayList<Candidate>();
        List<String> models = options.fallback().orElse(true)
                ? route.models()
                : route.models().subList(0, 1);
        for (String model : models) {
            ModelSettings settings = setup.model(model);
            for (Endpoint endpoint : endpointsOf(settings)) {
                if (allow.allows(endpoint) && speaks(endpoint, request.form())) {
                    addKeys(candidates, settings, endpoint, options);
                }
            }
        }
        return List.copyOf(candidates);
    }

    private List<Endpoint> endpointsOf(ModelSettings settings) {
        if (settings.endpoints().isEmpty()) {
            return setup.endpoints();
        }
        return settings.endpoints().stream().map(this::endpoint).toList();
    }

    private Endpoint endpoint(String name) {
        return setup.endpoints().stream()
                .filter(endpoint -> endpoint.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private boolean speaks(Endpoint endpoint, Form form) {
        Dialect dialect = setup.dialects().get(endpoint.dialect());
        return dialect != null && (form == Form.OPAQUE || dialect.form() == form);
    }

    private void addKeys(List<Candidate> candidates, ModelSettings settings, Endpoint endpoint, CallOptions options) {
        var target = new Target(settings.name(), endpoint.name());
        List<Credential> own = options.credential().map(List::of).orElse(endpoint.credentials());
        boolean fromSource = options.credential().isEmpty() && keys.hasSource(endpoint);
        if (own.isEmpty() || fromSource) {
            candidates.add(new Candidate(target, endpoint, Optional.empty(), settings, fromSource));
            return;
        }
        own.forEach(key -> candidates.add(new Candidate(target, endpoint, Optional.of(key), settings, false)));
    }

    private RouteRequest routeRequest(Call call) {
        Map<Target, RateLimitSnapshot> limits = rateLimits.byTarget();
        List<ModelStatus> models = setup.models().values().stream()
                .map(settings -> status(settings, limits))
                .toList();
        return new RouteRequest(call.request(), call.options(), models);
    }

    private ModelStatus status(ModelSettings settings, Map<Target, RateLimitSnapshot> limits) {
        List<Endpoint> endpoints = endpointsOf(settings);
        boolean anyAvailable =
                endpoints.stream().anyMatch(endpoint -> available.test(new Target(settings.name(), endpoint.name())));
        var said = new HashMap<String, RateLimitSnapshot>();
        for (Endpoint endpoint : endpoints) {
            RateLimitSnapshot snapshot = limits.get(new Target(settings.name(), endpoint.name()));
            if (snapshot != null) {
                said.put(endpoint.name(), snapshot);
            }
        }
        return new ModelStatus(
                settings.name(), anyAvailable, settings.contextWindow(), Optional.empty(), Optional.empty(), said);
    }
}
