package dev.holdfast.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.BreakerFleet;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.InMemoryBreakerStore;
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

/** Thousands of virtual threads use breakers at once, and none of them holds on to its carrier in our code. */
@Tag("concurrency")
@Timeout(120)
class PinningTest {
    private static final Duration LONGEST = Duration.ofMillis(1);
    private static final Timekeeper TIME = Timekeeper.system();
    private static final int THREADS = 5_000;

    @TempDir
    private Path folder;

    @Test
    void noVirtualThreadIsPinnedByABreaker() throws Exception {
        Path file = folder.resolve("pinned.jfr");
        var admitted = new AtomicLong();
        storm(200, admitted); // loads the classes, which pins
        try (var recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withThreshold(LONGEST).withStackTrace();
            recording.enable("jdk.VirtualThreadEnd");
            recording.start();
            storm(THREADS, admitted);
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
                        .anyMatch(frame -> frame.getMethod().getType().getName().startsWith("dev.holdfast.core"));
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
}
