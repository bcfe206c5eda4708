package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.HttpVersion;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
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
    private final Lanes lanes;
    private final Hosts hosts;
    private final Alarms alarms = new Alarms();
    private volatile boolean closed;

    public Exchanges(Settings settings) {
        this.settings = settings;
        clients = new Clients(settings);
        lanes = new Lanes(clients, settings.maxConnectionAge());
        hosts = new Hosts(settings.maxConnections(), settings.maxStreams());
    }

    public TransportReply send(TransportCall call) throws TransportException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before sending");
        }
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
                reply.discard();
            }
            return next;
        } catch (TransportException e) {
            reply.close();
            throw e;
        }
    }

    private JdkReply exchange(TransportCall call, Deadlines deadlines) throws TransportException, InterruptedException {
        RequestHead.check(call);
        Proxies.Way way = settings.proxies().way(call.uri());
        Origin origin = Origin.of(call.uri());
        Seat seat = seat(call, origin, lanes.of(origin, way.direct()), deadlines);
        for (int lags = 0; ; lags++) {
            boolean kept = false;
            try {
                JdkReply reply = exchange(seat, call, way, deadlines.connecting());
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

    private Seat seat(TransportCall call, Origin origin, Generations generations, Deadlines deadlines)
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

    private JdkReply exchange(Seat seat, TransportCall call, Proxies.Way way, Deadlines deadlines)
            throws TransportException, InterruptedException, UnprocessedException {
        var incoming = new IncomingBody(deadlines, alarms, () -> closed, seat::leave);
        Origin origin = Origin.of(call.uri());
        var exchange = new Exchange(seat, call, way, incoming, deadlines, alarms);
        Head response = way.direct() && origin.isAddress()
                ? run(() -> exchange.runFromHere(clients.threads()))
                : run(exchange::run);
        seat.generation().answered(origin);
        if (seat.multiplexed() && response.version() == HttpClient.Version.HTTP_1_1) {
            seat.generation().chose(origin);
        }
        if (response.status() == 407 && !way.direct()) {
            incoming.close();
            throw new TransportException(Fault.PROXY_AUTH, Delivery.NEVER_SENT, "the proxy wants authentication", null);
        }
        return JdkReply.of(response, incoming, settings.maxResponseBytes());
    }

    /** Sends, and waits for the head. */
    @FunctionalInterface
    private interface Sending {
        Head run() throws TransportException, InterruptedException, UnprocessedException;
    }

    private Head run(Sending sending) throws TransportException, InterruptedException, UnprocessedException {
        try {
            return sending.run();
        } catch (TransportException e) {
            throw closed ? Faults.closed(e.delivery(), e) : e;
        }
    }

    @Override
    public void close() {
        closed = true;
        lanes.close();
        clients.close();
        alarms.close();
    }
}
