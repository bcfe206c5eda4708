import org.jspecify.annotations.NullMarked;

/** Chooses models, and knows what they cost. */
@NullMarked
module dev.holdfast.routing {
    requires transitive dev.holdfast.api;
    requires com.fasterxml.jackson.databind;
    requires static org.jspecify;

    exports dev.holdfast.routing;

    provides dev.holdfast.spi.PriceSource with
            dev.holdfast.routing.PriceBook;
}
