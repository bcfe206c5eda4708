package dev.holdfast.simulation.internal.time;

import dev.holdfast.simulation.internal.time.SimulatedTask.State;
import dev.holdfast.simulation.internal.time.SimulatedTask.Wake;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time and moves time on when all of them wait. There is no thread of its own: a task that waits or ends
 * picks the next one and hands over the baton. The lock guards what threads outside may touch too; nobody blocks inside it.
 */
public final class Scheduler {
    static final long FOREVER = Long.MAX_VALUE;
    private static final long GRACE_NANOS = Duration.ofDays(30).toNanos();
    private static final int NAMES_TOLD = 20;

    private final Object lock = new Object();
    private final ArrayDeque<SimulatedTask> ready = new ArrayDeque<>();
    private final TimerHeap timers = new TimerHeap();
    private final Set<SimulatedTask> living = new LinkedHashSet<>();
    private volatile long nowNanos;
    private volatile @Nullable SimulatedTask current;
    private @Nullable Run run;

    /** What a task runs. */
    @FunctionalInterface
    public interface Step {
        /**
         * Does it.
         *
         * @throws Throwable as it may
         */
        void run() throws Throwable;
    }

    /** How a run ended: all null if it ended well. */
    public record Ending(
            @Nullable Throwable mainFailure,
            @Nullable String stuck,
            @Nullable Throwable taskFailure) {
        public String describe() {
            return stuck != null ? stuck : String.valueOf(taskFailure);
        }
    }

    /** One run: what has happened in it so far. Guarded by the lock. */
    private static final class Run {
        final CountDownLatch ended = new CountDownLatch(1);
        final SimulatedTask main;
        boolean abandoned;
        long mainEndedNanos = -1;

        @Nullable
        Throwable mainFailure;

        @Nullable
        Throwable taskFailure;

        @Nullable
        String stuck;

        Run(SimulatedTask main) {
            this.main = main;
        }
    }

    /** Unwinds a task that nobody will wake; an error, so that no handler takes it for a failure of its work. */
    private static final class Abandoned extends Error {
        private static final long serialVersionUID = 1L;

        Abandoned() {
            super("the simulation has ended", null, false, false);
        }
    }

    public long nowNanos() {
        return nowNanos;
    }

    public SimulatedSignal newSignal(long originNanos) {
        return new SimulatedSignal(this, originNanos);
    }

    public Ending run(String name, Step main) {
        var task = new SimulatedTask(this, name, main);
        var mine = new Run(task);
        SimulatedTask first;
        synchronized (lock) {
            if (run != null) {
                throw new IllegalStateException("this virtual time is running already (expected: one run at a time)");
            }
            run = mine;
            admit(task);
            first = pick();
        }
        handOver(first);
        awaitEnd(mine);
        return new Ending(mine.mainFailure, mine.stuck, mine.taskFailure);
    }

    public SimulatedTask start(String name, Step body) {
        var task = new SimulatedTask(this, name, body);
        synchronized (lock) {
            if (run != null && run.abandoned) {
                throw new Abandoned();
            }
            admit(task);
        }
        return task;
    }

