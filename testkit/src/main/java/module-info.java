import org.jspecify.annotations.NullMarked;

/** What a plugin's author and a user test with. */
@NullMarked
module dev.holdfast.testkit {
    requires transitive dev.holdfast.api;
    requires transitive dev.holdfast.simulation;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports dev.holdfast.testkit;

    // The contracts' tests are not public: they are run, not called.
    opens dev.holdfast.testkit to
            org.junit.platform.commons;
}
