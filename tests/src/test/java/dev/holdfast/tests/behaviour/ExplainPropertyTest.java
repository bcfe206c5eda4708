package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Explanation;
import dev.holdfast.FailureKind;
import dev.holdfast.HealthStatus;
import dev.holdfast.ModelResponse;
import dev.holdfast.Secret;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.EndpointOrder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ProbePolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.routing.LiveRouter;
import dev.holdfast.routing.LiveStats;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What {@code explain} says of a call is what the call then does, whatever the client has been through. */
class ExplainPropertyTest {
    private static final String OTHER = "other";
    private static final List<Reply> MOODS = List.of(
            Reply.completion("ok"),
            Reply.completion("ok"),
            Reply.completion("ok"),
            Reply.completion("slow").withDelay(Duration.ofSeconds(4)),
            Reply.status(503),
            Reply.status(503),
            Reply.rateLimited(Duration.ofSeconds(20)),
            Reply.status(429),
            Reply.status(401),
            Reply.refused());

    @Property(tries = 150)
    void theFirstAttemptTheHedgeAndTheOrderAreAsExplained(@ForAll long seed) {
        new Story(new Random(seed)).play();
    }

    /** A client's life: weather, orders by hand and time at random, and after each a call that was explained before. */
    private static final class Story {
        private final Random random;
        private final World world = new World();
        private final Map<String, Reply> moods = new HashMap<>();
        private final List<String> names = new ArrayList<>();
        private final boolean retries;
        private final boolean hedgesAtOnce;

        Story(Random random) {
            this.random = random;
            this.retries = random.nextBoolean();
            this.hedgesAtOnce = random.nextBoolean();
            int endpoints = 1 + random.nextInt(4);
            for (int i = 1; i <= endpoints; i++) {
                String name = "p" + i;
                names.add(name);
                moods.put(name, Reply.completion("ok"));
                int weight = 1 + random.nextInt(5);
                boolean spare = random.nextInt(3) == 0;
                world.provider(
                        name,
                        Weather.of(FaultScript.answering(request -> moods.get(name))),
                        builder -> (spare
                                        ? builder.credential(new Credential(
                                                "spare", Secret.of("sk-test-spare-0123456789abcdef" + name)))
                                        : builder)
                                .weight(weight));
            }
        }

        void play() {
            try (ResilientClient client = client()) {
                for (int i = 0; i < 40; i++) {
                    change(client);
                    if (random.nextInt(8) == 0) {
                        crowd(client);
                    } else {
                        world.time().run(() -> compare(client, options(), true));
                    }
                }
            }
        }

        private ResilientClient client() {
            ClientBuilder builder = world.builder()
                    .retry(retries ? World.retry() : RetryPolicy.none())
                    .healthPolicy(HealthPolicy.defaults()
                            .withThresholds(1 + random.nextInt(3), 1 + random.nextInt(2))
                            .withSlowStart(Duration.ofSeconds(random.nextInt(60))))
                    .endpointPolicy(policy());
            if (random.nextBoolean()) {
                builder.breaker(BreakerPolicy.defaults().withFailureThreshold(1 + random.nextInt(3)));
            }
            if (random.nextInt(3) == 0) {
                builder.probes(ProbePolicy.defaults().withInterval(Duration.ofSeconds(5)));
            }
            if (random.nextBoolean()) {
                builder.hedge(HedgePolicy.after(Duration.ofMillis(hedgesAtOnce ? 0 : random.nextInt(3_000))));
            }
            if (random.nextBoolean()) {
                builder.model(ModelSettings.of(World.MODEL).withFallbacks(OTHER))
                        .model(ModelSettings.of(OTHER)
                                .withEndpoints(names.subList(random.nextInt(names.size()), names.size())
                                        .toArray(String[]::new)));
                if (random.nextBoolean()) {
                    LiveStats stats = LiveStats.of(Duration.ofMinutes(1), world.time());
                    builder.listener(stats)
                            .router(LiveRouter.of(stats, new Random(random.nextLong()))
                                    .withExploration(random.nextInt(5) / 4.0));
                }
            }
            return builder.build();
        }

        private EndpointPolicy policy() {
            return switch (random.nextInt(6)) {
                case 0 -> EndpointPolicy.primaryOnly();
                case 1 -> EndpointPolicy.failover();
                case 2 -> EndpointPolicy.failover().withOrder(EndpointOrder.FASTEST);
                case 3 -> EndpointPolicy.failover().withOrder(EndpointOrder.LAST_GOOD);
                case 4 -> EndpointPolicy.loadBalanced();
                default -> EndpointPolicy.loadBalanced().withAffinity(true);
            };
        }

        private CallOptions options() {
            CallOptions options = CallOptions.none();
            options = random.nextInt(3) == 0 ? options.withAffinityKey("user-" + random.nextInt(5)) : options;
            options = random.nextInt(6) == 0 ? options.withFallback(false) : options;
            options = random.nextInt(6) == 0 ? options.withHedge(false) : options;
            return random.nextInt(6) == 0 ? options.withRetry(false) : options;
        }

