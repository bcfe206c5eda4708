package dev.holdfast.core.internal.form;

import org.jspecify.annotations.Nullable;

/**
 * Where in a document something stands. It becomes a JSON pointer (RFC 6901) only when someone asks, since most places are
 * never spoken of.
 */
public final class Place {
    /** The document itself. */
    public static final Place ROOT = new Place(null, "");

    private final @Nullable Place above;
    private final Object step;

    private Place(@Nullable Place above, Object step) {
        this.above = above;
        this.step = step;
    }

    /** The member of that name. */
    public Place member(String name) {
        return new Place(this, name);
    }

    /** The element at that index. */
    public Place element(int index) {
        return new Place(this, index);
    }

    /** The name or index of the last step; empty for the document itself. */
    String name() {
        return step.toString();
    }

    /** The JSON pointer: empty for the document itself. */
    @Override
    public String toString() {
        var pointer = new StringBuilder();
        write(pointer);
        return pointer.toString();
    }

    private void write(StringBuilder pointer) {
        if (above != null) {
            above.write(pointer);
            pointer.append('/').append(step.toString().replace("~", "~0").replace("/", "~1"));
        }
    }
}
