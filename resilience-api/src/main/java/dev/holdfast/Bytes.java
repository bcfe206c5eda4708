package dev.holdfast;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Immutable bytes: the body of a request or of an answer. {@code toString} gives the size only. */
public final class Bytes {
    private static final Bytes EMPTY = new Bytes(new byte[0]);

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
