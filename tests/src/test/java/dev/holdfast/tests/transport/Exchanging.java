package dev.holdfast.tests.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The words the transport's tests are written in. */
final class Exchanging {
    static final Duration LONG = Duration.ofSeconds(60);
    static final String PROMPT = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"ok\"}]}";

    private Exchanging() {}

    static TransportCall post(FaultyProvider provider) {
        return post(URI.create(provider.baseUrl() + "/chat/completions"), PROMPT);
    }

    /** Where the provider is asked, by this name or address of the machine. */
    static URI at(String host, FaultyProvider provider) {
        return URI.create("http://" + host + ":" + provider.baseUrl().getPort() + "/v1/chat/completions");
    }

    static TransportCall post(URI uri, String body) {
        return call("POST", uri, body, TransportTimeouts.total(LONG));
    }

    static TransportCall get(URI uri) {
        return call("GET", uri, "", TransportTimeouts.total(LONG));
    }

    static TransportCall call(String method, URI uri, String body, TransportTimeouts timeouts) {
        var headers = Headers.of("Content-Type", "application/json", "Authorization", "Bearer k");
        return new TransportCall(method, uri, headers, Bytes.utf8(body), HttpVersion.HTTP_1_1, timeouts);
    }

    static TransportException failure(Transport transport, TransportCall call) {
        return catchThrowableOfType(TransportException.class, () -> transport.send(call));
    }

    static TransportException readFailure(TransportReply reply) {
        return catchThrowableOfType(TransportException.class, () -> text(reply));
    }

    static String text(TransportReply reply) throws IOException {
        return new String(reply.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    static String fetch(Transport transport, TransportCall call) throws IOException, InterruptedException {
        try (var reply = transport.send(call)) {
            return text(reply);
        }
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadlineNanos);
            Thread.sleep(2);
        }
    }
}
