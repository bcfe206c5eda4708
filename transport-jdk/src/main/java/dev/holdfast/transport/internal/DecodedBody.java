package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A body whose coding is undone when it is first read, and not before: a broken coding must not hide the status. At its end the
 * bytes behind it are read as well, so that the connection can be used again.
 */
final class DecodedBody extends FilterInputStream {
    private final InputStream raw;
    private final String coding;
    private @Nullable InputStream decoded;

    private DecodedBody(InputStream raw, String coding) {
        super(raw);
        this.raw = raw;
        this.coding = coding;
    }

    /** The codings that the fields of a head name, in one word; empty where the body is as it is. */
    static String coding(List<String> fields) {
        return fields.stream()
                .flatMap(field -> Arrays.stream(field.split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> !name.isEmpty() && !name.equals("identity"))
                .collect(Collectors.joining(","));
    }

    /** The body whose coding is undone. */
    static InputStream of(InputStream raw, String coding) {
        return new DecodedBody(raw, coding);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        try {
            int count = decoded().read(target, offset, length);
            if (count < 0) {
                finish();
            }
            return count;
        } catch (ZipException | EOFException e) {
            raw.close();
            throw new TransportException(
                    Fault.CUT, Delivery.AMBIGUOUS, "the body is not whole in its content coding", e);
        }
    }

    /** Frees the decoder here, on the reader's thread: freed by another one it would fail under the reader. */
    private void finish() throws IOException {
        raw.skip(Long.MAX_VALUE);
        decoded().close();
        decoded = InputStream.nullInputStream();
    }

    @Override
    public int available() {
        return 0;
    }

    private InputStream decoded() throws IOException {
        InputStream stream = decoded;
        if (stream == null) {
            stream = open();
            decoded = stream;
        }
        return stream;
    }

    /**
     * Says whether anything follows by waiting for it. The decoder of the JDK takes a part of a body for the last one if the next has not
     * arrived yet (RFC 1952, section 2.2, allows several).
     */
    private static final class AheadStream extends PushbackInputStream {
        AheadStream(InputStream raw) {
            super(raw, 1);
        }

        @Override
        public int available() throws IOException {
            int next = read();
            if (next < 0) {
                return 0;
            }
            unread(next);
            return Math.max(1, super.available());
        }
    }

    /** The JDK's decoder goes one call deeper for each part that is empty; here it comes back for each. */
    private static final class Parts extends GZIPInputStream {
        private static final int BUFFER = 8192;
        private boolean within;

        Parts(InputStream in) throws IOException {
            super(in, BUFFER);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (within || length == 0) {
                return 0;
            }
            within = true;
            try {
                int count = 0;
                while (count == 0) {
                    count = super.read(target, offset, length);
                }
                return count;
            } finally {
                within = false;
            }
        }
    }

    /** An empty body is empty in every coding: servers name one there too. */
    private InputStream open() throws IOException {
        var ahead = new AheadStream(raw);
        int first = ahead.read();
        if (first < 0) {
            return InputStream.nullInputStream();
        }
        ahead.unread(first);
        return switch (coding) {
            case "gzip", "x-gzip" -> new Parts(ahead);
            default ->
                throw new TransportException(
                        Fault.PROTOCOL,
                        Delivery.AMBIGUOUS,
                        "the body has a content coding that was not asked for",
                        null);
        };
    }
}
