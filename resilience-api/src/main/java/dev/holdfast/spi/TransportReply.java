package dev.holdfast.spi;

import dev.holdfast.Headers;
import java.io.InputStream;

/**
 * Status, headers and the body as it arrives. One thread reads; any may close.
 *
 * <p>Reads of the body throw {@link TransportException}; a read whose thread is interrupted throws
 * {@link java.io.InterruptedIOException} with the interrupt flag set again. Reading may end without an error although the server cut the
 * answer: whoever reads looks for the end that the content promises.
 */
public interface TransportReply extends AutoCloseable {
    /** {@return the HTTP status} */
    int status();

    /** {@return the header fields} */
    Headers headers();

    /** {@return the body, its content coding already undone} */
    InputStream body();

    /** Ends the exchange: aborts it if the body was not read to its end. Does nothing the second time. */
    @Override
    void close();
}
