package dev.holdfast.tests.transport;

import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.testkit.TransportContract;
import dev.holdfast.transport.JdkTransport;
import java.net.URI;

/** The same where a name leads to the provider: its exchanges begin on another thread. */
class JdkTransportByNameContractTest extends TransportContract {
    @Override
    protected Transport newTransport() {
        return new ByName(new JdkTransport());
    }

    private record ByName(JdkTransport transport) implements Transport {
        @Override
        public TransportReply send(TransportCall call) throws TransportException, InterruptedException {
            URI named = URI.create(call.uri().toString().replace("//127.0.0.1:", "//" + SlowNames.HERE + ":"));
            return transport.send(new TransportCall(
                    call.method(), named, call.headers(), call.body(), call.version(), call.timeouts()));
        }

        @Override
        public void close() {
            transport.close();
        }
    }
}
