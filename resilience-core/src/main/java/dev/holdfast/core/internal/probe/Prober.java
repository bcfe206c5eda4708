package dev.holdfast.core.internal.probe;

import dev.holdfast.core.ProbePolicy;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * When endpoints are probed: one thread for each that calls use, from its first use until it has not been used for ten
 * intervals. A thread sleeps, asks once, and sleeps again, so that a process that stood still has missed its probes and does not
 * make up for them.
 */
public final class Prober implements AutoCloseable {
    private static final int IDLE_INTERVALS = 10;
    private static final long ROUGHLY_NANOS = 1_000_000_000;

    private final ProbePolicy policy;
    private final Timekeeper time;
    private final RandomGenerator random;
    private final Asking asking;
    private final Map<String, Watch> watches;
    private volatile boolean closed;

    /**
     * @param endpoints the names of all there are
     * @param asking asks one of them
     */
    public Prober(
            ProbePolicy policy, Collection<String> endpoints, Timekeeper time, RandomGenerator random, Asking asking) {
        this.policy = policy;
        this.time = time;
        this.random = random;
        this.asking = asking;
        this.watches = endpoints.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), Watch::new));
    }

    /** Asks an endpoint, or leaves it be. */
    @FunctionalInterface
    public interface Asking {
        void ask(String endpoint) throws InterruptedException;
    }

    /** A call may go to the endpoint. */
    public void used(String endpoint, long nowNanos) {
        @Nullable Watch watch = watches.get(endpoint);
        if (watch != null) {
            watch.used(nowNanos);
        }
    }

    @Override
    public void close() {
        closed = true;
        watches.values().forEach(Watch::end);
    }

    /** The thread of one endpoint, while there is one. */
    private final class Watch {
        private final String endpoint;
        private final AtomicBoolean running = new AtomicBoolean();
        private volatile long usedNanos;
        private volatile Optional<Task> task = Optional.empty();

        Watch(String endpoint) {
            this.endpoint = endpoint;
        }

        /** Written about once a second however many calls there are. */
        void used(long nowNanos) {
            boolean runs = running.get();
            if (!runs || nowNanos - usedNanos > ROUGHLY_NANOS) {
                usedNanos = nowNanos;
            }
            if (!runs) {
                start();
            }
        }

        private void start() {
            if (!closed && running.compareAndSet(false, true)) {
                task = Optional.of(time.start("holdfast-probe-" + endpoint, this::run));
                // Closing after the look above found no thread to end.
                if (closed) {
                    end();
                }
            }
        }

        void end() {
            task.ifPresent(Task::interrupt);
        }

        private void run() {
            try {
                time.sleep(part(random.nextDouble()));
                while (!closed && isUsed()) {
                    asking.ask(endpoint);
                    time.sleep(part(1 + policy.jitter() * (2 * random.nextDouble() - 1)));
                }
            } catch (InterruptedException e) {
                // The client closes.
            } finally {
                running.set(false);
            }
            if (!closed && isUsed()) {
                start();
            }
        }

        private Duration part(double factor) {
            return Duration.ofNanos(Math.round(policy.interval().toNanos() * factor));
        }

        private boolean isUsed() {
            return time.nanoTime() - usedNanos
                    < policy.interval().multipliedBy(IDLE_INTERVALS).toNanos() + ROUGHLY_NANOS;
        }
    }
}
