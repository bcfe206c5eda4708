package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.AttemptStarted;
import dev.holdfast.CallEvent.CallFinished;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Failure;
import dev.holdfast.HealthReport;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.Price;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.routing.Budget;
import dev.holdfast.routing.Budgets;
import dev.holdfast.routing.Ledger;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Timekeeper.Task;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Hedged calls and streams over three providers that lose answers in every way, before a guard, a cache that joins calls,
 * limits, breakers and budgets, by callers who hurry and give up, with a listener that throws.
 */
class HedgeStormTest {
    private static final int CALLS = 120;
    private static final int KEYS = 30;

    @Property(tries = 60)
    void whatMayHaveBeenPaidTwiceIsWhatProvidersCountAndNothingStaysTaken(@ForAll long seed) {
        new Storm(seed).play();
    }

    private static final class Storm {
        private final Random random;
        private final List<Provider> providers;
        private final World world = new World();
        private final Budgets budgets;
        private final Ledger ledger;
        /** A flight that calls share goes on when the call that began it has ended. */
        private boolean sharesFlights;

        private final List<List<Attempt>> told = new ArrayList<>();

        Storm(long seed) {
            this.random = new Random(seed);
            this.providers = IntStream.rangeClosed(1, 3)
                    .mapToObj(i -> new Provider(random.nextLong()))
                    .toList();
            for (int i = 0; i < 3; i++) {
                world.provider("p" + (i + 1), providers.get(i), UnaryOperator.identity());
            }
            this.budgets = Budgets.of(100, world.time(), Budget.perDay("day", new BigDecimal("1000000")));
            this.ledger = Ledger.of(100, world.time());
        }

        private ClientBuilder builder() {
            var guard = IdempotencyGuard.of(
                    new CaffeineIdempotencyStore(1_000, world.time()),
                    IdempotencyPolicy.defaults().withWhenUnknown(WhenUnknown.REPEAT),
                    world.time());
            HedgePolicy hedge = random.nextBoolean()
                    ? HedgePolicy.after(Duration.ofMillis(random.nextInt(3_000)))
                    : HedgePolicy.defaults();
            ClientBuilder builder = world.builder()
                    .breaker(random.nextBoolean() ? BreakerPolicy.adaptive() : BreakerPolicy.defaults())
                    .hedge(hedge.withBudget(1, 100))
                    .prices((model, at) -> Optional.of(Price.blended(new BigDecimal("8.00"))))
                    .spendGuard(budgets)
                    .listener(ledger)
                    .listener(event -> {
                        throw new IllegalStateException("a listener that throws");
                    });
            if (random.nextBoolean()) {
                builder.interceptor(guard);
            }
            sharesFlights = random.nextBoolean();
            if (sharesFlights) {
                builder.interceptor(ResponseCaching.of(
                        new CaffeineResponseCache(1 << 20, world.time()),
                        CachePolicy.defaults(),
                        world.time(),
                        new Random(1)));
            }
            if (random.nextBoolean()) {
                builder.limits(
                        World.MODEL,
                        LimitPolicy.perMinute(20 + random.nextInt(60), 20_000).withConcurrency(1 + random.nextInt(6)));
            }
            return builder;
        }

        void play() {
            ResilientClient client = builder().build();
            boolean closesEarly = random.nextInt(3) == 0;
            try {
                world.time().run(() -> {
                    for (int i = 0; i < CALLS; i++) {
                        start(client);
                        world.sleep(Duration.ofMillis(random.nextInt(1_500)));
                    }
                    if (closesEarly) {
                        client.close();
                    }
                });
                atRest(client);
            } finally {
                client.close();
            }
            check();
        }

        private void start(ResilientClient client) {
            CallOptions options = CallOptions.none().withDeadline(Duration.ofMillis(1 + random.nextInt(60_000)));
            options = random.nextInt(3) == 0 ? options.withIdempotencyKey("key-" + random.nextInt(KEYS)) : options;
            CallOptions own = random.nextInt(4) == 0 ? options.withMaxCostUsd(new BigDecimal("0.005")) : options;
            int sort = random.nextInt(5);
            ModelRequest request = random.nextBoolean()
                    ? World.request()
                    : ModelRequest.chat(World.MODEL)
                            .user("Name " + random.nextInt(5) + " rivers.")
                            .temperature(0)
                            .build();
            Task task = world.time().start("holdfast-test-call", () -> {
                switch (sort) {
                    case 0 -> {
                        Reader read = Reader.read(world, client, request, own);
                        tell(read.response(), read.error());
                    }
                    case 1 -> readABit(client, request, own);
                    default -> {
                        World.Ended end = world.callHere(client, request, own);
                        tell(end.response(), end.error());
                    }
                }
            });
            if (random.nextInt(4) == 0) {
                Duration patience = Duration.ofMillis(random.nextInt(8) * 500L);
                world.time().start("holdfast-test-canceller", () -> {
                    world.sleep(patience);
                    task.interrupt();
                });
            }
        }

