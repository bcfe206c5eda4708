package dev.holdfast.benchmarks.table;

import dev.holdfast.spi.Timekeeper;
import java.util.ArrayDeque;

/**
 * The places of the program that makes the calls: a call holds one from its first attempt to its end, backoff included. First
 * come, first served; a place that is given back belongs to the next at that instant. On virtual time only: tasks take turns.
 */
final class ClientPool {
    private final Timekeeper time;
    private final ArrayDeque<Timekeeper.Signal> waiting = new ArrayDeque<>();
    private int free;

    ClientPool(Timekeeper time, int places) {
        this.time = time;
        this.free = places;
    }

    void acquire() throws InterruptedException {
        if (free > 0) {
            free--;
            return;
        }
        Timekeeper.Signal turn = time.newSignal();
        waiting.add(turn);
        turn.await();
    }

    void release() {
        Timekeeper.Signal next = waiting.poll();
        if (next == null) {
            free++;
        } else {
            next.set();
        }
    }
}
