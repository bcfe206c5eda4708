package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that may not be larger than so many bytes, counted as the reader sees them. */
final class LimitedBody extends FilterInputStream {
    private final long max;
    private long count;

    LimitedBody(InputStream in, long max) {
        super(in);
        this.max = max;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int read = super.read(target, offset, length);
        count += Math.max(0, read);
        if (count > max) {
            close();
            throw new TransportException(
                    Fault.TOO_LARGE, Delivery.ANSWERED, "the body is larger than " + max + " bytes", null);
        }
        return read;
    }

    @Override
    public long skip(long n) throws IOException {
        long left = n;
        var scratch = new byte[8192];
        while (left > 0) {
            int read = read(scratch, 0, (int) Math.min(scratch.length, left));
            if (read < 0) {
                break;
            }
            left -= read;
        }
        return n - left;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
