package dev.holdfast.comparisons;

/** A client, ready to ask one question: it gives back the words of the answer, so that nobody saves the reading. */
interface Caller extends AutoCloseable {
    /** {@return the answer's text} */
    String ask() throws Exception;

    @Override
    default void close() {}
}
