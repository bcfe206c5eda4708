package dev.holdfast.simulation.internal.provider.h2;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes headers in the plainest of HPACK's forms: literal, without indexing, without Huffman's code (RFC 7541, section 6.2.2). */
final class HeaderEncoder {
    private static final int STATUS_IN_STATIC_TABLE = 8;

    private HeaderEncoder() {}

    static void status(ByteArrayOutputStream block, int status) {
        block.write(STATUS_IN_STATIC_TABLE);
        string(block, Integer.toString(status));
    }

    static void field(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        string(block, name.toLowerCase(Locale.ROOT));
        string(block, value);
    }

    private static void string(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        integer(block, bytes.length);
        block.writeBytes(bytes);
    }

    /** With a prefix of seven bits (RFC 7541, section 5.1). */
    private static void integer(ByteArrayOutputStream block, int value) {
        if (value < 0x7f) {
            block.write(value);
            return;
        }
        block.write(0x7f);
        int rest = value - 0x7f;
        while (rest >= 0x80) {
            block.write((rest & 0x7f) | 0x80);
            rest >>= 7;
        }
        block.write(rest);
    }
}