        private void change(ResilientClient client) {
            String name = names.get(random.nextInt(names.size()));
            moods.put(name, MOODS.get(random.nextInt(MOODS.size())));
            world.pass(Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(200_000) : random.nextInt(4_000)));
            Duration lasting = Duration.ofSeconds(1 + random.nextInt(60));
            switch (random.nextInt(12)) {
                case 0 -> client.control().isolate(name, lasting);
                case 1 -> client.control().drain(name, lasting);
                case 2 -> client.control().restore(name);
                case 3 -> orderBreaker(() -> client.control().forceOpen(new Target(World.MODEL, name), lasting));
                case 4 -> orderBreaker(() -> client.control().disable(new Target(World.MODEL, name), lasting));
                default -> {}
            }
        }

        /** Not every client has breakers. */
        private static void orderBreaker(Runnable order) {
            try {
                order.run();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("has no breaker");
            }
        }

        /** Other calls are in flight while one is explained and made. */
        private void crowd(ResilientClient client) {
            List<Ended> others = new ArrayList<>();
            world.time().run(() -> {
                List<Timekeeper.Task> tasks = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    tasks.add(world.startCall(client, others));
                }
                world.sleep(Duration.ofMillis(random.nextInt(100)));
                compare(client, options(), false);
                tasks.forEach(World::join);
            });
        }

        private void compare(ResilientClient client, CallOptions options, boolean alone) {
            Explanation explained = client.explain(World.request(), options);
            boolean waits =
                    explained.first().stream().anyMatch(first -> first.after().isPositive());
            if (waits && !alone) {
                return; // while it waits, the others change what it waits for
            }
            Ended ended = world.callHere(client, World.request(), options);
            List<Attempt> attempts = ended.response()
                    .map(ModelResponse::attempts)
                    .or(() -> ended.error().map(CallException::attempts))
                    .orElseThrow();
            String said = explained + " but " + attempts + ended.error();
            check(explained, attempts, said);
            // Later than at once, what was resting may have ended.
            if (alone && hedgesAtOnce) {
                hedged(explained, attempts, said);
            }
            ordered(explained, attempts, said);
        }

        private static void check(Explanation explained, List<Attempt> attempts, String said) {
            double sum = explained.first().stream()
                    .mapToDouble(Explanation.First::probability)
                    .sum();
            assertThat(sum).as(said).isBetween(0.0, 1 + 1e-9);
            if (attempts.isEmpty()) {
                assertThat(sum).as(said).isLessThan(1 - 1e-9);
                return;
            }
            boolean byRouter = explained.route().reason().startsWith("live: ");
            assertThat(sum)
                    .as(said)
                    .satisfiesAnyOf(
                            all -> assertThat(all).isCloseTo(1, within(1e-9)),
                            some -> assertThat(byRouter).isTrue());
            Attempt attempt = attempts.getFirst();
            Optional<Explanation.First> first = explained.first().stream()
                    .filter(each -> each.target().equals(attempt.target()))
                    .filter(each -> each.credential().equals(attempt.credential()))
                    .findFirst();
            assertThat(first).as(said).isPresent();
            assertThat(first.get().probability()).as(said).isPositive();
            assertThat(attempt.waited())
                    .as(said)
                    .isGreaterThanOrEqualTo(first.get().after());
            assertThat(attempt.waited().isZero())
                    .as(said)
                    .isEqualTo(first.get().after().isZero());
        }

        /** Where load is balanced, and behind a trial of an unhealthy endpoint, chance also orders what comes behind the first. */
        private static boolean wasLikeliest(Explanation explained, List<Attempt> attempts) {
            return !attempts.isEmpty()
                    && !explained.choice().equals("load-balanced")
                    && !explained.route().reason().startsWith("live: ")
                    && explained.candidates().stream()
                            .filter(Explanation.Candidate::isTried)
                            .limit(1)
                            .noneMatch(candidate -> candidate.health() == HealthStatus.UNHEALTHY)
                    && explained
                            .first()
                            .getFirst()
                            .target()
                            .equals(attempts.getFirst().target());
        }

        private static void hedged(Explanation explained, List<Attempt> attempts, String said) {
            List<Target> hedges = attempts.stream()
                    .limit(2)
                    .filter(attempt -> attempt.reason() == AttemptReason.HEDGE)
                    .map(Attempt::target)
                    .toList();
            if (wasLikeliest(explained, attempts) && !hedges.isEmpty()) {
                assertThat(explained.hedge().map(Explanation.Hedge::target))
                        .as(said)
                        .contains(hedges.getFirst());
            }
        }

        /** Where every attempt was refused as overloaded, and none came back to where it had been. */
        private static void ordered(Explanation explained, List<Attempt> attempts, String said) {
            List<Target> path = attempts.stream().map(Attempt::target).toList();
            boolean plain = attempts.stream()
                            .flatMap(attempt -> attempt.failure().stream())
                            .allMatch(failure -> failure.kind() == FailureKind.OVERLOADED)
                    && path.stream().distinct().count() == path.size()
                    && attempts.stream().allMatch(attempt -> attempt.waited().isZero())
                    && attempts.stream().noneMatch(attempt -> attempt.reason() == AttemptReason.HEDGE);
            boolean severalKeys = explained.order().stream().distinct().count()
                    < explained.order().size();
            if (wasLikeliest(explained, attempts)
                    && plain
                    && !severalKeys
                    && explained.first().size() == 1) {
                assertThat(explained.order()).as(said).startsWith(path.toArray(Target[]::new));
            }
        }
    }
}
