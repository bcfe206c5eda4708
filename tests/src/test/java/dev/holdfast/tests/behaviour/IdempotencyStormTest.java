package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.Bytes;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallOptions;
import dev.holdfast.Failure;
import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.WhenInFlight;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Timekeeper.Task;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Callers who repeat, hurry and give up, before a provider that loses answers in every way, on virtual time. */
class IdempotencyStormTest {
    private static final int CALLS = 120;
    private static final int KEYS = 30;

    @Property(tries = 40)
    void whereKeysAreHonouredEachIsExecutedOnceAndAllGetItsAnswer(@ForAll long seed) {
        var provider = new Provider(seed, true);
        var storm = new Storm(seed, provider, true);
        storm.play();

        assertThat(provider.executions.values()).allMatch(count -> count == 1);
        assertThat(provider.executions.keySet()).allMatch(key -> key.startsWith("key-"));
        Map<String, String> answers = new HashMap<>();
        storm.ends.forEach((end, key) -> end.response().ifPresent(response -> {
            String text = response.text().orElseThrow();
            assertThat(answers.merge(key, text, (one, other) -> one)).isEqualTo(text);
        }));
        assertThat(answers).isNotEmpty();
    }

    @Property(tries = 40)
    void elsewhereEveryPossibleDoublePaymentIsReported(@ForAll long seed) {
        var provider = new Provider(seed, false);
        var storm = new Storm(seed, provider, false);
        storm.play();

        List<Attempt> attempts = storm.world.events(AttemptFinished.class).stream()
                .map(AttemptFinished::attempt)
                .toList();
        long answered = attempts.stream().filter(Attempt::succeeded).count();
        long reported = attempts.stream()
                .flatMap(attempt -> attempt.failure().stream())
                .filter(Failure::mayHaveBeenBilled)
                .count();
        int executed = provider.executions.values().stream()
                .mapToInt(Integer::intValue)
                .sum();

        assertThat(attempts).hasSize(storm.world.sent().size());
        assertThat(reported).isEqualTo(executed - answered);
        long toCallers = storm.ends.keySet().stream()
                .flatMap(
                        end -> end
                                .response()
                                .map(response -> response.attempts())
                                .orElseGet(() -> end.failure().attempts())
                                .stream())
                .flatMap(attempt -> attempt.failure().stream())
                .filter(Failure::mayHaveBeenBilled)
                .count();
        assertThat(toCallers).as("on responses and errors").isEqualTo(reported);
    }

    /** Executes what it does not refuse, and then may lose the answer. */
    private static final class Provider implements Weather {
        private final Random random;
        private final boolean honoursKeys;
        private final Map<String, Integer> executions = new HashMap<>();
        private final Map<String, String> given = new HashMap<>();
        private int answers;

        Provider(long seed, boolean honoursKeys) {
            this.random = new Random(seed);
            this.honoursKeys = honoursKeys;
        }

        @Override
        public Reply reply(ProviderRequest request, Duration at) {
            String key = request.headers().first("Idempotency-Key").orElseThrow();
            int fault = random.nextInt(12);
            if (fault == 0) {
                return Reply.status(503);
            }
            if (fault == 1) {
                return Reply.rateLimited(Duration.ofSeconds(1 + random.nextInt(20)));
            }
            if (!honoursKeys || !executions.containsKey(key)) {
                executions.merge(key, 1, Integer::sum);
                given.put(key, "answer " + ++answers);
            }
            Reply answer = Reply.completion(given.get(key)).withDelay(Duration.ofMillis(random.nextInt(8_000)));
            return switch (fault) {
                case 2 -> Reply.reset();
                case 3 -> Reply.hang();
                case 4 -> answer.cutAfter(20);
                case 5 -> answer.resetAfter(20);
                case 6 -> answer.withBody(Bytes.utf8("{\"choices\":["));
                case 7 -> answer.withBody(Bytes.utf8(""));
                default -> answer;
            };
        }
    }

    private static final class Storm {
        private final Random random;
        private final World world;
        private final ResilientClient client;
        private final boolean keyed;
        private final Map<Ended, String> ends = new HashMap<>();

        Storm(long seed, Provider provider, boolean honoursKeys) {
            this.random = new Random(~seed);
            this.keyed = honoursKeys;
            this.world = new World().provider("p1", provider, endpoint -> endpoint.honoursIdempotencyKey(honoursKeys));
            IdempotencyPolicy policy = IdempotencyPolicy.defaults()
                    .withWhenUnknown(WhenUnknown.REPEAT)
                    .withWhenInFlight(random.nextBoolean() ? WhenInFlight.WAIT : WhenInFlight.REFUSE);
            this.client = world.builder()
                    .interceptor(IdempotencyGuard.of(
                            new CaffeineIdempotencyStore(1_000, world.time()), policy, world.time()))
                    .build();
        }

        void play() {
            try (client) {
                world.time().run(() -> {
                    for (int i = 0; i < CALLS; i++) {
                        start("key-" + random.nextInt(KEYS));
                        world.sleep(Duration.ofMillis(random.nextInt(3_000)));
                    }
                });
            }
            assertThat(ends).hasSize(CALLS);
            assertThat(world.open()).isZero();
        }

        private void start(String key) {
            CallOptions options = CallOptions.none().withDeadline(Duration.ofMillis(1 + random.nextInt(90_000)));
            CallOptions mine = keyed || random.nextBoolean() ? options.withIdempotencyKey(key) : options;
            Task task = world.time()
                    .start("holdfast-test-call", () -> ends.put(world.callHere(client, World.request(), mine), key));
            if (random.nextInt(5) == 0) {
                Duration patience = Duration.ofMillis(random.nextInt(20_000));
                world.time().start("holdfast-test-canceller", () -> {
                    world.sleep(patience);
                    task.interrupt();
                });
            }
        }
    }
}
