package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BytesTest {
    @Property
    void aStreamIsReadToItsEndWhateverWasExpected(
            @ForAll byte[] content, @ForAll @IntRange(max = 300) int expected, @ForAll @IntRange(min = 1) int atOnce)
            throws IOException {
        assertThat(Bytes.readFrom(inPieces(content, atOnce), expected).toByteArray())
                .isEqualTo(content);
    }

    @Test
    void anExpectationThatIsALieCostsNoMemoryAndNoBytes() throws IOException {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);
        for (long expected : new long[] {Long.MIN_VALUE, -1, 0, 1, 299_999, 300_000, 300_001, Long.MAX_VALUE}) {
            assertThat(Bytes.readFrom(inPieces(content, 7_777), expected))
                    .as("%d", expected)
                    .isEqualTo(Bytes.of(content));
        }
    }

    @Test
    void aStreamThatBreaksThrowsWhatItThrew() {
        var broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("broken");
            }
        };
        assertThatIOException().isThrownBy(() -> Bytes.readFrom(broken, 8)).withMessage("broken");
    }

    private static InputStream inPieces(byte[] content, int atOnce) {
        return new ByteArrayInputStream(content) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                return super.read(to, offset, Math.min(length, atOnce));
            }
        };
    }
}
