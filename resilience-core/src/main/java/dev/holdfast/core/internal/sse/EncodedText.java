package dev.holdfast.core.internal.sse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text of bytes as the WHATWG Encoding Standard decodes UTF-8. The JDK differs in one thing: an encoded surrogate is one
 * replacement character to it, and to the standard one for each of its bytes.
 */
final class EncodedText {
    private static final char REPLACEMENT = '\uFFFD';
    /** Never part of UTF-8, so that it becomes a replacement wherever it stands. */
    private static final byte NEVER = (byte) 0xFF;

    private EncodedText() {}

    static String decode(byte[] bytes, int from, int to) {
        if (from == to) {
            return "";
        }
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        return text.indexOf(REPLACEMENT) < 0 ? text : decodeSurrogates(bytes, from, to);
    }

    /** The first byte of a surrogate stands for itself once it cannot begin anything. */
    private static String decodeSurrogates(byte[] bytes, int from, int to) {
        byte[] copy = Arrays.copyOfRange(bytes, from, to);
        for (int i = 0; i < copy.length - 1; i++) {
            if (copy[i] == (byte) 0xED && copy[i + 1] >= (byte) 0xA0 && copy[i + 1] <= (byte) 0xBF) {
                copy[i] = NEVER;
            }
        }
        return new String(copy, StandardCharsets.UTF_8);
    }
}
