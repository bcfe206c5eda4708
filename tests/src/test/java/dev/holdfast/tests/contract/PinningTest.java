package dev.holdfast.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Priority;
import dev.holdfast.core.AdaptiveLimiter;
import dev.holdfast.core.AdaptivePolicy;
import dev.holdfast.core.BreakerFleet;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.Bulkhead;
import dev.holdfast.core.BulkheadPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.InMemoryBreakerStore;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.spi.Timekeeper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of virtual threads use breakers or limits at once, and none of them holds on to its carrier in our code. */
@Tag("concurrency")
@Timeout(300)
class PinningTest {
    private static final Duration LONGEST = Duration.ofMillis(1);
    private static final Timekeeper TIME = Timekeeper.system();
    private static final int THREADS = 5_000;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    @Test
    void noVirtualThreadIsPinnedByABreaker() throws Exception {
        pinsNone(PinningTest::storm);
    }

    @Test
    void noVirtualThreadIsPinnedByALimitOrItsQueue() throws Exception {
        pinsNone(PinningTest::rush);
    }

    /** What many threads do at once. */
    private interface Together {
        void run(int threads, AtomicLong admitted) throws InterruptedException;
    }

    private void pinsNone(Together together) throws Exception {
        Path file = folder.resolve("pinned.jfr");
        var admitted = new AtomicLong();
        together.run(1_000, admitted); // loads the classes, which pins
        try (var recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withThreshold(LONGEST).withStackTrace();
            recording.enable("jdk.VirtualThreadEnd");
            recording.start();
            together.run(THREADS, admitted);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events)
                .as("the recording hears of virtual threads")
                .filteredOn(event -> event.getEventType().getName().equals("jdk.VirtualThreadEnd"))
                .hasSizeGreaterThanOrEqualTo(THREADS);
        assertThat(events).filteredOn(PinningTest::isOurs).isEmpty();
        assertThat(admitted.get()).isPositive();
        assertThat(Files.size(file)).isPositive();
    }

    private static boolean isOurs(RecordedEvent event) {
        return event.getEventType().getName().equals("jdk.VirtualThreadPinned")
                && event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getType().getName().startsWith("dev.holdfast.")
                                && !frame.getMethod().getType().getName().startsWith("dev.holdfast.tests."));
    }

    /** One breaker of each kind, two of them of a fleet, opening and closing all the time. */
    private static void storm(int threads, AtomicLong admitted) throws InterruptedException {
        BreakerPolicy brief = BreakerPolicy.defaults().withFailureThreshold(3).withOpenTime(Duration.ofMillis(1));
        var store = new InMemoryBreakerStore(TIME);
        try (var one = BreakerFleet.of(store, TIME);
                var other = BreakerFleet.of(store, TIME)) {
            List<CircuitBreaker> breakers = List.of(
                    CircuitBreaker.of("row", brief, TIME),
                    CircuitBreaker.of("calls", brief.withWindow(BreakerWindow.ofCalls(20)), TIME),
                    CircuitBreaker.of(
                            "time",
                            brief.withWindow(BreakerWindow.ofTime(Duration.ofMillis(50))
                                    .withSlowCalls(0.5, Duration.ofMillis(1))),
                            TIME),
                    CircuitBreaker.of("shared", brief, TIME),
                    CircuitBreaker.of("shared", brief, TIME));
            one.join(breakers.get(3));
            other.join(breakers.get(4));
            List<Thread> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(Thread.ofVirtual().start(() -> use(breakers, admitted)));
            }
            for (Thread thread : running) {
                thread.join();
            }
        }
    }

    private static void use(List<CircuitBreaker> breakers, AtomicLong admitted) {
        var random = ThreadLocalRandom.current();
        for (int i = 0; i < 20; i++) {
            if (breakers.get(random.nextInt(breakers.size())).acquire() instanceof Permit permit) {
                admitted.incrementAndGet();
                Thread.yield();
                switch (random.nextInt(3)) {
                    case 0 -> permit.succeeded();
                    case 1 -> permit.failed();
                    default -> permit.ignored();
                }
            }
        }
    }

    /** Few places, so that nearly all of them wait in a queue. */
    private static void rush(int threads, AtomicLong admitted) throws InterruptedException {
        var limiter = RateLimiter.of("limiter", LimitPolicy.defaults().withConcurrency(4), TIME);
        var bulkhead = Bulkhead.of("bulkhead", BulkheadPolicy.of(4), TIME);
        var adaptive = AdaptiveLimiter.of("adaptive", AdaptivePolicy.aimd().withLimits(4, 1, 8), TIME);
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Priority priority = i % 3 == 0 ? Priority.BATCH : Priority.INTERACTIVE;
            running.add(Thread.ofVirtual().start(() -> pass(limiter, bulkhead, adaptive, priority, admitted)));
        }
        for (int i = 0; i < threads; i += 50) {
            running.get(i).interrupt();
        }
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(limiter.status().inFlight() + bulkhead.status().inFlight() + adaptive.inFlight())
                .isZero();
    }

    private static void pass(
            RateLimiter limiter, Bulkhead bulkhead, AdaptiveLimiter adaptive, Priority priority, AtomicLong admitted) {
        try {
            if (limiter.acquire(1, PATIENCE) instanceof RateLimiter.Granted granted) {
                admitted.incrementAndGet();
                Thread.yield();
                granted.reservation().settle(2);
            }
            if (bulkhead.acquire(priority, PATIENCE) instanceof Bulkhead.Permit permit) {
                Thread.yield();
                permit.release();
            }
            if (adaptive.acquire(priority, PATIENCE) instanceof AdaptiveLimiter.Permit permit) {
                Thread.yield();
                permit.succeeded();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // as some are, on purpose
        }
    }
}
