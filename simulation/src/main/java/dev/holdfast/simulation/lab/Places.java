package dev.holdfast.simulation.lab;

import dev.holdfast.spi.Timekeeper;
import java.util.ArrayDeque;

/**
 * The places of the program that makes the calls: a call holds one from its first attempt to its end, backoff included. First
 * come, first served; a place that is given back belongs to the next at that instant. On virtual time only: tasks take turns.
 */
public final class Places {
    private final Timekeeper time;
    private final ArrayDeque<Timekeeper.Signal> waiting = new ArrayDeque<>();
    private final int all;
    private int free;

    /**
     * So many places.
     *
     * @param time how those wait who find none
     * @param all how many there are
     */
    public Places(Timekeeper time, int all) {
        this.time = time;
        this.all = all;
        this.free = all;
    }

    /**
     * Waits for one.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void acquire() throws InterruptedException {
        if (free > 0) {
            free--;
            return;
        }
        Timekeeper.Signal turn = time.newSignal();
        waiting.add(turn);
        turn.await();
    }

    /** Gives one back. */
    public void release() {
        Timekeeper.Signal next = waiting.poll();
        if (next == null) {
            free++;
        } else {
            next.set();
        }
    }

    /** {@return how many are taken} */
    public int taken() {
        return all - free;
    }

    /** {@return how many calls wait for one} */
    public int waiting() {
        return waiting.size();
    }
}
