import org.jspecify.annotations.NullMarked;

/** Chooses models by cost, latency and availability, and keeps the ledger. */
@NullMarked
module dev.holdfast.routing {
    requires transitive dev.holdfast.api;
    requires com.fasterxml.jackson.databind;
    requires static org.jspecify;

    exports dev.holdfast.routing;
}
