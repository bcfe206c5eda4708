package dev.holdfast.transport.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends waits that take too long. A virtual thread that waits for a time itself has the JVM's timer woken at every wait, and nearly all of
 * these end long before their time: here one thread sleeps until the first of them is due, and is woken only for one that is due sooner.
 * It goes when there has been nothing to wait for. Safe for use by many threads.
 */
final class Alarms implements AutoCloseable {
    private static final long IDLE_NANOS = 5_000_000_000L;
    /** Alarms that are due within so long of each other ring together, so that a crowd of them costs few looks at all. */
    private static final long LEAST_SLEEP_NANOS = 1_000_000;

    private static final Logger LOG = System.getLogger(Alarms.class.getName());

    private final Set<Alarm> pending = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Thread thread;
    private volatile boolean looking;
    private volatile long wakesAtNanos;
    private volatile boolean closed;

    /** A wait with an end. */
    final class Alarm implements AutoCloseable {
        private final LongSupplier ring;
        private volatile long atNanos;

        private Alarm(long atNanos, LongSupplier ring) {
            this.atNanos = atNanos;
            this.ring = ring;
        }

        /** The wait is over; it may be that the alarm rings all the same. */
        @Override
        public void close() {
            pending.remove(this);
            if (closed) {
                LockSupport.unpark(thread);
            }
        }
    }

    /**
     * Sets an alarm.
     *
     * @param leftNanos when it rings, from now
     * @param ring is run then, on a thread that must not be held up; it says in how many nanoseconds to ring again, 0 for not again
     */
    Alarm in(long leftNanos, LongSupplier ring) {
        long now = System.nanoTime();
        var alarm = new Alarm(now + Math.clamp(leftNanos, 0, Long.MAX_VALUE / 4), ring);
        pending.add(alarm);
        if (thread == null || looking || alarm.atNanos - wakesAtNanos < 0) {
            wake();
        }
        return alarm;
    }

    private void wake() {
        lock.lock();
        try {
            if (thread == null) {
                looking = true;
                thread = Thread.ofPlatform()
                        .daemon()
                        .name("holdfast-http-alarms")
                        .inheritInheritableThreadLocals(false)
                        .start(this::run);
            } else {
                LockSupport.unpark(thread);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long idleSince = System.nanoTime();
        while (true) {
            // Before the look at whether to go: who comes from now on wakes this thread, or starts the next.
            looking = true;
            if (isOver(idleSince)) {
                return;
            }
            long now = System.nanoTime();
            long next = now + IDLE_NANOS;
            for (Alarm alarm : pending) {
                if (alarm.atNanos - now <= 0) {
                    ring(alarm, now);
                }
                if (pending.contains(alarm)) {
                    idleSince = now;
                    next = alarm.atNanos - next < 0 ? alarm.atNanos : next;
                }
            }
            wakesAtNanos = next;
            looking = false;
            LockSupport.parkNanos(this, Math.max(LEAST_SLEEP_NANOS, next - System.nanoTime()));
        }
    }

    private void ring(Alarm alarm, long now) {
        long more = ring(alarm);
        if (more > 0) {
            alarm.atNanos = now + Math.min(more, Long.MAX_VALUE / 4);
        } else {
            pending.remove(alarm);
        }
    }

    /** Whatever comes of one, the others ring. */
    private static long ring(Alarm alarm) {
        try {
            return alarm.ring.getAsLong();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, "a wait that took too long could not be ended", e);
            return LEAST_SLEEP_NANOS;
        }
    }

    private boolean isOver(long idleSince) {
        if (!closed && System.nanoTime() - idleSince < IDLE_NANOS) {
            return false;
        }
        lock.lock();
        try {
            if (!pending.isEmpty()) {
                return false;
            }
            thread = null;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The thread goes as soon as nobody waits. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            LockSupport.unpark(thread);
        } finally {
            lock.unlock();
        }
    }
}
