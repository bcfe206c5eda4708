package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportTimeouts;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RequestHeadTest {
    private static TransportCall call(String method, Headers headers) {
        return new TransportCall(
                method,
                URI.create("http://host/v1"),
                headers,
                Bytes.utf8("{}"),
                HttpVersion.HTTP_1_1,
                TransportTimeouts.total(Duration.ofSeconds(1)));
    }

    private static HttpRequest request(TransportCall call) throws TransportException {
        RequestHead.check(call);
        return RequestHead.request(call, false, Optional.empty(), BodyPublishers.ofString("{}"));
    }

    @Property
    void carriesAHeaderAsItIsOrRefusesItWithoutShowingItsValue(@ForAll String value) {
        String marked = "s3cr3t" + value;
        try {
            HttpRequest request = request(call("POST", Headers.of("X-Any", marked)));
            assertThat(request.headers().firstValue("X-Any")).hasValue(marked.strip());
        } catch (TransportException e) {
            assertThat(e.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(e)
                    .hasMessageStartingWith("X-Any: a character at position ")
                    .hasNoCause();
            assertThat(e).hasMessageNotContaining("s3cr3t");
        }
    }

    @Property
    void takesAnyNameOrRefusesIt(@ForAll String name) throws Exception {
        try {
            assertThat(request(call("POST", Headers.of(name, "s3cr3t")))).isNotNull();
        } catch (TransportException e) {
            assertThat(e.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(e).hasMessageNotContaining("s3cr3t").hasNoCause();
        }
    }

    @Test
    void asksForGzipUnlessTheCallAsksForSomethingElse() throws Exception {
        assertThat(request(call("POST", Headers.empty())).headers().allValues("Accept-Encoding"))
                .containsExactly("gzip");
        assertThat(request(call("POST", Headers.of("accept-encoding", "identity")))
                        .headers()
                        .allValues("Accept-Encoding"))
                .containsExactly("identity");
    }

    @Test
    void refusesAMethodThatCannotBeSent() {
        for (String method : new String[] {"", "PO ST", "POST\r\n", "CONNECT"}) {
            assertThatThrownBy(() -> request(call(method, Headers.empty()))).isInstanceOf(TransportException.class);
        }
    }
}
