package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class FaultyProviderPropertyTest {
    private static FaultyProvider provider;

    @BeforeContainer
    static void open() {
        provider = FaultyProvider.start(FaultScript.always(Reply.of(200, Headers.empty(), Bytes.utf8("done"))));
    }

    @AfterContainer
    static void close() {
        provider.close();
    }

    @Property(tries = 100)
    void readsARequestHoweverItsBytesArrive(
            @ForAll @Size(max = 400) byte[] body,
            @ForAll @IntRange(min = 1, max = 60) int size,
            @ForAll @Size(max = 40) List<@IntRange(min = 1, max = 80) Integer> chunks)
            throws IOException {
        byte[] wire = chunks.isEmpty() ? withLength(body) : chunked(body, chunks);
        try (var client = new RawClient(provider.uri())) {
            for (int from = 0; from < wire.length; from += size) {
                client.send(Arrays.copyOfRange(wire, from, Math.min(wire.length, from + size)));
            }
            assertThat(client.readUntil("done")).startsWith("HTTP/1.1 200 OK\r\n");
        }
        assertThat(provider.requests().getLast().body()).isEqualTo(Bytes.of(body));
    }

    private static byte[] withLength(byte[] body) {
        return joined("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length + "\r\n\r\n", body, "");
    }

    private static byte[] chunked(byte[] body, List<Integer> sizes) {
        byte[] wire = joined("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", new byte[0], "");
        int from = 0;
        for (int i = 0; from < body.length; i++) {
            int to = Math.min(body.length, from + sizes.get(i % sizes.size()));
            byte[] piece = Arrays.copyOfRange(body, from, to);
            wire = joined(text(wire) + Integer.toHexString(piece.length) + "\r\n", piece, "\r\n");
            from = to;
        }
        return joined(text(wire) + "0\r\n\r\n", new byte[0], "");
    }

    private static byte[] joined(String before, byte[] bytes, String after) {
        return (before + text(bytes) + after).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Property(tries = 100)
    void survivesWhateverAClientSends(@ForAll @Size(max = 300) byte[] bytes) throws IOException {
        readsOrIsRefused(bytes);
    }

    @Tag("fuzz")
    @Property(tries = 5_000)
    void survivesARequestWithAnyBytesInIt(
            @ForAll @Size(max = 20) byte[] bytes, @ForAll @IntRange(min = 0, max = 90) int where) throws IOException {
        String request = RawClient.post("{\"model\":\"m\"}");
        int at = Math.min(where, request.length());
        readsOrIsRefused(joined(request.substring(0, at), bytes, request.substring(at)));
    }

    /** The answer is one of HTTP or none at all, and the next client is served. */
    private static void readsOrIsRefused(byte[] bytes) throws IOException {
        try (var client = new RawClient(provider.uri())) {
            String answer = client.send(bytes).endOutput().readToEnd();
            assertThat(answer).matches("(?s)|HTTP/1\\.1 [1245][0-9]{2} .*");
        } catch (SocketException e) {
            assertThat(e).hasMessageMatching("Connection reset.*|Broken pipe.*");
        }
        try (var client = new RawClient(provider.uri())) {
            assertThat(client.send(RawClient.post("{}")).readUntil("done")).contains(" 200 ");
        }
    }
}
