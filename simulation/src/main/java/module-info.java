import org.jspecify.annotations.NullMarked;

/** Runs the production pipeline on virtual time against a provider that fails on purpose. */
@NullMarked
module dev.holdfast.simulation {
    requires transitive dev.holdfast.api;
    requires transitive dev.holdfast.core;
    requires static org.jspecify;

    exports dev.holdfast.simulation;
    exports dev.holdfast.simulation.lab;
}
