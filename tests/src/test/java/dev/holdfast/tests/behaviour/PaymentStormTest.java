package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Failure;
import dev.holdfast.ModelStream;
import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Calls and streams that fail over between two providers that honour no keys, with and without a key, with a breaker, and with
 * doubts that are settled by repeating: what the client says may have been paid for beside an answer is what the providers
 * count.
 */
class PaymentStormTest {
    private static final int CALLS = 100;
    private static final int KEYS = 40;

    @Property(tries = 40)
    void overTwoProvidersAndStreamsEveryPossibleDoublePaymentIsReported(@ForAll long seed) {
        var random = new Random(seed);
        var first = new Provider(random.nextLong());
        var second = new Provider(random.nextLong());
        World world = new World()
                .provider("p1", first, UnaryOperator.identity())
                .provider("p2", second, UnaryOperator.identity());
        var guard = IdempotencyGuard.of(
                new CaffeineIdempotencyStore(1_000, world.time()),
                IdempotencyPolicy.defaults().withWhenUnknown(WhenUnknown.REPEAT),
                world.time());
        try (ResilientClient client = world.builder()
                .breaker(BreakerPolicy.adaptive())
                .interceptor(guard)
                .build()) {
            world.time().run(() -> {
                for (int i = 0; i < CALLS; i++) {
                    start(world, client, random);
                    world.sleep(Duration.ofMillis(random.nextInt(3_000)));
                }
            });
        }
        List<Attempt> attempts = world.events(AttemptFinished.class).stream()
                .map(AttemptFinished::attempt)
                .toList();
        long answered = attempts.stream().filter(Attempt::succeeded).count();
        long reported = attempts.stream()
                .flatMap(attempt -> attempt.failure().stream())
                .filter(Failure::mayHaveBeenBilled)
                .count();
        assertThat(attempts).hasSize(world.sent().size());
        assertThat(world.sentTo("p2")).as("it fails over").isNotEmpty();
        assertThat(reported).isPositive().isEqualTo(first.executions + second.executions - answered);
        assertThat(world.open()).isZero();
    }

    private static void start(World world, ResilientClient client, Random random) {
        CallOptions options = CallOptions.none().withDeadline(Duration.ofMillis(1 + random.nextInt(90_000)));
        CallOptions own = random.nextBoolean() ? options.withIdempotencyKey("key-" + random.nextInt(KEYS)) : options;
        int sort = random.nextInt(4);
        Task task = world.time().start("holdfast-test-call", () -> {
            switch (sort) {
                case 0 -> Reader.read(world, client, World.request(), own);
                case 1 -> readABit(client, own);
                default -> world.callHere(client, World.request(), own);
            }
        });
        if (random.nextInt(5) == 0) {
            Duration patience = Duration.ofMillis(random.nextInt(20_000));
            world.time().start("holdfast-test-canceller", () -> {
                world.sleep(patience);
                task.interrupt();
            });
        }
    }

    private static void readABit(ResilientClient client, CallOptions options) {
        try (ModelStream stream = client.stream(World.request(), options)) {
            stream.iterator().next();
        } catch (CallException e) {
            assertThat(e.attempts()).isNotNull();
        }
    }

    /** Executes what it does not refuse, and then may lose the answer, or the rest of it. */
    private static final class Provider implements Weather {
        private final Random random;
        private int executions;

        Provider(long seed) {
            this.random = new Random(seed);
        }

        @Override
        public Reply reply(ProviderRequest request, Duration at) {
            int fault = random.nextInt(12);
            if (fault == 0) {
                return Reply.status(503);
            }
            if (fault == 1) {
                return Reply.rateLimited(Duration.ofSeconds(1 + random.nextInt(20)));
            }
            executions++;
            Reply answer = request.asksForStream()
                    ? Sse.every(
                            Duration.ofMillis(random.nextInt(800)),
                            Sse.ROLE,
                            Sse.text("Rhine"),
                            Sse.text(", Rhone"),
                            Sse.STOP,
                            Sse.DONE)
                    : Reply.completion("Rhine, Rhone").withDelay(Duration.ofMillis(random.nextInt(8_000)));
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
