package dev.holdfast.core.internal.choice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HealthStatus;
import dev.holdfast.core.EndpointOrder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.internal.health.HealthView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RankingTest {
    private static final EndpointPolicy FAILOVER = EndpointPolicy.failover();
    private static final EndpointPolicy BALANCED = EndpointPolicy.loadBalanced();

    private final RandomGenerator random = new Random(7);

    private static Contender contender(String name, HealthStatus status, long latencyMillis) {
        return new Contender(name, 1, view(status, latencyMillis, 0, 0, 1), true);
    }

    private static Contender idle(String name, int weight) {
        return new Contender(name, weight, view(HealthStatus.HEALTHY, 100, 0, 0, 1), true);
    }

    private static HealthView view(
            HealthStatus status, long latencyMillis, double errorRate, int inFlight, double share) {
        Optional<Duration> latency =
                latencyMillis > 0 ? Optional.of(Duration.ofMillis(latencyMillis)) : Optional.empty();
        return new HealthView(
                status,
                latency,
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                errorRate,
                100,
                inFlight,
                0,
                share,
                Optional.empty(),
                false);
    }

    private List<String> order(List<Contender> given, EndpointPolicy policy) {
        return names(Ranking.of(given, policy, Optional.empty(), random::nextDouble));
    }

    private static List<String> names(List<Contender> contenders) {
        return contenders.stream().map(Contender::name).toList();
    }

    @Test
    void primaryOnlyKeepsTheFirstHoweverItDoes() {
        List<Contender> given =
                List.of(contender("a", HealthStatus.UNHEALTHY, 900), contender("b", HealthStatus.HEALTHY, 10));
        assertThat(order(given, EndpointPolicy.primaryOnly())).containsExactly("a");
    }

    @Test
    void failoverGoesToHealthyThenDegradedThenUnhealthyEachInTheOrderGiven() {
        List<Contender> given = List.of(
                contender("a", HealthStatus.UNHEALTHY, 1),
                contender("b", HealthStatus.DEGRADED, 1),
                contender("c", HealthStatus.HEALTHY, 900),
                contender("d", HealthStatus.HEALTHY, 10));
        assertThat(order(given, FAILOVER)).containsExactly("c", "d", "b", "a");
        assertThat(order(given, FAILOVER.withOrder(EndpointOrder.FASTEST))).containsExactly("d", "c", "b", "a");
    }

    @Test
    void theLastThatServedComesFirstWhereThePolicySaysSo() {
        HealthView base = view(HealthStatus.HEALTHY, 500, 0, 0, 1);
        var served = new HealthView(
                base.status(),
                base.latency(),
                Duration.ZERO,
                Optional.of(Duration.ofSeconds(3)),
                Optional.empty(),
                0,
                10,
                0,
                0,
                1,
                Optional.empty(),
                false);
        List<Contender> given = List.of(contender("a", HealthStatus.HEALTHY, 100), new Contender("b", 1, served, true));
        assertThat(order(given, FAILOVER.withOrder(EndpointOrder.LAST_GOOD))).containsExactly("b", "a");
    }

    @Test
    void whereAllAreUnhealthyTheLeastBadComesFirst() {
        HealthView bad = view(HealthStatus.UNHEALTHY, 10, 1, 0, 1);
        var worse = new HealthView(
                HealthStatus.UNHEALTHY,
                bad.latency(),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                1,
                100,
                0,
                9,
                1,
                Optional.empty(),
                false);
        List<Contender> given = List.of(new Contender("a", 1, worse, true), new Contender("b", 1, bad, true));
        assertThat(order(given, FAILOVER)).containsExactly("b", "a");
        assertThat(order(given, BALANCED)).containsExactly("b", "a");
    }

    @Test
    void anEndpointThatHasJustReturnedGetsItsShareOfTheCalls() {
        Contender returned = new Contender("a", 1, view(HealthStatus.HEALTHY, 100, 0, 0, 0.25), true);
        List<Contender> given = List.of(returned, idle("b", 1));
        int first = 0;
        for (int i = 0; i < 10_000; i++) {
            first += order(given, FAILOVER).getFirst().equals("a") ? 1 : 0;
        }
        assertThat(first).isBetween(bound(10_000, 0.25, -5), bound(10_000, 0.25, 5));
    }

    @Test
    void failoverDrawsNothingWhereNothingReturns() {
        List<Contender> given = List.of(idle("a", 1), idle("b", 1));
        assertThat(names(Ranking.of(given, FAILOVER, Optional.empty(), () -> {
                    throw new AssertionError("drawn");
                })))
                .containsExactly("a", "b");
    }

    /** Five standard deviations of the binomial distribution: it fails once in two million runs, and the seed is fixed. */
    private static int bound(int calls, double share, double deviations) {
        return (int) Math.round(calls * share + deviations * Math.sqrt(calls * share * (1 - share)));
    }

    @Property(tries = 30)
    void balancedCallsFollowTheWeightsWhereAllElseIsEqual(
            @ForAll @Size(min = 2, max = 6) List<@IntRange(min = 1, max = 9) Integer> weights) {
        var given = new ArrayList<Contender>();
        for (int i = 0; i < weights.size(); i++) {
            given.add(idle("e" + i, weights.get(i)));
        }
        int calls = 20_000;
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < calls; i++) {
            counts.merge(order(given, BALANCED).getFirst(), 1, Integer::sum);
        }
        double sum = weights.stream().mapToInt(Integer::intValue).sum();
        for (int i = 0; i < weights.size(); i++) {
            double share = weights.get(i) / sum;
            assertThat(counts.getOrDefault("e" + i, 0)).isBetween(bound(calls, share, -5), bound(calls, share, 5));
        }
    }

    @Test
    void balancedCallsLeaveASlowAFailingAndACrowdedEndpoint() {
        for (Contender bad : List.of(
                new Contender("bad", 1, view(HealthStatus.HEALTHY, 400, 0, 0, 1), true),
                new Contender("bad", 1, view(HealthStatus.HEALTHY, 100, 0.6, 0, 1), true),
                new Contender("bad", 1, view(HealthStatus.HEALTHY, 100, 0, 20, 1), true))) {
            for (int i = 0; i < 100; i++) {
                assertThat(order(List.of(bad, idle("good", 1)), BALANCED)).containsExactly("good", "bad");
            }
        }
    }

    @Test
    void latenciesThatDifferByAFifthAreAlike() {
        Contender slower = new Contender("slower", 1, view(HealthStatus.HEALTHY, 120, 0, 0, 1), true);
        int first = 0;
        for (int i = 0; i < 1_000; i++) {
            first += order(List.of(slower, idle("faster", 1)), BALANCED)
                            .getFirst()
                            .equals("slower")
                    ? 1
                    : 0;
        }
        assertThat(first).isBetween(bound(1_000, 0.5, -5), bound(1_000, 0.5, 5));
    }

    @Test
    void twoChoicesSpreadCallsInFlightFarBetterThanChance() {
        int[] inFlight = new int[10];
        int[] byChance = new int[10];
        for (int call = 0; call < 1_000; call++) {
            List<Contender> given = IntStream.range(0, 10)
                    .mapToObj(i -> new Contender("e" + i, 1, view(HealthStatus.HEALTHY, 100, 0, inFlight[i], 1), true))
                    .toList();
            inFlight[Integer.parseInt(order(given, BALANCED).getFirst().substring(1))]++;
            byChance[random.nextInt(10)]++;
        }
        assertThat(IntStream.of(inFlight).max().orElseThrow())
                .isLessThan(IntStream.of(byChance).max().orElseThrow())
                .isLessThanOrEqualTo(102);
    }

    @Test
    void aLatencyOfLongAgoIsForgottenByHalves() {
        HealthView slow = view(HealthStatus.HEALTHY, 800, 0, 0, 1);
        var longAgo = new HealthView(
                slow.status(),
                slow.latency(),
                Duration.ofSeconds(90),
                Optional.empty(),
                Optional.empty(),
                0,
                10,
                0,
                0,
                1,
                Optional.empty(),
                false);
        assertThat(new Contender("a", 1, longAgo, true).cost(1))
                .isEqualTo(Duration.ofMillis(100).toNanos());
    }

    @Property
    void nobodyIsLeftOutAndNobodyComesTwice(
            @ForAll("contenders") List<Contender> given, @ForAll("policies") EndpointPolicy policy) {
        List<Contender> named = IntStream.range(0, given.size())
                .mapToObj(i -> {
                    Contender each = given.get(i);
                    return new Contender("e" + i, each.weight(), each.health(), each.available());
                })
                .toList();
        assertThat(order(named, policy)).containsExactlyInAnyOrderElementsOf(names(named));
        assertThat(names(Ranking.of(named, policy, Optional.of("key"), random::nextDouble)))
                .containsExactlyInAnyOrderElementsOf(names(named));
    }

    @Property
    void anUnhealthyEndpointIsNeverFirstWhileAnotherStands(
            @ForAll("rivals") List<Contender> given, @ForAll("policies") EndpointPolicy policy) {
        boolean anotherStands = given.stream()
                .anyMatch(each -> each.available() && each.health().status() != HealthStatus.UNHEALTHY);
        Contender first =
                Ranking.of(given, policy, Optional.empty(), random::nextDouble).getFirst();
        assertThat(anotherStands && first.health().status() == HealthStatus.UNHEALTHY)
                .isFalse();
    }

    @Property
    void aKeyStaysWhereItIsAndComesBack(@ForAll("keys") String key, @ForAll @IntRange(min = 2, max = 6) int count) {
        List<Contender> all =
                IntStream.range(0, count).mapToObj(i -> idle("e" + i, 1)).toList();
        String home = affine(all, key).getFirst();
        assertThat(affine(all, key).getFirst()).isEqualTo(home);
        List<Contender> homeIsOut = all.stream()
                .map(each -> each.name().equals(home) ? contender(home, HealthStatus.UNHEALTHY, 100) : each)
                .toList();
        assertThat(affine(homeIsOut, key).getFirst()).isNotEqualTo(home);
        List<Contender> homeCools = all.stream()
                .map(each -> each.name().equals(home) ? new Contender(home, 1, each.health(), false) : each)
                .toList();
        assertThat(affine(homeCools, key).getFirst())
                .isEqualTo(affine(homeIsOut, key).getFirst());
        List<Contender> anotherIsOut = all.stream()
                .map(each -> each.name().equals(home) ? each : contender(each.name(), HealthStatus.UNHEALTHY, 100))
                .toList();
        assertThat(affine(anotherIsOut, key).getFirst())
                .as("only its own home moves a key")
                .isEqualTo(home);
        List<Contender> slow = all.stream()
                .map(each -> each.name().equals(home)
                        ? new Contender(home, 1, view(HealthStatus.DEGRADED, 900, 0.3, 50, 1), true)
                        : each)
                .toList();
        assertThat(affine(slow, key).getFirst()).isEqualTo(home);
    }

    private List<String> affine(List<Contender> given, String key) {
        return names(Ranking.of(given, BALANCED, Optional.of(key), random::nextDouble));
    }

    @Test
    void keysOfAnEndpointThatReturnedComeBackLittleByLittleAndEachOnce() {
        List<String> keys = IntStream.range(0, 4_000).mapToObj(i -> "user-" + i).toList();
        Set<String> atHome = keys.stream()
                .filter(key -> affine(returning(1), key).getFirst().equals("home"))
                .collect(Collectors.toSet());
        Set<String> before = Set.of();
        for (double share : new double[] {0.1, 0.25, 0.5, 0.75, 1}) {
            Set<String> back = keys.stream()
                    .filter(key -> affine(returning(share), key).getFirst().equals("home"))
                    .collect(Collectors.toSet());
            assertThat(back).as("at %s of its weight", share).containsAll(before);
            assertThat(atHome).containsAll(back);
            double expected = share / (share + 3);
            assertThat(back.size()).isBetween(bound(keys.size(), expected, -5), bound(keys.size(), expected, 5));
            before = back;
        }
        assertThat(keys)
                .allMatch(key -> Ranking.home(returning(0.1), key)
                        .name()
                        .equals(affine(returning(1), key).getFirst()));
    }

    private static List<Contender> returning(double share) {
        return List.of(
                new Contender("home", 1, view(HealthStatus.HEALTHY, 100, 0, 0, share), true),
                idle("a", 1),
                idle("b", 2));
    }

    @Test
    void keysFollowTheWeights() {
        List<Contender> given = List.of(idle("a", 1), idle("b", 3));
        int keys = 20_000;
        int heavy = 0;
        for (int i = 0; i < keys; i++) {
            heavy += affine(given, "user-" + i).getFirst().equals("b") ? 1 : 0;
        }
        assertThat(heavy).isBetween(bound(keys, 0.75, -5), bound(keys, 0.75, 5));
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.strings().ofMaxLength(30);
    }

    @Provide
    Arbitrary<List<Contender>> contenders() {
        return contender().list().ofMinSize(1).ofMaxSize(6);
    }

    @Provide
    Arbitrary<List<Contender>> rivals() {
        return contender().list().ofMinSize(2).ofMaxSize(6);
    }

    private static Arbitrary<Contender> contender() {
        return Combinators.combine(
                        Arbitraries.of(HealthStatus.values()),
                        Arbitraries.integers().between(0, 5_000),
                        Arbitraries.integers().between(1, 10),
                        Arbitraries.integers().between(0, 50),
                        Arbitraries.doubles().between(0, 1),
                        Arbitraries.of(true, true, false))
                .as((status, latency, weight, inFlight, errors, available) ->
                        new Contender("e", weight, view(status, latency, errors, inFlight, 1), available));
    }

    @Provide
    Arbitrary<EndpointPolicy> policies() {
        return Arbitraries.of(
                FAILOVER,
                FAILOVER.withOrder(EndpointOrder.FASTEST),
                FAILOVER.withOrder(EndpointOrder.LAST_GOOD),
                BALANCED);
    }
}
