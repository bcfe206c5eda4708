import org.jspecify.annotations.NullMarked;

/** Carries calls over the JDK's own HTTP client. */
@NullMarked
module dev.holdfast.transport.jdk {
    requires transitive dev.holdfast.api;
    requires transitive java.net.http;
    requires static org.jspecify;

    exports dev.holdfast.transport;
}
