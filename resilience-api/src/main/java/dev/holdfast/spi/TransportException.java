package dev.holdfast.spi;

import dev.holdfast.Delivery;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An exchange that brought no whole reply, and how far it got. Its message holds no header and no body. */
public final class TransportException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What happened. */
    private final Fault fault;

    /** How far the request got. */
    private final Delivery delivery;

    /** What happened to an exchange. */
    public enum Fault {
        /** The host's name could not be resolved. */
        DNS,
        /** No connection could be made. */
        CONNECT,
        /** The TLS handshake failed. */
        TLS,
        /** A proxy wants authentication. */
        PROXY_AUTH,
        /** A timeout of the call passed. */
        TIMEOUT,
        /** The connection was lost. */
        RESET,
        /** The body ended before its end. */
        CUT,
        /** The server does not speak HTTP as agreed. */
        PROTOCOL,
        /** The answer is larger than it may be. */
        TOO_LARGE,
        /** The server points somewhere that is not followed. */
        REDIRECT_REFUSED,
        /** A limit of the transport's own: connections or streams. */
        POOL,
        /** The transport was closed. */
        CLOSED
    }

    /**
     * Creates the exception.
     *
     * @param fault what happened
     * @param delivery how far the request got
     * @param message words for people, without header values
     * @param cause the underlying error; null where there is none
     */
    public TransportException(Fault fault, Delivery delivery, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.fault = fault;
        this.delivery = delivery;
    }

    /** {@return what happened} */
    public Fault fault() {
        return fault;
    }

    /** {@return how far the request got} */
    public Delivery delivery() {
        return delivery;
    }
}
