package dev.holdfast.core.internal.call;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A stream that ends where another breaks, and tells how: what came before is kept. */
final class UnbrokenStream extends InputStream {
    private final InputStream stream;
    private @Nullable IOException broken;

    UnbrokenStream(InputStream stream) {
        this.stream = stream;
    }

    /** Throws what the other threw; says true if it came to its end. */
    boolean throwIfBroken() throws IOException {
        IOException thrown = broken;
        if (thrown != null) {
            throw thrown;
        }
        return true;
    }

    @Override
    public int read() {
        if (broken != null) {
            return -1;
        }
        try {
            return stream.read();
        } catch (IOException e) {
            broken = e;
            return -1;
        }
    }

    @Override
    public int read(byte[] to, int offset, int length) {
        if (broken != null) {
            return -1;
        }
        try {
            return stream.read(to, offset, length);
        } catch (IOException e) {
            broken = e;
            return -1;
        }
    }
}
