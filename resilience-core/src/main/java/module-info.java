import org.jspecify.annotations.NullMarked;

/** The resilient client: the call loop, its rules, its guards and its configuration. */
@NullMarked
module dev.holdfast.core {
    requires transitive dev.holdfast.api;
    requires com.fasterxml.jackson.databind;
    requires org.slf4j;
    requires static transitive java.management;
    requires static org.jspecify;

    exports dev.holdfast.core;
    exports dev.holdfast.core.config;

    uses com.fasterxml.jackson.core.JsonFactory;
    uses dev.holdfast.spi.Dialect;
    uses dev.holdfast.spi.PriceSource;
    uses dev.holdfast.spi.Transport;
}
