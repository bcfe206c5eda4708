import org.jspecify.annotations.NullMarked;

/** Answers a call that was answered before, and does no call twice. */
@NullMarked
module dev.holdfast.cache {
    requires transitive dev.holdfast.api;
    requires com.github.benmanes.caffeine;
    requires static org.jspecify;

    exports dev.holdfast.cache;
}
