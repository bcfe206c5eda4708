package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** The client, its threads, and the way of one call through it: an exchange, and further ones where redirects are followed. */
public final class Exchanges implements AutoCloseable {
    private final ExecutorService threads = threads();
    private final Origins origins = new Origins();
    private final ProxySelector proxies;
    private final HttpClient client;
    private final long maxResponseBytes;
    private volatile boolean closed;

    public Exchanges(
            Duration connectTimeout, ProxySelector proxies, Optional<SSLContext> sslContext, long maxResponseBytes) {
        this.proxies = proxies;
        this.maxResponseBytes = maxResponseBytes;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .proxy(proxies)
                .executor(threads);
        sslContext.ifPresent(builder::sslContext);
        client = builder.build();
    }

    /** Platform threads: resolving a name holds the carrier of a virtual one, and two slow names would stop everything. */
    private static ExecutorService threads() {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                5,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("holdfast-http-", 0).factory());
    }

    public TransportReply send(TransportCall call) throws TransportException, InterruptedException {
        Deadlines deadlines = Deadlines.startNow(call.timeouts());
        TransportCall current = call;
        for (int followed = 0; ; followed++) {
            JdkReply reply = exchange(current, deadlines);
            Optional<URI> next = followed(current, reply, followed);
            if (next.isEmpty()) {
                return reply;
            }
            current = new TransportCall(
                    call.method(), next.get(), call.headers(), call.body(), call.version(), call.timeouts());
        }
    }

    private Optional<URI> followed(TransportCall call, JdkReply reply, int followed)
            throws TransportException, InterruptedException {
        try {
            Optional<URI> next = Redirects.next(call, reply, followed);
            if (next.isPresent()) {
                discard(reply);
            }
            return next;
        } catch (TransportException e) {
            reply.close();
            throw e;
        }
    }

    private static void discard(JdkReply reply) throws TransportException, InterruptedException {
        try {
            reply.discard();
        } catch (InterruptedIOException e) {
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException("interrupted at a redirect").initCause(e);
        } catch (TransportException e) {
            throw e;
        } catch (IOException e) {
            throw Faults.ofBody(e);
        }
    }

    private JdkReply exchange(TransportCall call, Deadlines deadlines) throws TransportException, InterruptedException {
        var incoming = new IncomingBody(deadlines, () -> closed);
        boolean mayBeKept = origins.mayHaveKeptConnection(call.uri());
        var exchange = new Exchange(client, call, incoming, deadlines, mayBeKept);
        ResponseInfo response = run(exchange);
        origins.answered(call.uri());
        if (response.statusCode() == 407 && usesProxy(call.uri())) {
            incoming.close();
            throw new TransportException(Fault.PROXY_AUTH, Delivery.NEVER_SENT, "the proxy wants authentication", null);
        }
        return JdkReply.of(response, incoming, maxResponseBytes);
    }

    private ResponseInfo run(Exchange exchange) throws TransportException, InterruptedException {
        try {
            return exchange.run();
        } catch (TransportException e) {
            throw closed ? Faults.closed(e.delivery(), e) : e;
        }
    }

    private boolean usesProxy(URI uri) {
        return proxies.select(uri).stream().anyMatch(proxy -> proxy.type() != Proxy.Type.DIRECT);
    }

    /** {@code HttpClient.close} would wait for open streams. The interrupt reaches who still resolves a name. */
    @Override
    public void close() {
        closed = true;
        client.shutdownNow();
        threads.shutdownNow();
    }
}