    public void sleep(long nanos, boolean last) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (nanos > 0) {
            park(null, nanos, last);
        }
    }

    boolean await(SimulatedSignal signal, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!signal.set && nanos > 0) {
            park(signal, nanos, false);
        }
        return signal.set;
    }

    void set(SimulatedSignal signal) {
        if (signal.set) {
            return;
        }
        synchronized (lock) {
            signal.set = true;
            for (SimulatedTask task = signal.first(); task != null; task = signal.first()) {
                wake(task, Wake.SIGNALLED);
            }
        }
    }

    /** Called by the hook, on the thread that interrupts. Without the flag it is news of an interrupt already dealt with. */
    void interruptedFrom(SimulatedTask task) {
        if (task.thread.isInterrupted()) {
            interrupted(task);
        }
    }

    /** Called by a task that saw its own flag. */
    void interrupted(SimulatedTask task) {
        synchronized (lock) {
            if (task.state == State.WAITING) {
                wake(task, Wake.INTERRUPTED);
            }
        }
    }

    /** The life of a task, on its own thread, from its first baton to the last. */
    void live(SimulatedTask task, Step body) {
        task.dropFirstBaton();
        Throwable failure = null;
        try {
            body.run();
        } catch (Abandoned e) {
            failure = null;
        } catch (Throwable e) {
            failure = e;
        }
        SimulatedTask next;
        synchronized (lock) {
            end(task, failure);
            next = pick();
        }
        handOver(next);
    }

    private void park(@Nullable SimulatedSignal signal, long nanos, boolean last) throws InterruptedException {
        SimulatedTask me = self();
        me.hook().arm();
        SimulatedTask next;
        synchronized (lock) {
            enroll(me, signal, nanos, last);
            next = pick();
        }
        boolean flagged = false;
        if (next != me) {
            handOver(next);
            flagged = me.awaitBaton();
        }
        me.hook().disarm();
        settle(me, flagged);
    }

    private SimulatedTask self() {
        SimulatedTask me = current;
        if (me == null || me.thread != Thread.currentThread()) {
            throw new IllegalStateException("thread " + Thread.currentThread().getName()
                    + " is no task of this virtual time (expected: to wait inside run, or in a task started by it)");
        }
        return me;
    }

    private void enroll(SimulatedTask me, @Nullable SimulatedSignal signal, long nanos, boolean last) {
        me.state = State.WAITING;
        if (run != null && run.abandoned) {
            wake(me, Wake.ABANDONED);
        } else if (me.thread.isInterrupted()) {
            wake(me, Wake.INTERRUPTED);
        } else if (signal != null && signal.set) {
            wake(me, Wake.SIGNALLED);
        } else {
            if (signal != null) {
                signal.enqueue(me);
            }
            if (nanos != FOREVER) {
                timers.add(me, saturated(nowNanos + nanos), last);
            }
        }
    }

    /** What the wait came to. An interrupt that came after the task had been woken otherwise is kept for its next wait. */
    private static void settle(SimulatedTask me, boolean flagged) throws InterruptedException {
        switch (me.wake) {
            case INTERRUPTED -> {
                Thread.interrupted();
                throw new InterruptedException();
            }
            case ABANDONED -> throw new Abandoned();
            case SIGNALLED, TIMED_OUT -> {
                if (flagged) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private static void handOver(@Nullable SimulatedTask next) {
        if (next != null) {
            next.resume();
        }
    }

    // --- under the lock ---------------------------------------------------------------------------------------------

    private void admit(SimulatedTask task) {
        living.add(task);
        ready.add(task);
    }

    private void wake(SimulatedTask task, Wake why) {
        if (task.awaited != null) {
            task.awaited.remove(task);
        }
        if (task.heapIndex >= 0) {
            timers.remove(task);
        }
        task.wake = why;
        task.state = State.READY;
        ready.add(task);
    }

    private void end(SimulatedTask task, @Nullable Throwable failure) {
        task.state = State.ENDED;
        living.remove(task);
        set(task.done);
        Run now = run;
        if (now == null) {
            return;
        }
        if (task == now.main) {
            now.mainEndedNanos = nowNanos;
            now.mainFailure = failure;
            if (failure != null) {
                abandon(now);
            }
        } else if (failure != null) {
            now.taskFailure = joined(now.taskFailure, failure);
        }
    }

    /** Who runs next; null when the run has ended. */
    private @Nullable SimulatedTask pick() {
        if (ready.isEmpty()) {
            moveOn();
        }
        SimulatedTask next = ready.poll();
        current = next;
        if (next != null) {
            next.state = State.RUNNING;
        } else if (run != null) {
            run.ended.countDown();
            run = null;
        }
        return next;
    }

    /** Nobody can run at this instant: the earliest timer is next. */
    private void moveOn() {
        SimulatedTask due = timers.earliest();
        Run now = run;
        boolean late = due != null
                && now != null
                && now.mainEndedNanos >= 0
                && due.dueNanos - now.mainEndedNanos > GRACE_NANOS;
        if (due != null && !late) {
            nowNanos = due.dueNanos;
            wake(due, Wake.TIMED_OUT);
        } else if (now != null && !living.isEmpty()) {
            now.stuck = (late ? "still running 30 days after the main task ended: " : "waiting for ever: ") + names();
            abandon(now);
        }
    }

    private void abandon(Run now) {
        now.abandoned = true;
        for (SimulatedTask task : living) {
            if (task.state == State.WAITING) {
                wake(task, Wake.ABANDONED);
            }
        }
    }

    private String names() {
        String told =
                living.stream().limit(NAMES_TOLD).map(SimulatedTask::describe).collect(Collectors.joining(", "));
        int more = living.size() - NAMES_TOLD;
        return told + (more > 0 ? " and " + more + " more" : "");
    }

    private static Throwable joined(@Nullable Throwable first, Throwable other) {
        if (first == null) {
            return other;
        }
        if (!first.equals(other)) {
            first.addSuppressed(other);
        }
        return first;
    }

    private static long saturated(long sum) {
        return sum < 0 ? FOREVER : sum;
    }

    private static void awaitEnd(Run mine) {
        boolean interrupted = false;
        while (true) {
            try {
                mine.ended.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                mine.main.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
