package dev.holdfast.core.internal.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the body of an answer looks like, since its label may be wrong or missing. */
public enum BodyKind {
    /** Nothing but blanks so far. */
    BLANK,
    /** JSON, or markup. */
    DOCUMENT,
    /** The lines of an event stream. */
    EVENTS,
    /** Anything else. */
    OTHER;

    private static final List<String> FIELDS = List.of(":", "data", "event", "id", "retry");
    private static final int LONGEST_FIELD = 5;

    /**
     * The kind of a body that begins like this.
     *
     * @param beginning its first bytes
     */
    public static BodyKind of(ByteBuffer beginning) {
        ByteBuffer bytes = beginning.duplicate();
        while (bytes.hasRemaining() && isBlank(bytes.get(bytes.position()))) {
            bytes.get();
        }
        if (!bytes.hasRemaining()) {
            return BLANK;
        }
        return switch (bytes.get(bytes.position())) {
            case '{', '[', '<', '"' -> DOCUMENT;
            default -> FIELDS.stream().anyMatch(field -> beginsWith(bytes, field)) ? EVENTS : OTHER;
        };
    }

    /** White space, and the bytes of a byte order mark. */
    private static boolean isBlank(byte each) {
        return each == ' '
                || each == '\t'
                || each == '\n'
                || each == '\r'
                || each == (byte) 0xEF
                || each == (byte) 0xBB
                || each == (byte) 0xBF;
    }

    private static boolean beginsWith(ByteBuffer bytes, String field) {
        byte[] first = new byte[Math.min(bytes.remaining(), LONGEST_FIELD + 1)];
        bytes.duplicate().get(first);
        String text = new String(first, StandardCharsets.ISO_8859_1);
        return text.startsWith(field)
                && (field.equals(":")
                        || text.length() == field.length()
                        || ":\r\n".indexOf(text.charAt(field.length())) >= 0);
    }
}
