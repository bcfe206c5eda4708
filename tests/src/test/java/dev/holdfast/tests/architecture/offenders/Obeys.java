package dev.holdfast.tests.architecture.offenders;

import dev.holdfast.spi.Timekeeper;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/** Uses what looks like an offence and is none. */
public final class Obeys {
    private final Map<String, Instant> times = new ConcurrentHashMap<>();
    private final AtomicReference<RandomGenerator> random = new AtomicReference<>(new Random(1));

    void run(Timekeeper time, CompletableFuture<String> future, Clock given) throws InterruptedException {
        time.sleep(Duration.ofNanos(TimeUnit.MILLISECONDS.toNanos(1)));
        time.start("holdfast-obeys", () -> future.complete(times.get("now") + " " + given.instant()))
                .join();
        times.computeIfAbsent("now", key -> time.now());
        random.get().nextLong();
        Thread.currentThread().interrupt();
    }
}
