package dev.holdfast.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class UnbrokenStreamTest {
    @Test
    void whatCameBeforeTheBreakIsKeptAndTheBreakTold() throws IOException {
        var broken = new IOException("reset");
        for (int expected : new int[] {1, 5, 6, 100}) {
            var stream = new UnbrokenStream(breaking(Bytes.utf8("hello"), broken));
            assertThat(Bytes.readFrom(stream, expected).toUtf8()).isEqualTo("hello");
            assertThat(stream.read()).isEqualTo(-1);
            assertThat(stream.read(new byte[1], 0, 1)).isEqualTo(-1);
            assertThatThrownBy(stream::throwIfBroken).isSameAs(broken);
        }
    }

    @Test
    void aStreamThatEndsIsNotBroken() throws IOException {
        var stream = new UnbrokenStream(new ByteArrayInputStream(new byte[3]));
        assertThat(Bytes.readFrom(stream, 3).size()).isEqualTo(3);
        assertThat(stream.throwIfBroken()).isTrue();
    }

    private static InputStream breaking(Bytes content, IOException broken) {
        InputStream before = content.openStream();
        return new InputStream() {
            @Override
            public int read() throws IOException {
                int next = before.read();
                if (next < 0) {
                    throw broken;
                }
                return next;
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                int count = before.read(to, offset, length);
                if (count < 0) {
                    throw broken;
                }
                return count;
            }
        };
    }
}
