package dev.holdfast.core.internal.choice;

import dev.holdfast.HealthStatus;
import dev.holdfast.core.EndpointPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * The order in which a call tries the endpoints of a model. Pure: the drawn numbers come from outside. Nobody is left out but
 * by primary-only: who does badly comes later.
 */
public final class Ranking {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Ranking() {}

    /**
     * {@return the endpoints in the order they are tried}
     *
     * @param given the endpoints in the order they were given
     * @param policy how they are chosen
     * @param affinity the key that keeps calls together; empty for none
     * @param draw draws from 0, inclusive, to 1, exclusive; asked only where chance decides
     */
    public static List<Contender> of(
            List<Contender> given, EndpointPolicy policy, Optional<String> affinity, DoubleSupplier draw) {
        if (given.size() < 2) {
            return given;
        }
        return switch (policy.strategy()) {
            case PRIMARY_ONLY -> given.subList(0, 1);
            case FAILOVER -> failover(given, policy, draw);
            case LOAD_BALANCED -> balanced(given, affinity, draw);
        };
    }

    /**
     * An order, and how likely it is.
     *
     * @param probability above 0, at most 1
     * @param order the endpoints in the order they are tried
     */
    public record Likely(double probability, List<Contender> order) {}

    /**
     * {@return the orders that {@link #of} may come to, the likeliest first; together their probabilities are 1}
     *
     * @param given the endpoints in the order they were given
     * @param policy how they are chosen
     * @param affinity the key that keeps calls together; empty for none
     */
    public static List<Likely> likely(List<Contender> given, EndpointPolicy policy, Optional<String> affinity) {
        if (given.size() < 2) {
            return List.of(new Likely(1, given));
        }
        return switch (policy.strategy()) {
            case PRIMARY_ONLY -> List.of(new Likely(1, given.subList(0, 1)));
            case FAILOVER -> likelyEased(inOrder(given, policy));
            case LOAD_BALANCED -> likelyBalanced(given, affinity);
        };
    }

    /** {@return where a key belongs, whoever is away now} */
    public static Contender home(List<Contender> given, String key) {
        return Rendezvous.home(given, key);
    }

    private static List<Contender> failover(List<Contender> given, EndpointPolicy policy, DoubleSupplier draw) {
        List<Contender> order = inOrder(given, policy);
        return isEasedIn(order)
                        && draw.getAsDouble() >= order.getFirst().health().share()
                ? secondFirst(order)
                : order;
    }

    private static List<Likely> likelyEased(List<Contender> order) {
        if (!isEasedIn(order)) {
            return List.of(new Likely(1, order));
        }
        double share = order.getFirst().health().share();
        return likeliestFirst(List.of(new Likely(share, order), new Likely(1 - share, secondFirst(order))));
    }

    private static List<Contender> inOrder(List<Contender> given, EndpointPolicy policy) {
        var order = new ArrayList<>(given);
        order.sort(byStatus().thenComparing(preferred(policy)));
        if (allAre(given, HealthStatus.UNHEALTHY)) {
            order.sort(leastBad());
        }
        return order;
    }

    private static Comparator<Contender> byStatus() {
        return Comparator.comparing((Contender each) -> each.health().status());
    }

    private static Comparator<Contender> preferred(EndpointPolicy policy) {
        Comparator<Contender> byLatency =
                Comparator.comparing((Contender each) -> each.health().latency().orElse(Duration.ZERO));
        return switch (policy.order()) {
            case AS_GIVEN -> Comparator.comparingInt((Contender each) -> 0);
            case FASTEST -> byLatency;
            case LAST_GOOD ->
                Comparator.comparing(
                                (Contender each) -> each.health().sinceGood().orElse(LONGEST))
                        .thenComparing(byLatency);
        };
    }

    private static Comparator<Contender> leastBad() {
        return Comparator.comparingInt((Contender each) -> each.health().failuresInRow())
                .thenComparingDouble(each -> each.health().errorRate());
    }

    private static boolean allAre(List<Contender> given, HealthStatus status) {
        return given.stream().allMatch(each -> each.health().status() == status);
    }

    /** One that has just returned gets only its share of the calls, where another is as healthy and would take them. */
    private static boolean isEasedIn(List<Contender> order) {
        Contender first = order.getFirst();
        Contender second = order.get(1);
        return first.health().share() < 1
                && second.health().share() > first.health().share()
                && first.health().status() == second.health().status()
                && first.available()
                && second.available();
    }

    private static List<Contender> secondFirst(List<Contender> order) {
        var eased = new ArrayList<>(order);
        eased.set(0, order.get(1));
        eased.set(1, order.getFirst());
        return eased;
    }

    private static List<Contender> balanced(List<Contender> given, Optional<String> affinity, DoubleSupplier draw) {
        List<Contender> pool = pool(given);
        if (pool.isEmpty()) {
            return givenAvailableFirst(given);
        }
        Contender first =
                affinity.map(key -> Rendezvous.choose(pool, key)).orElseGet(() -> TwoChoices.choose(pool, draw));
        return behind(first, given, pool);
    }

    private static List<Likely> likelyBalanced(List<Contender> given, Optional<String> affinity) {
        List<Contender> pool = pool(given);
        if (pool.isEmpty()) {
            return List.of(new Likely(1, givenAvailableFirst(given)));
        }
        if (affinity.isPresent()) {
            return List.of(new Likely(1, behind(Rendezvous.choose(pool, affinity.get()), given, pool)));
        }
        double[] chances = TwoChoices.chances(pool);
        var likely = new ArrayList<Likely>();
        for (int i = 0; i < chances.length; i++) {
            if (chances[i] > 0) {
                likely.add(new Likely(Math.min(1, chances[i]), behind(pool.get(i), given, pool)));
            }
        }
        return likeliestFirst(likely);
    }

    private static List<Likely> likeliestFirst(List<Likely> all) {
        return all.stream()
                .sorted(Comparator.comparingDouble((Likely each) -> each.probability())
                        .reversed())
                .toList();
    }

    private static List<Contender> pool(List<Contender> given) {
        return given.stream()
                .filter(each -> each.available() && each.health().status() != HealthStatus.UNHEALTHY)
                .toList();
    }

    /** The one that was chosen, and the others behind it by how well they do. */
    private static List<Contender> behind(Contender first, List<Contender> given, List<Contender> pool) {
        double unmeasured = TwoChoices.assumedLatency(given);
        var rest = new ArrayList<>(given);
        rest.remove(first);
        rest.sort(Comparator.comparing((Contender each) -> !pool.contains(each))
                .thenComparing(byStatus())
                .thenComparingDouble(each -> each.cost(unmeasured)));
        rest.addFirst(first);
        return rest;
    }

    private static List<Contender> givenAvailableFirst(List<Contender> given) {
        var order = new ArrayList<>(given);
        order.sort(Comparator.comparing((Contender each) -> !each.available()).thenComparing(leastBad()));
        return order;
    }
}
