package dev.holdfast.simulation.internal.transport;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Undoes gzip; reads nothing before it is read itself. */
final class GunzippedBody extends InputStream {
    private final InputStream compressed;
    private @Nullable InputStream plain;

    GunzippedBody(InputStream compressed) {
        this.compressed = compressed;
    }

    @Override
    public int read() throws IOException {
        return plain().read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return plain().read(target, offset, length);
    }

    @Override
    public void close() throws IOException {
        compressed.close();
    }

    private InputStream plain() throws IOException {
        InputStream mine = plain;
        if (mine == null) {
            mine = new GZIPInputStream(compressed);
            plain = mine;
        }
        return mine;
    }
}
