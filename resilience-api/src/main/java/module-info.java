import org.jspecify.annotations.NullMarked;

/**
 * Values, errors and the service provider interface of Holdfast. It needs nothing but the JDK.
 *
 * <p>Read values in {@link dev.holdfast}; implement parts from {@link dev.holdfast.spi}.
 */
@NullMarked
module dev.holdfast.api {
    requires static transitive org.jspecify;

    exports dev.holdfast;
    exports dev.holdfast.spi;
}
