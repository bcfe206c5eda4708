package dev.holdfast.simulation.internal.provider.h2;

import java.util.Arrays;

/**
 * A frame of HTTP/2 (RFC 9113, section 4.1).
 *
 * @param type what it is
 * @param flags what is special about it
 * @param stream the stream it belongs to; 0 for the connection
 * @param payload its content
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares frames
record Frame(int type, int flags, int stream, byte[] payload) {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 0x1;
    static final int ACK = 0x1;
    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int PRIORITY = 0x20;

    static final int NO_ERROR = 0;
    static final int PROTOCOL_ERROR = 1;
    static final int INTERNAL_ERROR = 2;
    static final int FLOW_CONTROL_ERROR = 3;
    static final int FRAME_SIZE_ERROR = 6;
    static final int REFUSED_STREAM = 7;
    static final int COMPRESSION_ERROR = 9;

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    int intAt(int offset) throws ProtocolErrorException {
        if (offset + 4 > payload.length) {
            throw new ProtocolErrorException(FRAME_SIZE_ERROR);
        }
        return ((payload[offset] & 0xff) << 24)
                | ((payload[offset + 1] & 0xff) << 16)
                | ((payload[offset + 2] & 0xff) << 8)
                | (payload[offset + 3] & 0xff);
    }

    /** What is carried, without padding and without a priority. */
    byte[] content() throws ProtocolErrorException {
        int from = (has(PADDED) ? 1 : 0) + (type == HEADERS && has(PRIORITY) ? 5 : 0);
        int padding = has(PADDED) && payload.length > 0 ? payload[0] & 0xff : 0;
        if (from + padding > payload.length) {
            throw new ProtocolErrorException(PROTOCOL_ERROR);
        }
        return Arrays.copyOfRange(payload, from, payload.length - padding);
    }
}
