package dev.holdfast.gateway.internal.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;

/**
 * Reads what a {@link Peer} sends. The server asks for a chunk of a body as a whole, of whatever size the client announced for it: one
 * that is too large is refused before there is memory for it.
 */
final class PeerReader extends DataReader {
    private final Peer peer;

    @SuppressWarnings("removal") // its factory method makes none that can be asked for less
    PeerReader(Peer peer) {
        super(peer::read);
        this.peer = peer;
    }

    @Override
    public BufferData readBuffer(int length) {
        if (length < 0 || length > peer.largestPiece()) {
            throw new TooLargeException();
        }
        return super.readBuffer(length);
    }

    /** A chunk larger than the body may be. */
    static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
