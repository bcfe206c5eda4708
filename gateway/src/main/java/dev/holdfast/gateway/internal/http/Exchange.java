package dev.holdfast.gateway.internal.http;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import java.io.OutputStream;

/** One request of a client and the way to answer it, once. Used by the thread that was given it. */
public interface Exchange {
    /** {@return the method: {@code "POST"}} */
    String method();

    /** {@return the path as it was sent, without the query} */
    String path();

    /** {@return the query as it was sent, without the question mark; empty if there is none} */
    String query();

    /** {@return the header fields} */
    Headers headers();

    /**
     * {@return the whole body}
     *
     * @param most how many bytes it may have
     * @throws BodyRefusedException if it has more, or is not whole
     */
    Bytes body(long most) throws BodyRefusedException;

    /**
     * Calls something off if the client hangs up while it is done: the thread that does it is interrupted.
     *
     * @param <T> what it brings
     * @param work what is done
     * @return what it brought
     */
    <T> T whileConnected(Work<T> work);

    /** {@return whether the client has hung up} */
    boolean isAbandoned();

    /**
     * Answers with a whole body.
     *
     * @param answer the answer
     */
    void answer(HttpAnswer answer);

    /**
     * Begins an answer whose length is not known. It is whole once what takes it is closed.
     *
     * @param status the status
     * @param headers the header fields, but those of the connection and the length
     * @return takes the body
     */
    OutputStream begin(int status, Headers headers);

    /** Ends the connection, so that an answer which has begun is not taken for a whole one. */
    void cutOff();

    /**
     * Begins an answer of server-sent events, of status 200.
     *
     * @param headers header fields beside those that every such answer has
     * @return takes the events
     */
    EventOutput events(Headers headers);

    /**
     * Something that is done for a request.
     *
     * @param <T> what it brings
     */
    @FunctionalInterface
    interface Work<T> {
        /** {@return what it brings} */
        T run();
    }
}
