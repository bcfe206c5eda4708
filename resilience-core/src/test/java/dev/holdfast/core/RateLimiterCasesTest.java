package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.RateLimiter.Admission;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.Cases;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.spi.Timekeeper.Task;
import dev.holdfast.spi.TokenEstimator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class RateLimiterCasesTest {
    @TestFactory
    Stream<DynamicTest> reportedFailures() {
        return Cases.replay("rate-limiting", "limiter", each -> new Player(each).play());
    }

    @TestFactory
    Stream<DynamicTest> reportedEstimates() {
        return Cases.replay("rate-limiting", "estimate", RateLimiterCasesTest::estimate);
    }

    private static void estimate(JsonNode given) {
        var estimator = TokenEstimator.lexical(
                given.at("/given/config/default_output_estimate").asLong());
        List<Long> estimates = new ArrayList<>();
        List<Long> expected = new ArrayList<>();
        for (JsonNode row : given.at("/given/rows")) {
            ModelRequest.Builder request = ModelRequest.chat("m").user("hello");
            row.properties()
                    .forEach(field -> request.with(
                            field.getKey(), JsonValue.of(field.getValue().asLong())));
            estimates.add(estimator.estimate(request.build()).output());
        }
        given.at("/expect/output_estimate").forEach(value -> expected.add(value.asLong()));
        assertThat(estimates).isEqualTo(expected);
    }

    /** Plays the steps, and looks at what the case expects of them. */
    private static final class Player {
        private final ManualTime time = new ManualTime();
        private final JsonNode expect;
        private final JsonNode steps;
        private final RateLimiter limiter;
        private final Duration maxWait;
        private final List<Long> grantedAtMillis = new ArrayList<>();

        Player(JsonNode given) {
            JsonNode config = given.at("/given/config");
            expect = given.get("expect");
            steps = given.at("/given/steps");
            maxWait = Duration.ofMillis(config.path("max_wait_ms").asLong(0));
            LimitPolicy policy = LimitPolicy.defaults();
            if (config.has("rpm") || config.has("limit")) {
                policy = policy.withRpm(
                        config.has("rpm")
                                ? config.get("rpm").asLong()
                                : config.get("limit").asLong());
            }
            if (config.has("tpm")) {
                policy = policy.withTpm(config.get("tpm").asLong());
            }
            Duration window = Duration.ofMillis(config.path("window_ms").asLong(60_000));
            limiter = new RateLimiter("t", policy, window, time);
        }

        void play() {
            Set<String> expected = new TreeSet<>();
            expect.fieldNames().forEachRemaining(expected::add);
            try {
                if (expected.contains("second_burst_admitted")) {
                    twoBursts();
                } else if (expected.contains("admitted_at_once")) {
                    barrier();
                } else if (expected.contains("used_before_advance")) {
                    rejections();
                } else if (expected.contains("b")) {
                    interrupted();
                } else if (expected.contains("admitted")) {
                    steady();
                } else {
                    throw new AssertionError("no way to play " + expected);
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        /** "at T ms: N acquires", twice. */
        private void twoBursts() {
            burst(steps.get(0).asText());
            Refused refused = burst(steps.get(1).asText());
            long first = grantedAtMillis.size();
            assertThat(first - expect.get("max_admitted_in_any_60000_ms").asLong())
                    .isEqualTo(expect.get("second_burst_admitted").asLong());
            long retryAfter = refused.availableIn().orElseThrow().toMillis();
            assertThat(retryAfter)
                    .isBetween(
                            expect.at("/retry_after_ms/min").asLong(),
                            expect.at("/retry_after_ms/max").asLong());
        }

        private Refused burst(String step) {
            String[] words = step.split(" ");
            time.advance(Duration.ofMillis(Long.parseLong(words[1])).minusNanos(time.nanoTime()));
            Refused last = null;
            for (int i = 0; i < Integer.parseInt(words[3]); i++) {
                if (limiter.tryAcquire(0) instanceof Refused refused) {
                    last = refused;
                } else {
                    grantedAtMillis.add(Long.parseLong(words[1]));
                }
            }
            return last;
        }

        /** "5 calls at a barrier, each estimate 400 tokens". */
        private void barrier() throws Exception {
            String[] words = steps.get(0).asText().split(" ");
            int callers = Integer.parseInt(words[0]);
            long tokens = Long.parseLong(words[7]);
            var barrier = new CyclicBarrier(callers);
            var granted = new AtomicInteger();
            List<Task> tasks = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                tasks.add(time.start("holdfast-caller", () -> {
                    await(barrier);
                    if (limiter.tryAcquire(tokens) instanceof Granted) {
                        granted.incrementAndGet();
                    }
                }));
            }
            for (Task task : tasks) {
                task.join();
            }
            assertThat(granted.get()).isEqualTo(expect.get("admitted_at_once").asInt());
        }

        private static void await(CyclicBarrier barrier) {
            try {
                barrier.await();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private void rejections() {
            Reservation a = reserve(900);
            int rejected = 0;
            for (int i = 0; i < 100; i++) {
                rejected += limiter.tryAcquire(500) instanceof Refused ? 1 : 0;
            }
            a.settle(900);
            assertThat(rejected).isEqualTo(expect.get("rejected").asInt());
            assertThat(limiter.status().tokens())
                    .isEqualTo(expect.get("used_before_advance").asLong());
            time.advance(Duration.ofMillis(60_000));
            assertThat(limiter.tryAcquire(1_000) instanceof Granted)
                    .isEqualTo(expect.get("b_admitted").asBoolean());
        }

        private Reservation reserve(long tokens) {
            return ((Granted) limiter.tryAcquire(tokens)).reservation();
        }

        private void interrupted() throws Exception {
            reserve(0);
            var outcome = new AtomicReference<Object>();
            Task b = time.start("holdfast-b", () -> {
                try {
                    outcome.set(limiter.acquire(0, maxWait));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt(); // as every caller must
                    outcome.set(Thread.currentThread().isInterrupted());
                }
            });
            time.awaitWaiting(1);
            time.advance(Duration.ofMillis(100));
            b.interrupt();
            b.join();
            assertThat(outcome.get()).isEqualTo(expect.at("/b/interrupted_flag").asBoolean());
            assertThat(expect.at("/b/admitted").asBoolean()).isFalse();
            time.advance(Duration.ofMillis(60_000));
            Admission c = limiter.acquire(
                    0, Duration.ofMillis(expect.at("/c/wait_ms_max").asLong()));
            assertThat(c instanceof Granted).isEqualTo(expect.at("/c/admitted").asBoolean());
        }

        /** "acquire every 5000 ms, 6 times". */
        private void steady() {
            String[] words = steps.get(0).asText().split(" ");
            List<Boolean> admitted = new ArrayList<>();
            List<Boolean> expected = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(words[4]); i++) {
                admitted.add(limiter.tryAcquire(0) instanceof Granted);
                time.advance(Duration.ofMillis(Long.parseLong(words[2])));
            }
            expect.get("admitted").forEach(value -> expected.add(value.asBoolean()));
            assertThat(admitted).isEqualTo(expected);
        }
    }
}
