package dev.holdfast.simulation.internal.transport;

import dev.holdfast.Delivery;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;

/** The body of a reply, piece by piece with its pauses, up to its good or bad end. */
final class PlayedBody extends InputStream {
    private final Exchange exchange;
    private final Reply reply;
    private final Iterator<Chunk> pieces;
    private ByteBuffer piece = ByteBuffer.allocate(0);

    PlayedBody(Exchange exchange, Reply reply) {
        this.exchange = exchange;
        this.reply = reply;
        this.pieces = reply.played().iterator();
    }

    @Override
    public int read() throws IOException {
        return fill() ? piece.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, piece.remaining());
        piece.get(target, offset, count);
        return count;
    }

    /** Most bodies are one short piece: no need of the large buffer that the default takes. */
    @Override
    public byte[] readNBytes(int most) throws IOException {
        var out = new ByteArrayOutputStream(Math.min(most, fill() ? piece.remaining() : 0));
        while (out.size() < most && fill()) {
            byte[] part = new byte[Math.min(most - out.size(), piece.remaining())];
            piece.get(part);
            out.write(part, 0, part.length);
        }
        return out.toByteArray();
    }

    @Override
    public byte[] readAllBytes() throws IOException {
        return readNBytes(Integer.MAX_VALUE);
    }

    @Override
    public int available() {
        return piece.remaining();
    }

    @Override
    public void close() {
        exchange.close();
    }

    /** Sees to it that there is a byte, or says that the body has ended. */
    private boolean fill() throws IOException {
        while (!piece.hasRemaining()) {
            if (!pieces.hasNext()) {
                return end();
            }
            Chunk next = pieces.next();
            exchange.pauseInBody(Exchange.nanos(next.pause()));
            piece = next.bytes().asByteBuffer();
        }
        return true;
    }

    /** A body that lasts until the connection ends has no end that a cut could miss. */
    private boolean end() throws IOException {
        boolean told = reply.framing() != Framing.UNTIL_CLOSE;
        return switch (reply.ending().kind()) {
            case COMPLETE, GO_AWAY -> false;
            case REFUSED -> lost(Fault.RESET, "the request was not taken");
            case CUT -> told && lost(Fault.CUT, "the body ended before its end");
            case RESET -> lost(Fault.RESET, "the connection was reset");
            case HANG -> silence();
        };
    }

    private boolean silence() throws IOException {
        exchange.pauseInBody(Long.MAX_VALUE);
        return false;
    }

    private boolean lost(Fault fault, String message) throws IOException {
        exchange.close();
        throw new TransportException(fault, Delivery.AMBIGUOUS, message, null);
    }
}
