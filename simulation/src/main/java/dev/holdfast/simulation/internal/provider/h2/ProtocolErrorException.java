package dev.holdfast.simulation.internal.provider.h2;

/** The client does not keep to HTTP/2; the code says how. */
final class ProtocolErrorException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    ProtocolErrorException(int code) {
        super("HTTP/2 error " + code);
        this.code = code;
    }

    int code() {
        return code;
    }
}
