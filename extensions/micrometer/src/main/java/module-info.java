import org.jspecify.annotations.NullMarked;

/** What a client does, as meters of Micrometer. */
@NullMarked
module dev.holdfast.micrometer {
    requires transitive dev.holdfast.api;
    requires transitive dev.holdfast.core;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports dev.holdfast.micrometer;
}
