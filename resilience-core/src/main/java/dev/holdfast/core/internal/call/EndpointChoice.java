package dev.holdfast.core.internal.call;

import dev.holdfast.CallOptions;
import dev.holdfast.HealthStatus;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.EndpointStrategy;
import dev.holdfast.core.internal.choice.Contender;
import dev.holdfast.core.internal.choice.PromptPrefix;
import dev.holdfast.core.internal.choice.Ranking;
import dev.holdfast.core.internal.health.Health;
import dev.holdfast.core.internal.health.HealthView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Puts the endpoints of a model in the order in which one call tries them: by their health, and by what the policy says. */
final class EndpointChoice {
    private final Health health;
    private final Admission admission;

    EndpointChoice(Health health, Admission admission) {
        this.health = health;
        this.admission = admission;
    }

    /**
     * An order of the candidates of one model, and how likely it is.
     *
     * @param probability above 0, at most 1
     * @param order the candidates
     */
    record Likely(double probability, List<Candidate> order) {}

    /**
     * What a call asks of the choice.
     *
     * @param policy the model's
     * @param affinity what keeps calls together; empty for nothing
     */
    private record Wish(EndpointPolicy policy, Optional<String> affinity) {
        static Wish of(EndpointPolicy policy, ModelRequest request, CallOptions options) {
            return new Wish(
                    policy,
                    policy.strategy() == EndpointStrategy.LOAD_BALANCED
                            ? affinity(policy, request, options)
                            : Optional.empty());
        }

        private static Optional<String> affinity(EndpointPolicy policy, ModelRequest request, CallOptions options) {
            return options.affinityKey()
                    .or(() -> policy.affinity() ? Optional.of(PromptPrefix.of(request)) : Optional.empty());
        }
    }

    /**
     * The candidates of one model in the order they are tried.
     *
     * @param byEndpoint the candidates of each endpoint, in the order they were given; none is empty
     * @param draw draws a number from 0, inclusive, to 1, exclusive, where chance decides
     */
    List<Candidate> order(
            List<List<Candidate>> byEndpoint,
            EndpointPolicy policy,
            ModelRequest request,
            CallOptions options,
            DoubleSupplier draw) {
        if (byEndpoint.size() < 2) {
            return flat(byEndpoint);
        }
        Wish wish = Wish.of(policy, request, options);
        return keysOf(Ranking.of(contenders(byEndpoint), wish.policy(), wish.affinity(), draw), byEndpoint);
    }

    /** The orders that {@link #order} may come to, the likeliest first. */
    List<Likely> likely(
            List<List<Candidate>> byEndpoint, EndpointPolicy policy, ModelRequest request, CallOptions options) {
        if (byEndpoint.size() < 2) {
            return List.of(new Likely(1, flat(byEndpoint)));
        }
        Wish wish = Wish.of(policy, request, options);
        return Ranking.likely(contenders(byEndpoint), wish.policy(), wish.affinity()).stream()
                .map(each -> new Likely(each.probability(), keysOf(each.order(), byEndpoint)))
                .toList();
    }

    /**
     * The candidates with those of an unhealthy endpoint first that has rested, so that it may return; only where another would
     * serve if it does not, and of a call with a key only that one to which the key belongs.
     *
     * @param ordered the candidates of one model as {@link #order} left them
     * @param claims whether this call is the one to try the endpoint of these candidates
     */
    List<Candidate> withTrialFirst(
            List<Candidate> ordered,
            EndpointPolicy policy,
            ModelRequest request,
            CallOptions options,
            Predicate<List<Candidate>> claims) {
        if (ordered.stream().noneMatch(each -> isUnhealthy(health.of(each.target())))) {
            return ordered;
        }
        List<List<Candidate>> byEndpoint = List.copyOf(ordered.stream()
                .collect(Collectors.groupingBy(
                        each -> each.endpoint().name(), LinkedHashMap::new, Collectors.toUnmodifiableList()))
                .values());
        List<Contender> ranked = contenders(byEndpoint);
        if (ranked.stream().noneMatch(each -> each.available() && !isUnhealthy(each.health()))) {
            return ordered;
        }
        return Wish.of(policy, request, options)
                .affinity()
                .map(key -> List.of(Ranking.home(ranked, key)))
                .orElse(ranked)
                .stream()
                .filter(each -> each.available() && each.health().trialDue())
                .filter(each -> claims.test(keysOf(each, byEndpoint)))
                .findFirst()
                .map(first -> moved(first, ranked, byEndpoint))
                .orElse(ordered);
    }

    private static boolean isUnhealthy(HealthView view) {
        return view.status() == HealthStatus.UNHEALTHY;
    }

    private static List<Candidate> moved(Contender first, List<Contender> ranked, List<List<Candidate>> byEndpoint) {
        var order = new ArrayList<>(ranked);
        order.remove(first);
        order.addFirst(first);
        return keysOf(order, byEndpoint);
    }

    private static List<Candidate> flat(List<List<Candidate>> byEndpoint) {
        return byEndpoint.size() == 1
                ? byEndpoint.getFirst()
                : byEndpoint.stream().flatMap(List::stream).toList();
    }

    private List<Contender> contenders(List<List<Candidate>> byEndpoint) {
        return byEndpoint.stream().map(this::contender).toList();
    }

    private static List<Candidate> keysOf(List<Contender> order, List<List<Candidate>> byEndpoint) {
        return order.stream().flatMap(each -> keysOf(each, byEndpoint).stream()).toList();
    }

    private static List<Candidate> keysOf(Contender contender, List<List<Candidate>> byEndpoint) {
        return byEndpoint.stream()
                .filter(keys -> keys.getFirst().endpoint().name().equals(contender.name()))
                .findFirst()
                .orElseThrow();
    }

    private Contender contender(List<Candidate> keys) {
        Candidate one = keys.getFirst();
        boolean available =
                admission.wouldAdmit(one.target()) && keys.stream().anyMatch(key -> !admission.isResting(key));
        return new Contender(one.endpoint().name(), one.endpoint().weight(), health.of(one.target()), available);
    }
}
