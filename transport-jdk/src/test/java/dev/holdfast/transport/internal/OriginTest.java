package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "8.8.8.8", "255.255.255.255", "0.0.0.0", "[::1]", "[2001:db8::1]"})
    void knowsAnAddress(String host) {
        assertThat(Origin.of(URI.create("http://" + host + ":80/v1")).isAddress())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "a.b.c.d",
                "1.2.3",
                "1.2.3.4.5",
                "256.1.1.1",
                "1.2.3.4.example.com",
                "1.2.3.x",
                "0x7f.1.1.1",
                "1234.1.1.1"
            })
    void takesForANameWhatOnlyLooksLikeAnAddress(String host) {
        assertThat(new Origin("http", host, 80).isAddress()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "...", "1..2.3", "1.2.3.", ".1.2.3"})
    void takesForANameWhatIsNeither(String host) {
        assertThat(new Origin("http", host, 80).isAddress()).isFalse();
    }
}
