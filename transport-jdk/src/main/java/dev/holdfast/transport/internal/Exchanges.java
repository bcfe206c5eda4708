package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.HttpVersion;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Optional;

/**
 * The way of one call: a place at its origin's gate, the client of the day, an exchange, and further ones where redirects are
 * followed.
 */
public final class Exchanges implements AutoCloseable {
    private static final int MOST_LAGS = 8;

    private final Settings settings;
    private final Clients clients;
    private final Generations generations;
    private final Hosts hosts;
    private volatile boolean closed;

    public Exchanges(Settings settings) {
        this.settings = settings;
        clients = new Clients(settings);
        generations = new Generations(clients, settings.maxConnectionAge(), System::nanoTime);
        hosts = new Hosts(settings.maxConnections(), settings.maxStreams());
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
            throw Faults.ofBody(e, false);
        }
    }

    private JdkReply exchange(TransportCall call, Deadlines deadlines) throws TransportException, InterruptedException {
        RequestHead.check(call);
        Optional<String> proxyAuthorization = settings.proxies().authorization(call.uri());
        Origin origin = Origin.of(call.uri());
        Seat seat = seat(call, origin, deadlines);
        for (int lags = 0; ; lags++) {
            boolean kept = false;
            try {
                JdkReply reply = exchange(seat, call, proxyAuthorization, deadlines.connecting());
                kept = true;
                return reply;
            } catch (UnprocessedException e) {
                seat = again(seat, e, deadlines, lags);
                kept = true;
            } finally {
                if (!kept) {
                    seat.leave();
                }
            }
        }
    }

    /** The client counts a stream for a moment longer than it lasts; so who is alone and sees no room looks again soon. */
    private static Seat again(Seat seat, UnprocessedException why, Deadlines deadlines, int lags)
            throws TransportException, InterruptedException {
        Optional<Seat> other = seat.again(deadlines.firstByteLeft());
        if (other.isPresent()) {
            return other.get();
        }
        if (!why.isLocal() || lags >= MOST_LAGS) {
            throw Faults.unprocessed(why.getCause());
        }
        Thread.sleep(1L << lags);
        return seat;
    }

    private Seat seat(TransportCall call, Origin origin, Deadlines deadlines)
            throws TransportException, InterruptedException {
        boolean multiplexed =
                call.version() == HttpVersion.HTTP_2 && !generations.current().choseOneAtATime(origin);
        Gate gate = hosts.enter(origin, multiplexed, deadlines.firstByteLeft());
        try {
            return new Seat(gate, generations.enter(), multiplexed);
        } catch (RuntimeException | Error e) {
            gate.leave();
            throw e;
        }
    }

    private JdkReply exchange(Seat seat, TransportCall call, Optional<String> proxyAuthorization, Deadlines deadlines)
            throws TransportException, InterruptedException, UnprocessedException {
        var incoming = new IncomingBody(deadlines, () -> closed, seat::leave);
        var exchange = new Exchange(seat, call, proxyAuthorization, incoming, deadlines);
        Head response = run(exchange);
        Origin origin = Origin.of(call.uri());
        seat.generation().answered(origin);
        if (seat.multiplexed() && response.version() == HttpClient.Version.HTTP_1_1) {
            seat.generation().chose(origin);
        }
        if (response.status() == 407 && settings.proxies().use(call.uri())) {
            incoming.close();
            throw new TransportException(Fault.PROXY_AUTH, Delivery.NEVER_SENT, "the proxy wants authentication", null);
        }
        return JdkReply.of(response, incoming, settings.maxResponseBytes());
    }

    private Head run(Exchange exchange) throws TransportException, InterruptedException, UnprocessedException {
        try {
            return exchange.run();
        } catch (TransportException e) {
            throw closed ? Faults.closed(e.delivery(), e) : e;
        }
    }

    @Override
    public void close() {
        closed = true;
        generations.close();
        clients.close();
    }
}
