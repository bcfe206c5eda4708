package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Locale;
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

    /** The body as it is where no coding is named. */
    static InputStream of(InputStream raw, String coding) {
        String name = coding.strip().toLowerCase(Locale.ROOT);
        return isIdentity(name) ? raw : new DecodedBody(raw, name);
    }

    static boolean isIdentity(String coding) {
        return coding.isEmpty() || coding.equalsIgnoreCase("identity");
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

    /** An empty body is empty in every coding: servers name one there too. */
    private InputStream open() throws IOException {
        var ahead = new PushbackInputStream(raw, 1);
        int first = ahead.read();
        if (first < 0) {
            return InputStream.nullInputStream();
        }
        ahead.unread(first);
        return switch (coding) {
            case "gzip", "x-gzip" -> new GZIPInputStream(ahead, 8192);
            default ->
                throw new TransportException(
                        Fault.PROTOCOL,
                        Delivery.AMBIGUOUS,
                        "the body has a content coding that was not asked for",
                        null);
        };
    }
}
