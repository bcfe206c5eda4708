package dev.holdfast.spi;

/**
 * Carries what a thread holds (logging context, a trace) to the threads that Holdfast starts for it.
 *
 * <p>{@link #capture()} is called on the caller's thread, before a thread is started; the result is restored on that thread.
 */
@FunctionalInterface
public interface ContextCarrier {
    /** {@return what the calling thread holds now} */
    Captured capture();

    /** What was captured. */
    @FunctionalInterface
    interface Captured {
        /** {@return puts the context in place on this thread; closing it takes it away again} */
        Restored restore();
    }

    /** A context in place. */
    @FunctionalInterface
    interface Restored extends AutoCloseable {
        /** Takes the context away again, on the thread it was put on. */
        @Override
        void close();
    }
}
