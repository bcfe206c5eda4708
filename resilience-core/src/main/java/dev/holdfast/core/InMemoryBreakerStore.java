package dev.holdfast.core;

import dev.holdfast.BreakerState;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares the transitions of breakers between the clients of one process, and is the pattern for stores that share them between
 * processes. Keeps at most 10,000 keys; the states of others are forgotten, which costs them no more than a probe. Safe for use by
 * any number of threads.
 */
public final class InMemoryBreakerStore implements BreakerStore {
    private static final Logger LOG = LoggerFactory.getLogger(InMemoryBreakerStore.class);
    private static final int MOST_KEYS = 10_000;

    private final Timekeeper timekeeper;
    private final ConcurrentHashMap<String, Kept> kept = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, List<Listening>> listeners = new ConcurrentHashMap<>();

    /**
     * Creates an empty store.
     *
     * @param timekeeper its clock, and the threads that tell watchers
     */
    public InMemoryBreakerStore(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** A snapshot with the time at which its open time ends, so that it can be read at any later time. */
    private record Kept(BreakerSnapshot snapshot, long openUntilNanos) {
        BreakerSnapshot at(long nowNanos) {
            Duration remaining = Duration.ofNanos(Math.max(0, openUntilNanos - nowNanos));
            return new BreakerSnapshot(snapshot.state(), snapshot.generation(), remaining, snapshot.openings());
        }
    }

    @Override
    public Optional<BreakerSnapshot> load(String key) {
        return Optional.ofNullable(kept.get(key)).map(each -> each.at(timekeeper.nanoTime()));
    }

    @Override
    public boolean compareAndSet(String key, long expectedGeneration, BreakerSnapshot next) {
        var fresh = new Kept(next, timekeeper.nanoTime() + bounded(next.remainingOpen()));
        var replaced = new AtomicBoolean();
        kept.compute(key, (each, before) -> {
            long generation = before == null ? 0 : before.snapshot.generation();
            if (generation != expectedGeneration) {
                return before;
            }
            replaced.set(true);
            // In here, so that watchers are told in the order of the changes.
            listeners.getOrDefault(each, List.of()).forEach(listening -> listening.changes.add(fresh));
            return fresh;
        });
        if (replaced.get()) {
            listeners.getOrDefault(key, List.of()).forEach(Listening::deliver);
            makeRoom(key);
        }
        return replaced.get();
    }

    private static long bounded(Duration remaining) {
        return Patience.nanos(remaining); // at most a year
    }

    private void makeRoom(String added) {
        if (kept.size() > MOST_KEYS) {
            kept.entrySet().stream()
                    .filter(entry -> !entry.getKey().equals(added))
                    .min((one, other) -> Boolean.compare(isOpen(one.getValue()), isOpen(other.getValue())))
                    .ifPresent(entry -> kept.remove(entry.getKey(), entry.getValue()));
        }
    }

    private static boolean isOpen(Kept each) {
        return each.snapshot.state() != BreakerState.CLOSED;
    }

    @Override
    public Watch watch(String key, Consumer<BreakerSnapshot> listener) {
        var listening = new Listening(listener);
        listeners.compute(key, (each, known) -> {
            List<Listening> all = known == null ? new CopyOnWriteArrayList<>() : known;
            all.add(listening);
            return all;
        });
        return () -> {
            listening.ended = true;
            listeners.computeIfPresent(key, (each, all) -> {
                all.remove(listening);
                return all.isEmpty() ? null : all;
            });
        };
    }

    /** One watcher; a thread tells it while there is something to tell. */
    private final class Listening {
        private final Consumer<BreakerSnapshot> listener;
        private final Queue<Kept> changes = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean delivering = new AtomicBoolean();
        private volatile boolean ended;

        private Listening(Consumer<BreakerSnapshot> listener) {
            this.listener = listener;
        }

        void deliver() {
            if (!changes.isEmpty() && delivering.compareAndSet(false, true)) {
                timekeeper.start("holdfast-breaker-watch", this::run);
            }
        }

        private void run() {
            do {
                for (Kept next = changes.poll(); next != null && !ended; next = changes.poll()) {
                    tell(next);
                }
                delivering.set(false);
            } while (!ended && !changes.isEmpty() && delivering.compareAndSet(false, true));
        }

        private void tell(Kept next) {
            try {
                listener.accept(next.at(timekeeper.nanoTime()));
            } catch (RuntimeException e) {
                LOG.warn("a watcher of a breaker threw", e);
            }
        }
    }
}
