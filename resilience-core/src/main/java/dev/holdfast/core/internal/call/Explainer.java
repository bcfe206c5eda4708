package dev.holdfast.core.internal.call;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Explanation;
import dev.holdfast.FailureKind;
import dev.holdfast.Rejection;
import dev.holdfast.Route;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.internal.call.Admission.Ask;
import dev.holdfast.core.internal.call.EndpointChoice.Likely;
import dev.holdfast.core.internal.call.Rehearsal.Step;
import dev.holdfast.core.internal.health.Health;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.ModelRouter.LikelyRoute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Says what a call would do, by the same parts that would do it, and does nothing. */
final class Explainer {
    private final Setup setup;
    private final Services services;
    private final Health health;

    Explainer(Setup setup, Services services, Health health) {
        this.setup = setup;
        this.services = services;
        this.health = health;
    }

    Explanation explain(Call call) {
        List<LikelyRoute> routes = services.routes().likelyRoutes(call);
        Spending spending = services.spendingOf(call);
        var ask = new Ask(call, spending, availableIn -> {}, true);
        List<Way> ways = routes.stream()
                .flatMap(route -> ways(route, ask).stream())
                .sorted(Comparator.comparingDouble(Way::probability).reversed())
                .toList();
        List<Start> starts = starts(ways);
        Way way = likeliest(ways, starts);
        return new Explanation(
                way.route(),
                services.routes().policyOf(way.models().iterator().next()).toString(),
                spending.estimate().input(),
                spending.estimate().output(),
                lines(way.rehearsal(), way.models(), ask),
                starts.stream().map(Start::told).toList(),
                way.rehearsal()
                        .hedge()
                        .map(hedge -> new Explanation.Hedge(
                                hedge.candidate().target(), name(hedge.candidate()), hedge.after())),
                setup.retry().maxAttemptsPerCall());
    }

    /**
     * A way that the call may take.
     *
     * @param probability how likely it is
     * @param route its models
     * @param models those of them that the call tries, in their order
     * @param rehearsal the call on it
     */
    private record Way(double probability, Route route, Set<String> models, Rehearsal rehearsal) {
        boolean leadsNowhere() {
            return rehearsal.first().isEmpty();
        }
    }

    /**
     * Where the call may begin.
     *
     * @param first its first attempt
     * @param probability how likely that is
     * @param way the likeliest way to it
     */
    private record Start(Rehearsal.First first, double probability, Way way) {
        Start or(Start other) {
            return new Start(first, probability + other.probability, way);
        }

        Explanation.First told() {
            Candidate to = first.candidate();
            return new Explanation.First(to.target(), name(to), Math.min(1, probability), first.after());
        }
    }

    /** The likeliest way to where the call most likely begins, or of those on which nothing is sent, if that is likelier. */
    private static Way likeliest(List<Way> ways, List<Start> starts) {
        double nowhere = ways.stream()
                .filter(Way::leadsNowhere)
                .mapToDouble(Way::probability)
                .sum();
        return starts.isEmpty() || nowhere > starts.getFirst().probability()
                ? ways.stream().filter(Way::leadsNowhere).findFirst().orElseThrow()
                : starts.getFirst().way();
    }

    /** The likeliest first; none where nothing would be sent. */
    private static List<Start> starts(List<Way> ways) {
        var starts = new LinkedHashMap<Candidate, Start>();
        for (Way way : ways) {
            way.rehearsal()
                    .first()
                    .ifPresent(first ->
                            starts.merge(first.candidate(), new Start(first, way.probability(), way), Start::or));
        }
        return starts.values().stream()
                .sorted(Comparator.comparingDouble(Start::probability).reversed())
                .toList();
    }

    /** The likeliest first. Chance orders the endpoints of a model; where the first attempt goes depends on no other model's. */
    private List<Way> ways(LikelyRoute route, Ask ask) {
        Map<String, List<Likely>> byModel =
                services.routes().likely(route.route(), ask.call().request(), ask.options());
        var likeliest = new Way(route.probability(), route.route(), byModel.keySet(), rehearsed(byModel, ask));
        Optional<String> begins = likeliest
                .rehearsal()
                .first()
                .map(first -> first.candidate().target().model());
        if (begins.isEmpty()) {
            return List.of(likeliest);
        }
        String model = begins.get();
        return Objects.requireNonNull(byModel.get(model)).stream()
                .map(order -> {
                    var byChance = new LinkedHashMap<>(byModel);
                    byChance.put(model, List.of(order));
                    double probability = route.probability() * order.probability();
                    return new Way(probability, route.route(), byModel.keySet(), rehearsed(byChance, ask));
                })
                .toList();
    }

