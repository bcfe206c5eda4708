package dev.holdfast.simulation;

import dev.holdfast.Delivery;
import dev.holdfast.simulation.internal.transport.Exchange;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A provider in the process: plays the replies of some {@link Weather} on a {@link Timekeeper}, without a socket. It keeps the
 * timeouts of each call and can be interrupted and closed like a real transport, each exchange on a connection of its own; it is the twin of {@link FaultyProvider}, but
 * for lies about the content length, which only a real connection can tell.
 *
 * <pre>{@code
 * var time = new VirtualTime();
 * var transport = new SimulatedTransport(time, Weather.of(FaultScript.of(Reply.status(503))));
 * }</pre>
 */
public final class SimulatedTransport implements Transport {
    private final Timekeeper time;
    private final Weather weather;
    private final long startNanos;
    private final AtomicInteger sends = new AtomicInteger();
    private final Set<Exchange> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates a transport. The time of its weather begins now.
     *
     * @param time what it waits on
     * @param weather what the provider does
     */
    public SimulatedTransport(Timekeeper time, Weather weather) {
        this.time = time;
        this.weather = weather;
        this.startNanos = time.nanoTime();
    }

    /** {@return how many requests have been sent} */
    public int sends() {
        return sends.get();
    }

    /** {@return how many exchanges are open: sent, and neither closed nor failed} */
    public int open() {
        return open.size();
    }

    @Override
    public TransportReply send(TransportCall call) throws TransportException, InterruptedException {
        if (closed) {
            throw new TransportException(Fault.CLOSED, Delivery.NEVER_SENT, "the transport is closed", null);
        }
        var at = java.time.Duration.ofNanos(time.nanoTime() - startNanos);
        Reply reply = weather.reply(received(call), at);
        var exchange = new Exchange(time, reply, call.timeouts(), open);
        exchange.awaitHead();
        return exchange;
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(Exchange::close);
    }

    private ProviderRequest received(TransportCall call) {
        URI uri = call.uri();
        String path = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        return new ProviderRequest(sends.incrementAndGet(), call.method(), path, call.headers(), call.body());
    }

    @Override
    public String toString() {
        return "SimulatedTransport[" + sends() + " sends]";
    }
}
