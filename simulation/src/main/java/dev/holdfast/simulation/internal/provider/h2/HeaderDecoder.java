package dev.holdfast.simulation.internal.provider.h2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads header blocks (RFC 7541), one after the other: each may refer to those before it. */
final class HeaderDecoder {
    private final HeaderTable table = new HeaderTable();

    List<Map.Entry<String, String>> decode(byte[] block) throws ProtocolErrorException {
        var fields = new ArrayList<Map.Entry<String, String>>();
        ByteBuffer in = ByteBuffer.wrap(block);
        while (in.hasRemaining()) {
            int first = in.get() & 0xff;
            if (first >= 0x80) {
                fields.add(table.get(integer(in, first, 7)));
            } else if (first >= 0x40) {
                Map.Entry<String, String> field = literal(in, integer(in, first, 6));
                table.add(field);
                fields.add(field);
            } else if (first >= 0x20) {
                table.resize(integer(in, first, 5));
            } else {
                fields.add(literal(in, integer(in, first, 4)));
            }
        }
        return fields;
    }

    private Map.Entry<String, String> literal(ByteBuffer in, int nameIndex) throws ProtocolErrorException {
        String name = nameIndex == 0 ? string(in) : table.get(nameIndex).getKey();
        return HeaderTable.entry(name, string(in));
    }

    private static String string(ByteBuffer in) throws ProtocolErrorException {
        int first = next(in);
        int length = integer(in, first, 7);
        if (length > in.remaining()) {
            throw new ProtocolErrorException(Frame.COMPRESSION_ERROR);
        }
        var bytes = new byte[length];
        in.get(bytes);
        return new String(first >= 0x80 ? HuffmanCode.decode(bytes) : bytes, StandardCharsets.ISO_8859_1);
    }

    /** Section 5.1: as much as fits into the prefix, and the rest seven bits at a time. */
    private static int integer(ByteBuffer in, int first, int prefix) throws ProtocolErrorException {
        int full = (1 << prefix) - 1;
        long value = first & full;
        if (value < full) {
            return (int) value;
        }
        for (int shift = 0; ; shift += 7) {
            int next = next(in);
            value += (long) (next & 0x7f) << shift;
            if (shift > 21 || value > Integer.MAX_VALUE) {
                throw new ProtocolErrorException(Frame.COMPRESSION_ERROR);
            }
            if (next < 0x80) {
                return (int) value;
            }
        }
    }

    private static int next(ByteBuffer in) throws ProtocolErrorException {
        if (!in.hasRemaining()) {
            throw new ProtocolErrorException(Frame.COMPRESSION_ERROR);
        }
        return in.get() & 0xff;
    }
}
