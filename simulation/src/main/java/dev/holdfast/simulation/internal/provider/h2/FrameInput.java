package dev.holdfast.simulation.internal.provider.h2;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Reads frames, after the words that a client begins with (RFC 9113, section 3.4). */
final class FrameInput {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST = 1 << 14;

    private final DataInputStream in;

    FrameInput(InputStream in) {
        this.in = new DataInputStream(in);
    }

    void readPreface() throws IOException, ProtocolErrorException {
        if (!Arrays.equals(in.readNBytes(PREFACE.length), PREFACE)) {
            throw new ProtocolErrorException(Frame.PROTOCOL_ERROR);
        }
    }

    /** The next frame; empty if the client has closed. */
    Optional<Frame> read() throws IOException, ProtocolErrorException {
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        int length = first << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt() & Integer.MAX_VALUE;
        if (length > LARGEST) {
            throw new ProtocolErrorException(Frame.FRAME_SIZE_ERROR);
        }
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new EOFException("the client went away");
        }
        return Optional.of(new Frame(type, flags, stream, payload));
    }
}
