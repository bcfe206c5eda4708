package dev.holdfast.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;

/** The machine's own time. */
enum SystemTimekeeper implements Timekeeper {
    INSTANCE;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (duration.isPositive()) {
            Thread.sleep(duration);
        }
    }

    @Override
    public Task start(String name, Runnable body) {
        return new ThreadTask(Thread.ofVirtual().name(name).start(body));
    }

    @Override
    public Signal newSignal() {
        return new WordSignal();
    }

    @Override
    public String toString() {
        return "Timekeeper.system()";
    }

    private record ThreadTask(Thread thread) implements Task {
        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public void join() throws InterruptedException {
            thread.join();
        }
    }

    /**
     * A signal in one word, since a process may have a million threads that wait for one each: nobody and nothing yet, that it is
     * set, the thread that waits, or the last of several.
     */
    private static final class WordSignal implements Signal {
        private static final Object SET = new Object();
        private static final Object NOBODY = new Object();
        private static final AtomicReferenceFieldUpdater<WordSignal, Object> WORD =
                AtomicReferenceFieldUpdater.newUpdater(WordSignal.class, Object.class, "word");

        private volatile Object word = NOBODY;

        /** Who waits beside others. */
        private record Waiting(Thread thread, Object others) {}

        @Override
        public void set() {
            Object waiting = WORD.getAndSet(this, SET);
            while (waiting instanceof Waiting(Thread thread, Object others)) {
                LockSupport.unpark(thread);
                waiting = others;
            }
            if (waiting instanceof Thread thread) {
                LockSupport.unpark(thread);
            }
        }

        @Override
        public boolean isSet() {
            return word == SET;
        }

        @Override
        public boolean await(long deadlineNanos) throws InterruptedException {
            throwIfInterrupted();
            if (isSet() || deadlineNanos - System.nanoTime() <= 0) {
                return isSet();
            }
            enter(Thread.currentThread());
            try {
                long left = deadlineNanos - System.nanoTime();
                while (!isSet() && left > 0) {
                    LockSupport.parkNanos(this, left);
                    throwIfInterrupted();
                    left = deadlineNanos - System.nanoTime();
                }
            } finally {
                leave(Thread.currentThread());
            }
            return isSet();
        }

        @Override
        public void await() throws InterruptedException {
            throwIfInterrupted();
            enter(Thread.currentThread());
            try {
                while (!isSet()) {
                    LockSupport.park(this);
                    throwIfInterrupted();
                }
            } finally {
                leave(Thread.currentThread());
            }
        }

        private static void throwIfInterrupted() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        private void enter(Thread thread) {
            Object seen = word;
            while (seen != SET && !WORD.compareAndSet(this, seen, with(thread, seen))) {
                seen = word;
            }
        }

        /** Nothing is kept of who has gone, however often it comes back. */
        private void leave(Thread thread) {
            Object seen = word;
            while (seen != SET && !WORD.compareAndSet(this, seen, without(thread, seen))) {
                seen = word;
            }
        }

        private static Object without(Thread gone, Object waiting) {
            Object left = NOBODY;
            Object rest = waiting;
            while (rest instanceof Waiting(Thread thread, Object others)) {
                left = thread == gone ? left : with(thread, left);
                rest = others;
            }
            return rest instanceof Thread thread && thread != gone ? with(thread, left) : left;
        }

        private static Object with(Thread thread, Object waiting) {
            return waiting == NOBODY ? thread : new Waiting(thread, waiting);
        }
    }
}
