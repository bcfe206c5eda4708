package dev.holdfast.simulation.internal.time;

import dev.holdfast.spi.Timekeeper;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of the simulation and the one thing it waits for; it is its own node in the heap of timers and in the queue of a
 * signal, so that a million of them cost little more than their threads. Fields without a remark are guarded by the
 * scheduler's lock.
 */
final class SimulatedTask implements Timekeeper.Task {
    /** What a task is doing. */
    enum State {
        READY,
        RUNNING,
        WAITING,
        ENDED
    }

    /** Why a waiting task was woken. */
    enum Wake {
        SIGNALLED,
        TIMED_OUT,
        INTERRUPTED,
        ABANDONED
    }

    final String name;
    final Thread thread;
    final SimulatedSignal done;

    State state = State.READY;
    Wake wake = Wake.SIGNALLED;

    /** Its place in the heap of timers; -1 when it has no timer. */
    int heapIndex = -1;

    long dueNanos;
    boolean last;
    long order;

    /** The signal it waits for, and its neighbours in the queue there. */
    @Nullable
    SimulatedSignal awaited;

    @Nullable
    SimulatedTask previous;

    @Nullable
    SimulatedTask next;

    private final Scheduler scheduler;
    private @Nullable InterruptHook hook;
    private boolean launched;

    /** Whether it may run. Written by who hands over, read by the task. */
    private volatile boolean baton;

    SimulatedTask(Scheduler scheduler, String name, Scheduler.Step body) {
        this.scheduler = scheduler;
        this.name = name;
        this.done = new SimulatedSignal(scheduler, 0);
        this.thread = Thread.ofVirtual().name(name).unstarted(() -> scheduler.live(this, body));
    }

    @Override
    public void interrupt() {
        thread.interrupt();
    }

    @Override
    public void join() throws InterruptedException {
        done.await();
    }

    /** Lets it run. Only who holds the baton calls this, once, and goes to wait. */
    void resume() {
        baton = true;
        if (launched) {
            LockSupport.unpark(thread);
        } else {
            launched = true;
            thread.start();
        }
    }

    /**
     * Waits for the baton, on the task's own thread.
     *
     * @return whether the interrupt flag was seen; it is cleared, since a thread with the flag set cannot park
     */
    boolean awaitBaton() {
        boolean interrupted = false;
        while (!baton) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                interrupted = true;
                scheduler.interrupted(this);
            }
        }
        baton = false;
        return interrupted;
    }

    void dropFirstBaton() {
        baton = false;
    }

    /** Its hook, made when it first waits, by its own thread. */
    InterruptHook hook() {
        InterruptHook mine = hook;
        if (mine == null) {
            mine = new InterruptHook(() -> scheduler.interruptedFrom(this));
            hook = mine;
        }
        return mine;
    }

    String describe() {
        return name + (awaited == null ? " (sleeps)" : " (waits for a signal)");
    }
}
