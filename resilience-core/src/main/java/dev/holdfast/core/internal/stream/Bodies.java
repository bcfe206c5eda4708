package dev.holdfast.core.internal.stream;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Reads bodies, and tells an interrupt from a failure. */
public final class Bodies {
    private Bodies() {}

    /**
     * A read of a body.
     *
     * @param <T> what it reads
     */
    @FunctionalInterface
    public interface Reading<T> {
        /** Reads. */
        T read() throws IOException;
    }

    /**
     * Does a read.
     *
     * @param <T> what it reads
     * @param reading the read
     * @throws TransportException if it failed
     * @throws InterruptedException if the thread was interrupted; the flag is cleared
     */
    public static <T> T read(Reading<T> reading) throws TransportException, InterruptedException {
        try {
            return reading.read();
        } catch (TransportException e) {
            throw e;
        } catch (InterruptedIOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException(e.getMessage());
            }
            throw new TransportException(
                    TransportException.Fault.TIMEOUT, Delivery.AMBIGUOUS, "reading the body took too long", e);
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Fault.RESET, Delivery.AMBIGUOUS, "the body could not be read", e);
        }
    }
}
