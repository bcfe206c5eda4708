import org.jspecify.annotations.NullMarked;

/** A server that speaks the providers' API in front of Holdfast. */
@NullMarked
module dev.holdfast.gateway {
    requires dev.holdfast.api;
    requires dev.holdfast.cache;
    requires transitive dev.holdfast.core;
    requires dev.holdfast.micrometer;
    requires dev.holdfast.routing;
    requires dev.holdfast.simulation;
    requires info.picocli;
    requires io.helidon.common.buffers;
    requires io.helidon.common.concurrency.limits;
    requires io.helidon.common.socket;
    requires io.helidon.http;
    requires io.helidon.webserver;
    requires java.logging;
    requires java.net.http;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires org.slf4j;
    requires static org.jspecify;

    uses dev.holdfast.spi.Transport;

    exports dev.holdfast.gateway;

    opens dev.holdfast.gateway to
            info.picocli;
}
