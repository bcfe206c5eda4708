package dev.holdfast.simulation.internal.provider.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FrameInputTest {
    private static FrameInput input(byte[] bytes) {
        return new FrameInput(new ByteArrayInputStream(bytes));
    }

    private static FrameInput input(String hex) {
        return input(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void readsFramesUpToTheEnd() throws Exception {
        FrameInput in = input("000003 00 09 80000005 01 61 00" + "000000 04 01 00000000");
        Frame data = in.read().orElseThrow();
        assertThat(data.stream()).isEqualTo(5);
        assertThat(data.has(Frame.END_STREAM)).isTrue();
        assertThat(new String(data.content(), java.nio.charset.StandardCharsets.US_ASCII))
                .isEqualTo("a");
        assertThat(in.read().orElseThrow().type()).isEqualTo(Frame.SETTINGS);
        assertThat(in.read()).isEmpty();
    }

    @Test
    void refusesAFrameThatIsLargerThanWasAllowedWithoutReadingIt() {
        assertThatThrownBy(() -> input("ffffff 00 00 00000001").read()).isInstanceOf(ProtocolErrorException.class);
    }

    @Test
    void refusesPaddingThatIsLongerThanTheFrame() throws Exception {
        Frame padded = input("000002 00 08 00000001 05 61").read().orElseThrow();
        assertThatThrownBy(padded::content).isInstanceOf(ProtocolErrorException.class);
        Frame hollow = input("000000 00 08 00000001").read().orElseThrow();
        assertThatThrownBy(hollow::content).isInstanceOf(ProtocolErrorException.class);
    }

    @Test
    void tellsACutFrameFromTheEnd() {
        assertThatThrownBy(() -> input("000003 00 00 00000001 61").read()).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> input("0000").read()).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> input("").readPreface()).isInstanceOf(ProtocolErrorException.class);
    }

    @Property
    void anyBytesComeToAnEnd(@ForAll byte[] bytes) {
        FrameInput in = input(bytes);
        try {
            int read = 0;
            for (Optional<Frame> frame = in.read(); frame.isPresent(); frame = in.read()) {
                read += 9 + frame.get().content().length;
                assertThat(read).isLessThanOrEqualTo(bytes.length);
            }
        } catch (ProtocolErrorException | EOFException e) {
            return; // that is an end too
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
