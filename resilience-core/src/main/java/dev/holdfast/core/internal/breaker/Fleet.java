package dev.holdfast.core.internal.breaker;

import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps breakers and a store in step, off the path of calls. A thread runs only while there is something to tell or to ask; a
 * store that fails is asked again after a second, then after twice as long, up to half a minute, and warned of once.
 */
public final class Fleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final BreakerStore store;
    private final Timekeeper time;
    private final Set<FleetLink> links = ConcurrentHashMap.newKeySet();
    private final Set<FleetLink> pending = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean working = new AtomicBoolean();
    private final AtomicBoolean down = new AtomicBoolean();
    private final AtomicReference<@Nullable Task> worker = new AtomicReference<>();
    private volatile boolean closed;

    public Fleet(BreakerStore store, Timekeeper time) {
        this.store = store;
        this.time = time;
    }

    /** Lets a breaker share its transitions under a key from now on. */
    public FleetLink join(String key, BreakerMachine machine) {
        var link = new FleetLink(this, store, time, key, machine);
        if (!closed) {
            links.add(link);
            machine.join(link);
            poke(link);
        }
        return link;
    }

    void leave(FleetLink link) {
        links.remove(link);
        pending.remove(link);
    }

    /** There is something to tell or to ask; returns at once. */
    void poke(FleetLink link) {
        if (closed || !links.contains(link)) {
            return;
        }
        pending.add(link);
        if (working.compareAndSet(false, true)) {
            worker.set(start("holdfast-breaker-store", this::work, () -> working.set(false)));
        }
    }

    /**
     * Where a thread does not start, nobody can ask the store: as if it failed, breakers go on by themselves.
     *
     * @param otherwise done if it does not start
     */
    @Nullable
    Task start(String name, Runnable body, Runnable otherwise) {
        try {
            return time.start(name, body);
        } catch (Throwable e) {
            otherwise.run();
            fails(e);
            return null;
        }
    }

    private void work() {
        Duration pause = FIRST_PAUSE;
        try {
            do {
                for (FleetLink link = next(); link != null; link = next()) {
                    if (settled(link)) {
                        pause = FIRST_PAUSE;
                    } else if (closed) {
                        return;
                    } else {
                        time.sleep(pause);
                        pause = longer(pause);
                    }
                }
                working.set(false);
                // Who poked just before saw a thread at work and relies on it.
            } while (!closed && !pending.isEmpty() && working.compareAndSet(false, true));
        } catch (InterruptedException e) {
            working.set(false);
        }
    }

    private @Nullable FleetLink next() {
        FleetLink first = pending.stream().findFirst().orElse(null);
        if (first != null) {
            pending.remove(first);
        }
        return first;
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    /** A store may throw anything, also errors of linkage and its driver's checked exceptions; none of it may end the thread. */
    private boolean settled(FleetLink link) {
        try {
            link.reconcile();
            answers();
            return true;
        } catch (Throwable e) {
            fails(e);
            pending.add(link);
            return false;
        }
    }

    boolean isDown() {
        return down.get();
    }

    boolean isClosed() {
        return closed;
    }

    void answers() {
        if (down.compareAndSet(true, false)) {
            LOG.info("the breaker store answers again");
        }
    }

    void fails(Throwable thrown) {
        if (!closed && down.compareAndSet(false, true)) {
            LOG.warn("the breaker store fails; until it answers, breakers know only of this client", thrown);
        }
    }

    @Override
    public void close() {
        closed = true;
        Task running = worker.get();
        if (running != null) {
            running.interrupt();
        }
        links.forEach(FleetLink::close);
        pending.clear();
    }
}
