package dev.holdfast.tests.transport;

import dev.holdfast.HttpVersion;
import dev.holdfast.spi.Transport;
import dev.holdfast.testkit.TransportContract;
import dev.holdfast.transport.JdkTransport;

class JdkTransportMultiplexedContractTest extends TransportContract {
    @Override
    protected HttpVersion version() {
        return HttpVersion.HTTP_2;
    }

    @Override
    protected Transport newTransport() {
        return JdkTransport.builder().sslContext(trust()).build();
    }
}
