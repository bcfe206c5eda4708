package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.Bytes;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.Failure;
import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The storm on real sockets: what a provider counts as executed beside what the client says may have been paid for. */
@Tag("concurrency")
@Timeout(300)
class IdempotencyOnSocketsTest {
    private static final int CALLERS = 16;
    private static final int CALLS_EACH = 12;
    private static final int KEYS = 24;

    private final Queue<CallEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final Set<String> answers = ConcurrentHashMap.newKeySet();

    @Test
    void whereKeysAreHonouredEachIsExecutedOnce() throws InterruptedException {
        try (FaultyProvider provider = FaultyProvider.builder(FaultScript.answering(IdempotencyOnSocketsTest::faulty))
                        .honoursIdempotencyKeys()
                        .start();
                ResilientClient client = client(provider, true)) {
            storm(client, true);

            Set<String> keys = provider.requests().stream()
                    .map(request -> request.headers().first("Idempotency-Key").orElseThrow())
                    .collect(Collectors.toSet());
            assertThat(keys).hasSizeLessThanOrEqualTo(KEYS).allMatch(key -> key.startsWith("key-"));
            assertThat(keys)
                    .allSatisfy(key -> assertThat(provider.executions(key)).isLessThanOrEqualTo(1));
            assertThat(answers).hasSizeGreaterThan(KEYS / 2);
            assertThat(failures.get()).isLessThan(CALLERS * CALLS_EACH / 2);
            assertThat(answers.stream().map(answer -> answer.replaceFirst(":.*", "")))
                    .as("one answer for each key")
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void elsewhereWhatIsReportedIsWhatTheProviderCounts() throws InterruptedException {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.answering(IdempotencyOnSocketsTest::faulty));
                ResilientClient client = client(provider, false)) {
            storm(client, false);

            List<Attempt> attempts = events.stream()
                    .filter(AttemptFinished.class::isInstance)
                    .map(event -> ((AttemptFinished) event).attempt())
                    .toList();
            long answered = attempts.stream().filter(Attempt::succeeded).count();
            long reported = attempts.stream()
                    .flatMap(attempt -> attempt.failure().stream())
                    .filter(Failure::mayHaveBeenBilled)
                    .count();
            assertThat(attempts).hasSize(provider.requests().size());
            assertThat(reported).isPositive().isEqualTo(provider.executions() - answered);
        }
    }

    /** Refuses, or executes and then may lose the answer; which of it is a hash of the request's number. */
    private static Reply faulty(ProviderRequest request) {
        var random = new SplittableRandom(request.number());
        Reply answer = Reply.completion("answer " + request.number());
        return switch (random.nextInt(10)) {
            case 0 -> Reply.status(503);
            case 1 -> Reply.reset();
            case 2 -> answer.cutAfter(20);
            case 3 -> answer.withBody(Bytes.utf8("{\"choices\":["));
            case 4 -> answer.withDelay(Duration.ofMinutes(2));
            default -> answer;
        };
    }

    /** What a JVM calls for the first time takes longer than an attempt may take here. */
    @BeforeAll
    static void callOnce() {
        try (FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder("p1", provider.baseUrl()).build())
                        .logging(false)
                        .build()) {
            assertThat(client.call(World.request()).text()).isPresent();
        }
    }

    private void storm(ResilientClient client, boolean keyed) throws InterruptedException {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            var random = new SplittableRandom(i);
            callers.add(Thread.ofVirtual().start(() -> {
                for (int j = 0; j < CALLS_EACH; j++) {
                    String key = "key-" + random.nextInt(KEYS);
                    call(client, key, keyed ? CallOptions.none().withIdempotencyKey(key) : CallOptions.none());
                }
            }));
        }
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private void call(ResilientClient client, String key, CallOptions options) {
        try {
            answers.add(
                    key + ": " + client.call(World.request(), options).text().orElseThrow());
        } catch (CallException e) {
            failures.incrementAndGet();
        }
    }

    private ResilientClient client(FaultyProvider provider, boolean honours) {
        return ResilientClient.builder()
                .endpoint(Endpoint.builder("p1", provider.baseUrl())
                        .honoursIdempotencyKey(honours)
                        .build())
                .retry(World.retry().withBackoff(Backoff.fixed(Duration.ofMillis(5))))
                .timeout(Duration.ofSeconds(3))
                .withoutBreaker()
                .logging(false)
                .interceptor(IdempotencyGuard.of(
                        new CaffeineIdempotencyStore(1_000),
                        IdempotencyPolicy.defaults().withWhenUnknown(WhenUnknown.REPEAT)))
                .listener(events::add)
                .build();
    }
}
