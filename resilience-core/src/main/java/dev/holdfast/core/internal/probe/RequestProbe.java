package dev.holdfast.core.internal.probe;

import dev.holdfast.Bytes;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import dev.holdfast.spi.HealthProbe;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Asks for a path. Whatever is answered shows that the endpoint lives, but for an error of the server; a refused key and a
 * reached limit are said beside that.
 */
public final class RequestProbe implements HealthProbe {
    /** More of an answer is not read: the connection is given up instead. */
    private static final int LONGEST = 4 * 1024 * 1024;
    /** A timer of ours that fires so late was held up here. */
    private static final Duration STALL = Duration.ofSeconds(1);

    private final String path;
    private final Function<ProbeRequest, Headers> authentication;
    private final Timekeeper time;

    /**
     * @param path what to ask for, from the base URL on
     * @param authentication the fields that carry the key, by the endpoint's dialect
     */
    public RequestProbe(String path, Function<ProbeRequest, Headers> authentication, Timekeeper time) {
        this.path = path;
        this.authentication = authentication;
        this.time = time;
    }

    @Override
    public ProbeResult probe(ProbeRequest request) throws InterruptedException {
        long startNanos = time.nanoTime();
        try (TransportReply reply = request.transport().send(call(request))) {
            drain(reply.body());
            Duration took = since(startNanos);
            Optional<FailureKind> kind = kindOf(reply.status());
            return new ProbeResult(
                    reply.status() < 500 && reply.status() != 408, took, "status " + reply.status(), kind);
        } catch (TransportException e) {
            return failed(e, since(startNanos), request.timeout());
        } catch (InterruptedIOException e) {
            Thread.interrupted();
            throw new InterruptedException();
        } catch (IOException e) {
            return new ProbeResult(false, since(startNanos), "connection", Optional.of(FailureKind.CONNECTION));
        }
    }

    private TransportCall call(ProbeRequest request) {
        String base = request.endpoint().baseUrl().toString();
        String trimmed = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        Duration timeout = request.timeout();
        return new TransportCall(
                "GET",
                URI.create(trimmed + path),
                authentication.apply(request).with("Accept", "application/json"),
                Bytes.empty(),
                request.endpoint().httpVersion(),
                new TransportTimeouts(timeout, timeout, timeout, timeout));
    }

    private static void drain(InputStream body) throws IOException {
        byte[] buffer = new byte[8 * 1024];
        int read = 0;
        for (int count = body.read(buffer); count >= 0 && read < LONGEST; count = body.read(buffer)) {
            read += count;
        }
    }

    private Duration since(long startNanos) {
        return Duration.ofNanos(time.nanoTime() - startNanos);
    }

    private static ProbeResult failed(TransportException e, Duration took, Duration timeout) {
        FailureKind kind =
                switch (e.fault()) {
                    case TIMEOUT -> took.compareTo(timeout.plus(STALL)) > 0 ? FailureKind.LOCAL : FailureKind.TIMEOUT;
                    case DNS, CONNECT, TLS, RESET, CUT -> FailureKind.CONNECTION;
                    case PROXY_AUTH -> FailureKind.PROXY_AUTH;
                    case PROTOCOL, TOO_LARGE -> FailureKind.MALFORMED_RESPONSE;
                    case REDIRECT_REFUSED -> FailureKind.REDIRECT_REFUSED;
                    case POOL, CLOSED -> FailureKind.LOCAL;
                };
        return new ProbeResult(false, took, kind.wireName(), Optional.of(kind));
    }

    private static Optional<FailureKind> kindOf(int status) {
        return switch (status) {
            case 401 -> Optional.of(FailureKind.AUTH);
            case 402 -> Optional.of(FailureKind.QUOTA_EXHAUSTED);
            case 403 -> Optional.of(FailureKind.PERMISSION);
            case 408 -> Optional.of(FailureKind.TIMEOUT);
            case 429 -> Optional.of(FailureKind.RATE_LIMITED);
            case 503, 529 -> Optional.of(FailureKind.OVERLOADED);
            default -> {
                if (status < 400) {
                    yield Optional.empty();
                }
                yield Optional.of(status >= 500 ? FailureKind.SERVER_ERROR : FailureKind.INVALID_REQUEST);
            }
        };
    }
}
