package dev.holdfast.gateway.internal.server;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.gateway.internal.http.BodyRefusedException;
import dev.holdfast.gateway.internal.http.EventOutput;
import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** An exchange on Helidon's request and response. */
final class HelidonExchange implements Exchange {
    private static final int PIECE = 16 << 10;
    private static final long MOST_DISCARDED = 64L << 20;

    private final ServerRequest request;
    private final ServerResponse response;
    private final Peer peer;
    private final Headers headers;
    private boolean bodyLeft;
    private boolean closing;

    HelidonExchange(ServerRequest request, ServerResponse response, Peer peer) {
        this.request = request;
        this.response = response;
        this.peer = peer;
        this.headers = headersOf(request);
        this.bodyLeft = request.content().hasEntity();
        peer.begin();
        response.whenSent(this::sent);
    }

    private void sent() {
        peer.finish();
        if (closing && !bodyLeft) {
            peer.readNoMore();
        }
    }

    private static Headers headersOf(ServerRequest request) {
        var fields = new ArrayList<Map.Entry<String, String>>();
        for (Header header : request.headers()) {
            header.allValues().forEach(value -> fields.add(Map.entry(header.name(), value)));
        }
        return Headers.of(fields);
    }

    @Override
    public String method() {
        return request.prologue().method().text().toUpperCase(Locale.ROOT);
    }

    @Override
    public String path() {
        return request.prologue().uriPath().rawPath();
    }

    @Override
    public String query() {
        return request.prologue().query().rawValue();
    }

    @Override
    public Headers headers() {
        return headers;
    }

    @Override
    public Bytes body(long most) throws BodyRefusedException {
        if (!bodyLeft) {
            return Bytes.empty();
        }
        OptionalLong length = request.headers().contentLength();
        if (length.isPresent() && length.getAsLong() > most) {
            throw tooLarge(most);
        }
        peer.takeBody(most);
        try {
            // Not closed: that would wait for the rest of a body that is refused.
            InputStream in = request.content().inputStream();
            var body = new ByteArrayOutputStream(Math.toIntExact(Math.min(length.orElse(PIECE), most)));
            byte[] piece = new byte[PIECE];
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                body.write(piece, 0, read);
                if (body.size() > most) {
                    throw tooLarge(most);
                }
            }
            bodyLeft = false;
            return Bytes.of(body.toByteArray());
        } catch (PeerReader.TooLargeException e) {
            throw tooLarge(most);
        } catch (IOException | RuntimeException e) {
            throw new BodyRefusedException(400, "the body cannot be read (expected: one as long as it was announced)");
        }
    }

    private static BodyRefusedException tooLarge(long most) {
        return new BodyRefusedException(413, "the body is too large (expected: at most " + most + " bytes)");
    }

    @Override
    public <T> T whileConnected(Work<T> work) {
        return peer.whileConnected(work);
    }

    @Override
    public boolean isAbandoned() {
        return peer.isGone();
    }

    @Override
    public void answer(HttpAnswer answer) {
        response.status(Status.create(answer.status()));
        put(answer.headers());
        // What was not read of a request must not be taken for the next one.
        closeIf(bodyLeft);
        if (request.prologue().method().equals(Method.HEAD)) {
            // The length that a GET would have, and no body (RFC 9110, section 9.3.2).
            response.header(
                    HeaderNames.CONTENT_LENGTH, Integer.toString(answer.body().size()));
            response.send();
        } else if (answer.body().size() == 0) {
            response.send();
        } else {
            response.send(answer.body().toByteArray());
        }
        if (bodyLeft) {
            if (headers.first("Expect").isEmpty()) {
                discardRest();
                peer.cutOff();
            }
            peer.readNoMore();
        }
    }

    /** A connection that is closed while the client still sends is reset, and the answer lost: so the rest is read, for a while. */
    private void discardRest() {
        peer.linger();
        try (InputStream in = request.content().inputStream()) {
            byte[] piece = new byte[PIECE];
            long left = MOST_DISCARDED;
            for (int read = in.read(piece); read >= 0 && left > 0; read = in.read(piece)) {
                left -= read;
            }
        } catch (IOException | RuntimeException e) {
            // the connection is closed now in any case
        }
    }

    @Override
    public OutputStream begin(int status, Headers fields) {
        response.status(Status.create(status));
        put(fields);
        closeIf(false);
        return response.outputStream();
    }

    @Override
    public void cutOff() {
        peer.cutOff();
    }

    @Override
    public EventOutput events(Headers more) {
        response.status(Status.OK_200);
        put(Headers.of("Content-Type", "text/event-stream", "Cache-Control", "no-cache"));
        put(more);
        closeIf(false);
        return new EventStream(response.outputStream());
    }

    /** The server keeps a connection that its client wants closed, unless the answer says so (RFC 9112, section 9.6). */
    private void closeIf(boolean needed) {
        boolean wanted = headers.all("Connection").stream()
                .flatMap(value -> Stream.of(value.split(",")))
                .anyMatch(token -> token.strip().equalsIgnoreCase("close"));
        closing = needed || wanted;
        if (closing) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
    }

    private void put(Headers fields) {
        fields.fields().forEach(field -> response.header(field.getKey(), field.getValue()));
    }

    /** Writing fails only where the client is gone. */
    static IOException asIo(RuntimeException e) {
        return new IOException("the client cannot be reached", e);
    }
}
