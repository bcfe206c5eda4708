package dev.holdfast.core.internal.call;

import dev.holdfast.AllowList;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Route;
import dev.holdfast.RouteOrder;
import dev.holdfast.Target;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.internal.call.Admission.Ask;
import dev.holdfast.core.internal.call.EndpointChoice.Likely;
import dev.holdfast.core.internal.form.Translation;
import dev.holdfast.core.internal.health.Health;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.ModelRouter.LikelyRoute;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds a call's route and the candidates along it. */
final class Routes {
    /** Of models that the client was not told of, which callers may name as they like. */
    private static final int MOST_STRANGERS = 1_000;

    private final Setup setup;
    private final Keys keys;
    private final Admission admission;
    private final RateLimits rateLimits;
    private final Health health;
    private final EndpointChoice choice;
    /** What a million calls that ask for the same model need not each have for themselves. */
    private final BoundedRegistry<String, Planned> planned;

    Routes(Setup setup, Keys keys, Admission admission, RateLimits rateLimits, Health health) {
        this.rateLimits = rateLimits;
        this.setup = setup;
        this.keys = keys;
        this.admission = admission;
        this.health = health;
        this.choice = new EndpointChoice(health, admission);
        this.planned = new BoundedRegistry<>(setup.models().size() + MOST_STRANGERS, this::plan);
    }

    /**
     * What follows from the setup alone.
     *
     * @param route the route of a call that asks for the model
     * @param settings the model's
     * @param places where it is served, in the order of its endpoints
     */
    private record Planned(Route route, ModelSettings settings, List<Place> places) {}

    /**
     * A model at one of its endpoints.
     *
     * @param target the model on the endpoint
     * @param endpoint the endpoint
     * @param candidates the target with each key of the endpoint; the model's pace is not told
     */
    private record Place(Target target, Endpoint endpoint, List<Candidate> candidates) {}

    private Planned plan(String model) {
        ModelSettings settings = setup.model(model);
        List<Place> places = endpointsOf(settings).stream()
                .map(endpoint -> new Place(
                        new Target(model, endpoint.name()),
                        endpoint,
                        withKeys(settings, endpoint, Optional.empty(), Optional.empty())))
                .toList();
        return new Planned(ownRoute(model), settings, places);
    }

    Route routeOf(Call call) {
        return fixedRoute(call).orElseGet(() -> setup.router().orElseThrow().route(routeRequest(call)));
    }

    /** The routes that the call may get, the likeliest first: several where a router leaves it to chance. */
    List<LikelyRoute> likelyRoutes(Call call) {
        return fixedRoute(call)
                .map(route -> List.of(new LikelyRoute(1, route)))
                .orElseGet(() -> setup.router().orElseThrow().likely(routeRequest(call)));
    }

    /** The route of a call that no router is asked for. */
    private Optional<Route> fixedRoute(Call call) {
        Optional<List<String>> named = call.options().route();
        if (named.isPresent()) {
            return Optional.of(new Route(named.get(), "the call names it"));
        }
        if (setup.router().isEmpty()) {
            return Optional.of(planned.get(call.request().model()).route());
        }
        return setup.router().get() instanceof FixedRoute fixed ? Optional.of(fixed.route()) : Optional.empty();
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
        Paces paces = pacesOf(route);
        var candidates = new ArrayList<Candidate>();
        for (String model : modelsOf(route, options, paces)) {
            Planned plan = planned.get(model);
            List<List<Candidate>> byEndpoint = byEndpoint(plan, request, options, paces.of(model));
            if (byEndpoint.size() == 1 && route.models().size() == 1) {
                return byEndpoint.getFirst();
            }
            candidates.addAll(choice.order(byEndpoint, policyOf(plan), request, options, setup.random()::nextDouble));
        }
        return List.copyOf(candidates);
    }

    /** For each model that the call tries, in its order, where it may go there: every order that chance may bring. */
    Map<String, List<Likely>> likely(Route route, ModelRequest request, CallOptions options) {
        Paces paces = pacesOf(route);
        var byModel = new LinkedHashMap<String, List<Likely>>();
        for (String model : modelsOf(route, options, paces)) {
            Planned plan = planned.get(model);
            List<List<Candidate>> byEndpoint = byEndpoint(plan, request, options, paces.of(model));
            byModel.put(model, choice.likely(byEndpoint, policyOf(plan), request, options));
        }
        return byModel;
    }

