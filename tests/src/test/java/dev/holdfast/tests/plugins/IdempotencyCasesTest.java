package dev.holdfast.tests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.IdempotencyStore.Completed;
import dev.holdfast.spi.IdempotencyStore.Conflict;
import dev.holdfast.spi.IdempotencyStore.InFlight;
import dev.holdfast.spi.IdempotencyStore.Reserved;
import dev.holdfast.spi.IdempotencyStore.Unknown;
import dev.holdfast.tests.plugins.ReportedFailures.Case;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reported failures of idempotency layers, played against the store with the simplest handler that uses it rightly. */
@Timeout(60)
class IdempotencyCasesTest {
    @Test
    void aKeyIsExecutedOnceAndNeverForAnotherBody() throws Exception {
        List<Case> cases = ReportedFailures.of("idempotency", "idempotency");
        assertThat(cases).hasSize(2);
        for (Case reported : cases) {
            boolean atOnce = reported.given().get("concurrency").isPresent();
            var handler = new Handler(atOnce);
            List<Long> statuses = atOnce ? playAtOnce(reported, handler) : playInOrder(reported, handler);
            JsonObject expected = reported.expected();
            assertThat((long) handler.executions.get())
                    .as("%s", reported)
                    .isEqualTo(expected.longValue("executions").orElseThrow());
            if (atOnce) {
                assertThat(numbers(expected.list("statuses_allowed"))).containsAll(statuses);
                assertThat(statuses).hasSize(20).containsOnlyOnce(200L);
            } else {
                assertThat(statuses).isEqualTo(numbers(expected.list("statuses")));
            }
        }
    }

    private static List<Long> playInOrder(Case reported, Handler handler) {
        return reported.given().list("steps").stream()
                .map(step -> step.asObject().orElseThrow())
                .map(handler::handle)
                .toList();
    }

    private static List<Long> playAtOnce(Case reported, Handler handler) throws InterruptedException {
        JsonObject step = reported.given().list("steps").getFirst().asObject().orElseThrow();
        Queue<Long> statuses = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (long i = step.longValue("times").orElseThrow(); i > 0; i--) {
            threads.add(Thread.ofVirtual().start(() -> {
                statuses.add(handler.handle(step));
                handler.everyoneElse.countDown();
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return List.copyOf(statuses);
    }

    private static List<Long> numbers(List<JsonValue> values) {
        return values.stream().map(value -> value.asLong().orElseThrow()).toList();
    }

    /** Reserves before it works; where callers come at once, its work takes as long as the others are there. */
    private static final class Handler {
        private final IdempotencyStore store = new CaffeineIdempotencyStore(100);
        private final AtomicInteger executions = new AtomicInteger();
        private final CountDownLatch everyoneElse;

        Handler(boolean atOnce) {
            everyoneElse = new CountDownLatch(atOnce ? 19 : 0);
        }

        long handle(JsonObject step) {
            var key = new IdempotencyStore.Key("tenant", step.text("key").orElseThrow());
            String body = step.text("body").orElseThrow();
            return switch (store.reserve(key, body, Duration.ofMinutes(5))) {
                case Reserved(String token) -> {
                    execute();
                    store.complete(key, token, ModelAnswer.ofText(body));
                    yield 200;
                }
                case Completed(ModelAnswer answer) -> {
                    assertThat(answer).isEqualTo(ModelAnswer.ofText(body));
                    yield 200;
                }
                case InFlight() -> 409;
                case Unknown() -> 409;
                case Conflict() -> 422;
            };
        }

        private void execute() {
            executions.incrementAndGet();
            try {
                everyoneElse.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted in the handler", e);
            }
        }
    }
}
