package dev.holdfast.transport.internal;

/** The two lines before one origin: for connections of HTTP/1.1 and for streams of HTTP/2. */
record Host(Gate connections, Gate streams) {
    Host(int maxConnections, int maxStreams) {
        this(Gate.ofConnections(maxConnections), Gate.ofStreams(maxStreams));
    }

    Gate gate(boolean multiplexed) {
        return multiplexed ? streams : connections;
    }

    /** Whether nobody uses it, and from now on nobody can. */
    boolean retire() {
        boolean noConnection = connections.closeIfIdle();
        boolean noStream = streams.closeIfIdle();
        return noConnection && noStream;
    }
}
