import org.jspecify.annotations.NullMarked;

/**
 * Carries calls over the JDK's own HTTP client.
 *
 * @provides dev.holdfast.spi.Transport by {@link dev.holdfast.transport.JdkTransport}
 */
@NullMarked
module dev.holdfast.transport.jdk {
    requires transitive dev.holdfast.api;
    requires java.net.http;
    requires static org.jspecify;

    exports dev.holdfast.transport;

    provides dev.holdfast.spi.Transport with
            dev.holdfast.transport.JdkTransport;
}