    /** The call in the likeliest order of each model. */
    private Rehearsal rehearsed(Map<String, List<Likely>> byModel, Ask ask) {
        List<Candidate> candidates = byModel.values().stream()
                .flatMap(orders -> orders.getFirst().order().stream())
                .toList();
        Call call = ask.call();
        return Rehearsal.of(
                services,
                ask,
                CallState.begin(call.id(), candidates, setup.timekeeper().nanoTime(), call.deadlineNanos()));
    }

    private static Optional<String> name(Candidate candidate) {
        return candidate.credential().map(Credential::name);
    }

    private List<Explanation.Candidate> lines(Rehearsal rehearsal, Set<String> models, Ask ask) {
        var lines = new ArrayList<Explanation.Candidate>();
        for (String model : models) {
            var listed = new HashSet<String>();
            for (Step step : rehearsal.steps()) {
                if (step.candidate().target().model().equals(model)) {
                    listed.add(step.candidate().endpoint().name());
                    lines.add(line(step.candidate(), step.skipped(), ask));
                }
            }
            rehearsal
                    .later()
                    .forEach(step -> listed.add(step.candidate().endpoint().name()));
            for (Candidate left : services.routes().leftOut(model, listed)) {
                var rejection = new Rejection(left.target(), FailureKind.POLICY_REFUSED, Optional.empty());
                lines.add(line(left, Optional.of(rejection), ask));
            }
        }
        rehearsal.later().forEach(step -> lines.add(line(step.candidate(), step.skipped(), ask)));
        return lines;
    }

    private Explanation.Candidate line(Candidate candidate, Optional<Rejection> skipped, Ask ask) {
        Spending spending = ask.spending();
        Call call = ask.call();
        ModelSettings model = candidate.model();
        return new Explanation.Candidate(
                candidate.target(),
                candidate.credential().map(Credential::name),
                skipped,
                skipped.map(rejection -> words(rejection, candidate, spending, call))
                        .orElse(""),
                health.of(candidate.target()).status(),
                ContextWindow.need(candidate, call.request(), spending),
                model.contextWindow(),
                spending.most(model),
                services.timeoutFor(call, candidate),
                RequestFit.of(call.request(), model).adjusted());
    }

    private String words(Rejection rejection, Candidate candidate, Spending spending, Call call) {
        String until = rejection.availableIn().map(in -> " for " + millis(in)).orElse("");
        return switch (rejection.kind()) {
            case CIRCUIT_OPEN -> "its breaker is open" + until;
            case OUT_OF_SERVICE -> "an operator took it out of service" + until;
            case COOLING_DOWN ->
                rejection.availableIn().filter(Duration::isZero).isPresent()
                        ? "its account rests, for as long as there is another to go to: it refused a call and did not say until when"
                        : "its account cools down" + until;
            case LIMIT_EXCEEDED -> "its limit is used up" + until;
            case CONTEXT_LENGTH ->
                "it cannot hold the request: "
                        + ContextWindow.need(candidate, call.request(), spending) + " of "
                        + candidate.model().contextWindow().orElse(0) + " tokens";
            case COST_LIMIT ->
                spending.most(candidate.model())
                        .map(cost -> "it may cost $" + cost.usd().toPlainString() + ", more than the call may")
                        .orElse("its price is unknown, and the call has a bound on cost");
            case POLICY_REFUSED -> whyLeftOut(candidate.endpoint(), candidate.model(), call);
            default -> rejection.kind().wireName() + until;
        };
    }

    private String whyLeftOut(Endpoint endpoint, ModelSettings model, Call call) {
        if (call.options().allow().filter(allow -> !allow.allows(endpoint)).isPresent()) {
            return "the call does not allow its region, vendor or retention";
        }
        return services.routes().speaks(endpoint, call.request().form())
                ? services.routes().policyOf(model.name()) + " leaves it out"
                : "its dialect does not speak " + call.request().form();
    }

    private static String millis(Duration length) {
        return length.toMillis() + " ms";
    }
}