        private void tell(Optional<ModelResponse> response, Optional<CallException> error) {
            told.add(response.map(ModelResponse::attempts)
                    .orElseGet(() -> error.orElseThrow().attempts()));
        }

        private void readABit(ResilientClient client, ModelRequest request, CallOptions options) {
            try (ModelStream stream = client.stream(request, options)) {
                stream.iterator().next();
            } catch (CallException e) {
                assertThat(e.attempts()).isNotNull();
            }
        }

        private void atRest(ResilientClient client) {
            HealthReport report = client.health();
            assertThat(client.control().callsInFlight()).isZero();
            assertThat(world.open()).isZero();
            report.models()
                    .forEach(model -> model.targets()
                            .forEach(target -> assertThat(target.inFlight())
                                    .as("in flight to %s", target.target())
                                    .isZero()));
            assertThat(budgets.statusOf(CallOptions.none()).getFirst().reserved())
                    .isEqualTo(Cost.ZERO);
        }

        private void check() {
            List<Attempt> attempts = world.events(AttemptFinished.class).stream()
                    .map(AttemptFinished::attempt)
                    .toList();
            long answered = attempts.stream().filter(Attempt::succeeded).count();
            List<Attempt> doubted = attempts.stream()
                    .filter(attempt ->
                            attempt.failure().filter(Failure::mayHaveBeenBilled).isPresent())
                    .toList();
            int executed =
                    providers.stream().mapToInt(provider -> provider.executions).sum();
            assertThat(doubted.size() + answered).as("executions").isEqualTo(executed);
            assertThat(attempts).hasSize(world.sent().size());
            assertThat(ledger.total().possible().attempts()).isEqualTo(doubted.size());
            assertThat(ledger.total().reported().attempts()
                            + ledger.total().estimated().attempts())
                    .isEqualTo(answered);
            Map<String, Integer> begun = new HashMap<>();
            Map<String, List<Integer>> ended = new HashMap<>();
            Map<String, Integer> closed = new HashMap<>();
            for (CallEvent event : world.events()) {
                if (event instanceof AttemptStarted started) {
                    assertThat(begun.merge(started.callId(), 1, Integer::sum)).isEqualTo(started.number());
                } else if (event instanceof AttemptFinished finished) {
                    ended.computeIfAbsent(finished.callId(), id -> new ArrayList<>())
                            .add(finished.attempt().number());
                } else if (event instanceof CallFinished finished) {
                    assertThat(closed.put(finished.callId(), finished.attempts()))
                            .as("a call ends once")
                            .isNull();
                    int count = begun.getOrDefault(finished.callId(), 0);
                    if (!sharesFlights) {
                        assertThat(ended.getOrDefault(finished.callId(), List.of()))
                                .as("no attempt ends after its call")
                                .hasSize(count);
                        assertThat(finished.attempts()).isEqualTo(count);
                    }
                }
            }
            begun.forEach((id, count) -> assertThat(ended.get(id))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.rangeClosed(1, count).boxed().toList()));
            told.forEach(list -> assertThat(list.stream().map(Attempt::number).toList())
                    .isEqualTo(IntStream.rangeClosed(1, list.size()).boxed().toList()));
        }
    }

    /** Executes what it does not refuse, and then may lose the answer, or the rest of it. Half of its moments coincide with others. */
    private static final class Provider implements Weather {
        private final Random random;
        private int executions;

        Provider(long seed) {
            this.random = new Random(seed);
        }

        private Duration some() {
            return Duration.ofMillis(random.nextBoolean() ? random.nextInt(8_000) : 500L * random.nextInt(8));
        }

        @Override
        public Reply reply(ProviderRequest request, Duration at) {
            int fault = random.nextInt(14);
            if (fault == 0) {
                return Reply.status(503);
            }
            if (fault == 1) {
                return Reply.rateLimited(Duration.ofSeconds(1 + random.nextInt(20)));
            }
            executions++;
            Reply answer = request.asksForStream()
                    ? Sse.every(
                            Duration.ofMillis(random.nextInt(4) * 250L),
                            Sse.ROLE,
                            Sse.text("Rhine"),
                            Sse.text(", Rhone"),
                            Sse.STOP,
                            Sse.DONE)
                    : Reply.completion("Rhine, Rhone").withDelay(some());
            return switch (fault) {
                case 2 -> Reply.reset();
                case 3 -> Reply.hang();
                case 4 -> answer.cutAfter(20 + random.nextInt(200));
                case 5 -> answer.resetAfter(20 + random.nextInt(200));
                default -> answer;
            };
        }
    }
}
