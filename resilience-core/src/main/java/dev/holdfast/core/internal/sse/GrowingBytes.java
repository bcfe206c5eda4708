package dev.holdfast.core.internal.sse;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import java.util.Arrays;

/** Bytes that grow up to a limit and are used again. */
final class GrowingBytes {
    private static final int KEPT = 64 * 1024;

    private final String name;
    private final int most;
    private byte[] bytes = new byte[256];
    private int length;

    /** Bytes of what is called so, and never more than that many. */
    GrowingBytes(String name, int most) {
        this.name = name;
        this.most = most;
    }

    void add(byte[] source, int from, int to) throws TransportException {
        int added = to - from;
        if (added > most - length) {
            throw tooLarge(name, most);
        }
        if (added > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(most, Math.max(2L * bytes.length, (long) length + added)));
        }
        System.arraycopy(source, from, bytes, length, added);
        length += added;
    }

    static TransportException tooLarge(String name, int most) {
        return new TransportException(
                TransportException.Fault.TOO_LARGE,
                Delivery.ANSWERED,
                name + " of the event stream is longer than " + most + " bytes",
                null);
    }

    /** Forgets what it holds, and the room it took where that was exceptional. */
    void clear() {
        length = 0;
        if (bytes.length > KEPT) {
            bytes = new byte[256];
        }
    }

    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }

    String toUtf8() {
        return EncodedText.decode(bytes, 0, length);
    }
}
