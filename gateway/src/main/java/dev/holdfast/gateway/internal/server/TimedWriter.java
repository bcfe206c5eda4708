package dev.holdfast.gateway.internal.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;

/** A writer that tells its {@link Peer} how long each write takes. */
final class TimedWriter implements DataWriter {
    private final DataWriter own;
    private final Peer peer;

    TimedWriter(DataWriter own, Peer peer) {
        this.own = own;
        this.peer = peer;
    }

    @Override
    public void write(BufferData... buffers) {
        peer.write(() -> own.write(buffers));
    }

    @Override
    public void write(BufferData buffer) {
        peer.write(() -> own.write(buffer));
    }

    @Override
    public void writeNow(BufferData... buffers) {
        peer.write(() -> own.writeNow(buffers));
    }

    @Override
    public void writeNow(BufferData buffer) {
        peer.write(() -> own.writeNow(buffer));
    }

    @Override
    public void flush() {
        peer.write(own::flush);
    }

    @Override
    public void close() {
        own.close();
    }
}
