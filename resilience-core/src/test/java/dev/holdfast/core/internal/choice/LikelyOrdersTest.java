package dev.holdfast.core.internal.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.HealthStatus;
import dev.holdfast.core.EndpointOrder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.internal.choice.Ranking.Likely;
import dev.holdfast.core.internal.health.HealthView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The orders that are said to be likely are those that calls get, as often as is said. */
class LikelyOrdersTest {
    private static final int DRAWS = 4_000;

    @Property(tries = 200)
    void ordersComeAsOftenAsTheyAreSaidToBeLikely(@ForAll long seed) {
        var random = new Random(seed);
        List<Contender> given = contenders(random);
        EndpointPolicy policy = policy(random);
        Optional<String> key = random.nextInt(4) == 0 ? Optional.of("user-7") : Optional.empty();

        List<Likely> likely = Ranking.likely(given, policy, key);

        Map<List<Contender>, Integer> counted = new HashMap<>();
        for (int i = 0; i < DRAWS; i++) {
            counted.merge(List.copyOf(Ranking.of(given, policy, key, random::nextDouble)), 1, Integer::sum);
        }
        assertThat(likely.stream().mapToDouble(Likely::probability).sum()).isCloseTo(1, within(1e-9));
        assertThat(likely)
                .extracting(Likely::probability)
                .isSortedAccordingTo((one, other) -> Double.compare(other, one));
        for (Likely each : likely) {
            double sigma = Math.sqrt(each.probability() * (1 - each.probability()) / DRAWS);
            int count = counted.getOrDefault(List.copyOf(each.order()), 0);
            counted.remove(List.copyOf(each.order()));
            assertThat((double) count / DRAWS).isCloseTo(each.probability(), within(6 * sigma + 3.0 / DRAWS));
        }
        assertThat(counted).as("orders that nobody foresaw").isEmpty();
    }

    private static EndpointPolicy policy(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> EndpointPolicy.primaryOnly();
            case 1 -> EndpointPolicy.failover();
            case 2 -> EndpointPolicy.failover().withOrder(EndpointOrder.FASTEST);
            default -> EndpointPolicy.loadBalanced();
        };
    }

    private static List<Contender> contenders(Random random) {
        var given = new ArrayList<Contender>();
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            int weight = random.nextInt(5) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(5);
            given.add(new Contender("e" + i, weight, view(random), random.nextInt(5) > 0));
        }
        return given;
    }

    private static HealthView view(Random random) {
        Optional<Duration> latency =
                random.nextInt(3) == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(1 + random.nextInt(3_000)));
        return new HealthView(
                HealthStatus.values()[random.nextInt(HealthStatus.values().length)],
                latency,
                Duration.ofSeconds(random.nextInt(90)),
                Optional.empty(),
                Optional.empty(),
                random.nextInt(3) == 0 ? random.nextDouble() : 0,
                random.nextInt(20),
                random.nextInt(6),
                random.nextInt(4),
                random.nextInt(3) == 0 ? 0.1 + 0.9 * random.nextDouble() : 1,
                Optional.empty(),
                false);
    }
}
