package dev.holdfast.transport.internal;

import java.util.LinkedHashSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets so many in at once and the others wait in a line, first come first served. Who leaves the line, by time or by interrupt,
 * takes nothing. Of streams on one connection it learns how many the server wants, since that cannot be asked for:
 *
 * <ul>
 *   <li>While nobody is in, one goes ahead alone until {@link #warmedUp}: its connection is the one that all others share.
 *   <li>Who was turned away by the other side ({@link #turnedAway}) goes back to the head of the line, and no more than those who are
 *       still in are let in from then on.
 *   <li>After {@value #ROUNDS} full rounds without being turned away, twice as many are tried.
 * </ul>
 */
final class Gate {
    private static final int ROUNDS = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashSet<Place> line = new LinkedHashSet<>();
    private final int most;
    private final boolean warmsUp;
    private int learned;
    private int taken;
    private int leftInARow;
    private boolean warm;
    private boolean gone;

    enum Entry {
        IN,
        /** The time was over. */
        LATE,
        /** The gate is no longer in use; there is another. */
        GONE,
        /** Nobody else is in, so nobody's leaving can make room. */
        ALONE
    }

    private static final class Place {
        private final CountDownLatch served = new CountDownLatch(1);
    }

    private Gate(int most, boolean warmsUp) {
        this.most = most;
        this.learned = most;
        this.warmsUp = warmsUp;
    }

    static Gate ofConnections(int most) {
        return new Gate(most, false);
    }

    static Gate ofStreams(int most) {
        return new Gate(most, true);
    }

    Entry enter(long waitNanos) throws InterruptedException {
        Place place;
        lock.lock();
        try {
            if (gone) {
                return Entry.GONE;
            }
            if (line.isEmpty() && isRoom()) {
                take();
                return Entry.IN;
            }
            place = new Place();
            line.addLast(place);
        } finally {
            lock.unlock();
        }
        return await(place, waitNanos);
    }

    /**
     * Gives the place back and asks for another, at the head of the line.
     *
     * @return {@code ALONE} if nobody else is in: then there is nobody to wait for, and the place is kept
     */
    Entry turnedAway(long waitNanos) throws InterruptedException {
        var place = new Place();
        lock.lock();
        try {
            leftInARow = 0;
            learned = Math.max(1, taken - 1);
            if (taken == 1) {
                return Entry.ALONE;
            }
            taken--;
            line.addFirst(place);
        } finally {
            lock.unlock();
        }
        return await(place, waitNanos);
    }

    private Entry await(Place place, long waitNanos) throws InterruptedException {
        try {
            if (place.served.await(Math.max(0, waitNanos), TimeUnit.NANOSECONDS) || !leaveLine(place)) {
                return Entry.IN;
            }
            return Entry.LATE;
        } catch (InterruptedException e) {
            if (!leaveLine(place)) {
                leave();
            }
            throw e;
        }
    }

    /** False if the place has been served meanwhile. */
    private boolean leaveLine(Place place) {
        lock.lock();
        try {
            return line.remove(place);
        } finally {
            lock.unlock();
        }
    }

    /** The connection stands. */
    void warmedUp() {
        lock.lock();
        try {
            if (!warm && taken > 0) {
                warm = true;
                serve();
            }
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            taken--;
            if (++leftInARow >= ROUNDS * (long) learned && learned < most) {
                leftInARow = 0;
                learned = (int) Math.min(most, 2L * learned);
            }
            serve();
        } finally {
            lock.unlock();
        }
    }

    private void serve() {
        warm &= taken > 0;
        while (!line.isEmpty() && isRoom()) {
            take();
            line.removeFirst().served.countDown();
        }
    }

    private boolean isRoom() {
        return taken < (warmsUp && !warm ? 1 : learned);
    }

    private void take() {
        taken++;
    }

    /** How many may be in at present. */
    int learned() {
        lock.lock();
        try {
            return learned;
        } finally {
            lock.unlock();
        }
    }

    int taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return line.size();
        } finally {
            lock.unlock();
        }
    }

    /** Shuts the gate for good if nobody is in and nobody waits. */
    boolean closeIfIdle() {
        lock.lock();
        try {
            gone |= taken == 0 && line.isEmpty();
            return gone;
        } finally {
            lock.unlock();
        }
    }
}