    /** A target with each key that a call may use there. */
    List<Candidate> candidates(Target target, ModelRequest request, CallOptions options) {
        return byEndpoint(planned.get(target.model()), request, options, Optional.empty()).stream()
                .flatMap(List::stream)
                .filter(candidate -> candidate.target().equals(target))
                .toList();
    }

    /**
     * The call as it comes to a model it has not been to: an endpoint that is unhealthy and has rested is first there if this call is
     * the one to try it.
     *
     * @param claims whether it is; asked only of an endpoint that would let it through
     */
    CallState arrived(CallState state, int candidate, Ask ask, Predicate<Target> claims) {
        List<Candidate> there = state.ofSameModel(candidate);
        if (there.size() < 2) {
            return state;
        }
        List<Candidate> reordered = choice.withTrialFirst(
                there,
                policyOf(planned.get(there.getFirst().target().model())),
                ask.call().request(),
                ask.options(),
                keys -> keys.stream().anyMatch(key -> mayGo(state, key, ask))
                        && claims.test(keys.getFirst().target()));
        return reordered.equals(there) ? state : state.reordered(candidate, reordered);
    }

    /** Whether this call is the one to try a target that is unhealthy and has rested; then others leave it alone. */
    boolean tries(Target target) {
        return health.tryTrial(target);
    }

    /** Whether a call could be the one. Nobody sees that it was asked. */
    boolean mayBeTried(Target target) {
        return health.of(target).trialDue();
    }

    private boolean mayGo(CallState state, Candidate key, Ask ask) {
        int index = state.candidates().indexOf(key);
        return Prospects.isReachable(state, index)
                && Prospects.keyIsGood(state, index)
                && admission.outlook(key, state, index, ask).isEmpty();
    }

    private EndpointPolicy policyOf(Planned plan) {
        return plan.settings().endpointPolicy().orElse(setup.endpointPolicy());
    }

    /** How the endpoints of a model are chosen. */
    EndpointPolicy policyOf(String model) {
        return policyOf(planned.get(model));
    }

    private static List<String> modelsOf(Route route, CallOptions options, Paces paces) {
        if (!options.fallback().orElse(true)) {
            return route.models().subList(0, 1);
        }
        return options.routeOrder().orElse(RouteOrder.QUALITY_FIRST) == RouteOrder.FAST_FIRST
                ? paces.fastestFirst(route.models())
                : route.models();
    }

    /** The candidates at each endpoint that serves the model and that the call may use, in the order they were given. */
    private List<List<Candidate>> byEndpoint(
            Planned plan, ModelRequest request, CallOptions options, Optional<Duration> pace) {
        AllowList allow = options.allow().orElse(AllowList.ANY);
        var byEndpoint = new ArrayList<List<Candidate>>(plan.places().size());
        for (Place place : plan.places()) {
            if (allow.allows(place.endpoint()) && speaks(place.endpoint(), request.form())) {
                byEndpoint.add(servedAt(place, plan.settings(), options.credential(), pace));
            }
        }
        return byEndpoint;
    }

    private List<Candidate> servedAt(
            Place place, ModelSettings settings, Optional<Credential> brought, Optional<Duration> pace) {
        return brought.isEmpty() && pace.isEmpty()
                ? place.candidates()
                : withKeys(settings, place.endpoint(), brought, pace);
    }

    private Paces pacesOf(Route route) {
        if (route.models().size() < 2) {
            return Paces.NONE;
        }
        var measured = new HashMap<String, Duration>();
        for (String model : route.models()) {
            Optional<Duration> latency = latencyOf(planned.get(model));
            if (latency.isEmpty()) {
                return configuredPacesOf(route);
            }
            measured.put(model, latency.get());
        }
        return new Paces(measured);
    }

    private Paces configuredPacesOf(Route route) {
        var configured = new HashMap<String, Duration>();
        for (String model : route.models()) {
            setup.model(model).timeout().ifPresent(timeout -> configured.put(model, timeout));
        }
        return new Paces(configured);
    }

