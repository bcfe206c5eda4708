package dev.holdfast.transport.internal;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The clients, one after the other. The JDK keeps a connection as long as it is used, and with it the address it was made to; so a
 * client that is older than the bound is replaced at the next call, and goes when its last exchange is over.
 */
final class Generations implements AutoCloseable {
    /** A client that leaks connections is replaced too, with all of them, but no more often than this. */
    private static final long LEAKY_NANOS = 1_000_000_000;

    private final Supplier<HttpClient> clients;
    private final LongSupplier clock;
    private final long mostNanos;
    private final ReentrantLock replacing = new ReentrantLock();
    private final AtomicReference<Generation> current;
    private final Set<Generation> alive = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Generations(Supplier<HttpClient> clients, Duration maxAge, LongSupplier clock) {
        this.clients = clients;
        this.clock = clock;
        this.mostNanos = Deadlines.nanos(maxAge);
        this.current = new AtomicReference<>(next());
    }

    /** The present generation, entered. */
    Generation enter() {
        while (true) {
            Generation now = current.get();
            boolean replaced = !closed && isDone(now) && replace(now);
            if (!replaced && now.enter()) {
                return now;
            }
        }
    }

    private boolean isDone(Generation generation) {
        long ageNanos = generation.ageNanos(clock.getAsLong());
        return ageNanos >= mostNanos || (generation.leaks() && ageNanos >= LEAKY_NANOS);
    }

    /** The present generation, not entered. */
    Generation current() {
        return current.get();
    }

    /** False if there is no making a new one now, as where file handles are used up: then the old one goes on. */
    private boolean replace(Generation old) {
        replacing.lock();
        try {
            if (current.get() == old) {
                current.set(next());
                old.retire();
            }
        } catch (UncheckedIOException e) {
            return false;
        } finally {
            replacing.unlock();
        }
        if (closed) {
            shutDownAll();
        }
        return true;
    }

    private Generation next() {
        var made = new Generation(clients.get(), clock.getAsLong(), this::end);
        alive.add(made);
        return made;
    }

    /** On a thread of its own: it may be the client's own thread that ends the last exchange. */
    private void end(Generation generation) {
        Thread.ofVirtual().name("holdfast-http-end").start(() -> {
            generation.client().shutdownNow();
            alive.remove(generation);
        });
    }

    int alive() {
        return alive.size();
    }

    @Override
    public void close() {
        closed = true;
        shutDownAll();
    }

    /** {@code HttpClient.close} would wait for open streams. */
    private void shutDownAll() {
        alive.forEach(generation -> generation.client().shutdownNow());
    }
}
