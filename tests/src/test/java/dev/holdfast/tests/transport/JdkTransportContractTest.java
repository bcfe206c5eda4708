package dev.holdfast.tests.transport;

import dev.holdfast.spi.Transport;
import dev.holdfast.testkit.TransportContract;
import dev.holdfast.transport.JdkTransport;

class JdkTransportContractTest extends TransportContract {
    @Override
    protected Transport newTransport() {
        return new JdkTransport();
    }
}
