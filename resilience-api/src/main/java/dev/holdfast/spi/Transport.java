package dev.holdfast.spi;

/**
 * Bytes in; status, headers and a body stream out. It knows nothing of models, retries or keys' meaning.
 *
 * <p><b>Threads.</b> {@link #send} blocks the calling thread, usually a virtual one, until status and headers are there.
 * Many calls run at once. It is called once for each attempt.
 *
 * <p><b>Once only.</b> It must not repeat a request by itself that may have been processed. One that the server says it did not
 * process (of HTTP/2 a refused stream or one behind a GOAWAY: RFC 9113, section 8.7) may be sent again within the timeouts, and is
 * the same attempt. A {@code GET} or {@code HEAD}, which changes nothing, may be repeated.
 *
 * <p><b>Timeouts.</b> All of {@link TransportCall#timeouts()} are the transport's to keep, the reading of the body
 * included; name resolution counts.
 *
 * <p><b>Cancelling.</b> Interrupting the thread in {@code send} or in a read of the body, and closing the reply from any
 * thread, each abort the exchange: HTTP/1.1 closes the connection, HTTP/2 resets the stream.
 *
 * <p><b>Errors.</b> Every failure is a {@link TransportException} that says how far the request got. A status such as 503
 * is no failure of the transport.
 *
 * <p>Found by {@link java.util.ServiceLoader} where the builder names none: a public class with a public constructor
 * without parameters.
 */
public interface Transport extends AutoCloseable {
    /**
     * Sends a request and waits for status and headers.
     *
     * @param call the request
     * @return the reply; whoever receives it closes it
     * @throws TransportException if no reply came
     * @throws InterruptedException if the thread was interrupted; the flag is cleared
     */
    TransportReply send(TransportCall call) throws TransportException, InterruptedException;

    /** Ends every exchange and frees what is held. Does not hang on an open stream. */
    @Override
    default void close() {}
}
