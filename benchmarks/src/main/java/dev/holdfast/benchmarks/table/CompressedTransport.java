package dev.holdfast.benchmarks.table;

import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.time.Duration;

/** A transport that lives in the machine's time, for a client that lives in a compressed one: its timeouts are shorter. */
final class CompressedTransport implements Transport {
    /** Less than this is no time for a connection, however fast the time runs. */
    private static final Duration TO_CONNECT = Duration.ofSeconds(5);

    private final Transport transport;
    private final CompressedTime time;

    CompressedTransport(Transport transport, CompressedTime time) {
        this.transport = transport;
        this.time = time;
    }

    @Override
    public TransportReply send(TransportCall call) throws TransportException, InterruptedException {
        TransportTimeouts asked = call.timeouts();
        var timeouts = new TransportTimeouts(
                TO_CONNECT,
                time.onTheMachine(asked.firstByte()),
                time.onTheMachine(asked.idle()),
                time.onTheMachine(asked.total()));
        return transport.send(
                new TransportCall(call.method(), call.uri(), call.headers(), call.body(), call.version(), timeouts));
    }

    @Override
    public void close() {
        transport.close();
    }
}