    /** The mean latency of the model where it answers soonest. */
    private Optional<Duration> latencyOf(Planned plan) {
        Optional<Duration> soonest = Optional.empty();
        for (Place place : plan.places()) {
            Optional<Duration> latency = health.latencyOf(place.target());
            if (latency.isPresent() && (soonest.isEmpty() || latency.get().compareTo(soonest.get()) < 0)) {
                soonest = latency;
            }
        }
        return soonest;
    }

    private List<Endpoint> endpointsOf(ModelSettings settings) {
        if (settings.endpoints().isEmpty()) {
            return setup.endpoints();
        }
        return settings.endpoints().stream().map(this::endpoint).toList();
    }

    /** The targets of a model, in the order of its endpoints. */
    List<Target> targetsOf(String model) {
        return planned.get(model).places().stream().map(Place::target).toList();
    }

    /** A target with each of its own keys; empty where there is no such endpoint. */
    Optional<List<Candidate>> keysOf(Target target) {
        return setup.endpoints().stream()
                .filter(endpoint -> endpoint.name().equals(target.endpoint()))
                .findFirst()
                .map(endpoint -> withKeys(setup.model(target.model()), endpoint, Optional.empty(), Optional.empty()));
    }

    private Endpoint endpoint(String name) {
        return setup.endpoints().stream()
                .filter(endpoint -> endpoint.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The candidates of a model at endpoints that serve it and are not among the given: the call may not use them. */
    List<Candidate> leftOut(String model, Set<String> used) {
        ModelSettings settings = setup.model(model);
        return endpointsOf(settings).stream()
                .filter(endpoint -> !used.contains(endpoint.name()))
                .map(endpoint ->
                        new Candidate(new Target(model, endpoint.name()), endpoint, Optional.empty(), settings, false))
                .toList();
    }

    /** What has a form is translated to any other. */
    boolean speaks(Endpoint endpoint, Form form) {
        Dialect dialect = setup.dialects().get(endpoint.dialect());
        return dialect != null && (form == Form.OPAQUE || Translation.between(form, dialect.form()));
    }

    private List<Candidate> withKeys(
            ModelSettings settings, Endpoint endpoint, Optional<Credential> brought, Optional<Duration> pace) {
        var target = new Target(settings.name(), endpoint.name());
        List<Credential> own = brought.map(List::of).orElse(endpoint.credentials());
        boolean fromSource = brought.isEmpty() && keys.hasSource(endpoint);
        if (own.isEmpty() || fromSource) {
            return List.of(new Candidate(target, endpoint, Optional.empty(), settings, fromSource, pace));
        }
        return own.stream()
                .map(key -> new Candidate(target, endpoint, Optional.of(key), settings, false, pace))
                .toList();
    }

    private RouteRequest routeRequest(Call call) {
        Map<Target, RateLimitSnapshot> limits = rateLimits.byTarget();
        List<ModelStatus> models = setup.models().values().stream()
                .map(settings -> status(planned.get(settings.name()), limits))
                .toList();
        return new RouteRequest(call.request(), call.options(), models);
    }

    private ModelStatus status(Planned plan, Map<Target, RateLimitSnapshot> limits) {
        boolean anyAvailable = plan.places().stream().anyMatch(place -> admission.wouldAdmit(place.target()));
        var said = new HashMap<String, RateLimitSnapshot>();
        for (Place place : plan.places()) {
            RateLimitSnapshot snapshot = limits.get(place.target());
            if (snapshot != null) {
                said.put(place.endpoint().name(), snapshot);
            }
        }
        return new ModelStatus(
                plan.settings().name(),
                anyAvailable,
                plan.settings().contextWindow(),
                latencyOf(plan),
                successRateOf(plan),
                said);
    }

    /** The share of attempts that succeeded lately where most did. */
    private Optional<Double> successRateOf(Planned plan) {
        return plan.places().stream()
                .map(place -> health.of(place.target()))
                .filter(view -> view.calls() > 0)
                .map(view -> 1 - view.errorRate())
                .max(Comparator.naturalOrder());
    }
}
