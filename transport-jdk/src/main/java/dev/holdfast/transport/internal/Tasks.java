package dev.holdfast.transport.internal;

import java.util.ArrayDeque;

/**
 * The work that the JDK's client does at one go, on one thread. Whom it wakes up is woken when all of it is done: an answer whose head and
 * body have come together is then read without a second wait.
 */
final class Tasks {
    private static final ThreadLocal<ArrayDeque<Runnable>> LAST = new ThreadLocal<>();

    private Tasks() {}

    /** Runs a task, and then what it left for the end. */
    static void run(Runnable task) {
        if (LAST.get() != null) {
            task.run();
            return;
        }
        var last = new ArrayDeque<Runnable>(2);
        LAST.set(last);
        try {
            task.run();
        } finally {
            LAST.remove();
            last.forEach(Runnable::run);
        }
    }

    /** Does something at the end of the task that this thread is about, or at once if it is about none. */
    static void last(Runnable work) {
        ArrayDeque<Runnable> last = LAST.get();
        if (last == null) {
            work.run();
        } else {
            last.add(work);
        }
    }
}
