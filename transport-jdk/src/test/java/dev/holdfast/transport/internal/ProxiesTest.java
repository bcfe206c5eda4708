package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import org.junit.jupiter.api.Test;

class ProxiesTest {
    @Test
    void readsTheFlagAsTheJdkDoes() {
        assertThat(Proxies.disabledForTunnels("")).isFalse();
        assertThat(Proxies.disabledForTunnels("Digest")).isFalse();
        assertThat(Proxies.disabledForTunnels("Digest, basic")).isTrue();
        assertThat(Proxies.disabledForTunnels(null))
                .as("this JDK's own default")
                .isTrue();
    }

    @Test
    void refusesWhatThisJdkWouldLeaveOutAndNamesTheFlag() throws IOException {
        ProxySelector selector = ProxySelector.of(new InetSocketAddress("127.0.0.1", 1));
        assertThatThrownBy(() -> Proxies.of(selector, "user", Secret.of("password", "s3cr3t")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("proxyAuthentication")
                .hasMessageContaining("-Djdk.http.auth.tunneling.disabledSchemes=")
                .hasMessageNotContaining("s3cr3t");
    }
}
