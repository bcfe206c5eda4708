package dev.holdfast;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Immutable bytes: the body of a request or of an answer. {@code toString} gives the size only. */
public final class Bytes {
    private static final Bytes EMPTY = new Bytes(new byte[0]);
    private static final int LEAST_READ = 1;
    /** Nothing that is not there yet is given more room than this. */
    private static final int MOST_EXPECTED = 64 * 1024;

    private static final int LONGEST = Integer.MAX_VALUE - 8;

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** {@return no bytes at all} */
    public static Bytes empty() {
        return EMPTY;
    }

    /**
     * {@return these bytes}
     *
     * @param content the bytes; copied
     */
    public static Bytes of(byte[] content) {
        return new Bytes(content.clone());
    }

    /**
     * {@return the text in UTF-8}
     *
     * @param text the characters
     */
    public static Bytes utf8(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * {@return what is left of a stream}
     *
     * @param stream read to its end, not closed
     * @param expected about how many bytes it has; a good guess saves copies, a bad one costs no more than some
     * @throws IOException if the stream throws it
     */
    public static Bytes readFrom(InputStream stream, long expected) throws IOException {
        byte[] read = new byte[Math.clamp(expected, LEAST_READ, MOST_EXPECTED)];
        int size = 0;
        while (true) {
            int count = stream.read(read, size, read.length - size);
            if (count < 0) {
                return size == read.length ? new Bytes(read) : new Bytes(Arrays.copyOf(read, size));
            }
            size += count;
            if (size == read.length) {
                int next = stream.read();
                if (next < 0) {
                    return new Bytes(read);
                }
                read = Arrays.copyOf(read, longer(size));
                read[size++] = (byte) next;
            }
        }
    }

    private static int longer(int length) {
        if (length == LONGEST) {
            throw new OutOfMemoryError("more than " + LONGEST + " bytes");
        }
        return (int) Math.min(LONGEST, 2L * length);
    }

    /** {@return how many bytes there are} */
    public int size() {
        return content.length;
    }

    /** {@return a copy of the bytes} */
    public byte[] toByteArray() {
        return content.clone();
    }

    /** {@return a read-only view of the bytes} */
    public ByteBuffer asByteBuffer() {
        return ByteBuffer.wrap(content).asReadOnlyBuffer();
    }

    /** {@return a stream over the bytes, without a copy} */
    public InputStream openStream() {
        return new ByteArrayInputStream(content);
    }

    /** {@return the bytes read as UTF-8; what is malformed becomes U+FFFD} */
    public String toUtf8() {
        return new String(content, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return "Bytes[" + content.length + "]";
    }
}
