package dev.holdfast.simulation.internal.provider.h2;

import dev.holdfast.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Writes frames whole, whoever else is writing. */
final class FrameOutput {
    private static final int SETTINGS_MAX_CONCURRENT_STREAMS = 3;
    private static final int LARGEST = 1 << 14;

    private final ReentrantLock lock = new ReentrantLock();
    private final OutputStream out;

    FrameOutput(OutputStream out) {
        this.out = out;
    }

    void settings(int maxStreams) throws IOException {
        write(
                Frame.SETTINGS,
                0,
                0,
                ByteBuffer.allocate(6)
                        .putShort((short) SETTINGS_MAX_CONCURRENT_STREAMS)
                        .putInt(maxStreams)
                        .array());
    }

    void acknowledgeSettings() throws IOException {
        write(Frame.SETTINGS, Frame.ACK, 0, new byte[0]);
    }

    void acknowledgePing(byte[] payload) throws IOException {
        write(Frame.PING, Frame.ACK, 0, payload);
    }

    void windowUpdate(int stream, int bytes) throws IOException {
        write(Frame.WINDOW_UPDATE, 0, stream, ints(bytes));
    }

    void reset(int stream, int code) throws IOException {
        write(Frame.RST_STREAM, 0, stream, ints(code));
    }

    void goAway(int lastStream, int code) throws IOException {
        write(Frame.GOAWAY, 0, 0, ints(lastStream, code));
    }

    void data(int stream, byte[] content, boolean last) throws IOException {
        write(Frame.DATA, last ? Frame.END_STREAM : 0, stream, content);
    }

    /** A head of any size, in as many frames as it takes, with nothing between them. */
    void head(int stream, int status, Headers fields, boolean last) throws IOException {
        byte[] block = block(status, fields);
        lock.lock();
        try {
            for (int from = 0, type = Frame.HEADERS; from < block.length; from += LARGEST, type = Frame.CONTINUATION) {
                int size = Math.min(LARGEST, block.length - from);
                int flags = (from + size == block.length ? Frame.END_HEADERS : 0)
                        | (type == Frame.HEADERS && last ? Frame.END_STREAM : 0);
                put(type, flags, stream, ByteBuffer.wrap(block, from, size));
            }
            out.flush();
        } finally {
            lock.unlock();
        }
    }

    private static byte[] block(int status, Headers fields) {
        var block = new ByteArrayOutputStream();
        HeaderEncoder.status(block, status);
        for (Map.Entry<String, String> field : fields.fields()) {
            HeaderEncoder.field(block, field.getKey(), field.getValue());
        }
        return block.toByteArray();
    }

    /** Bytes that need not be frames. */
    void raw(byte[] bytes) throws IOException {
        lock.lock();
        try {
            out.write(bytes);
            out.flush();
        } finally {
            lock.unlock();
        }
    }

    private void write(int type, int flags, int stream, byte[] payload) throws IOException {
        lock.lock();
        try {
            put(type, flags, stream, ByteBuffer.wrap(payload));
            out.flush();
        } finally {
            lock.unlock();
        }
    }

    private void put(int type, int flags, int stream, ByteBuffer payload) throws IOException {
        int size = payload.remaining();
        ByteBuffer frame = ByteBuffer.allocate(9 + size)
                .putInt(size << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload);
        out.write(frame.array());
    }

    private static byte[] ints(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }
}
