package dev.holdfast.spi;

/** A document that a dialect cannot read or say. The message names the place by a JSON pointer and quotes no content. */
public final class DialectException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message a JSON pointer, a colon and what is wrong: {@code "/choices: missing (expected: an array)"}
     */
    public DialectException(String message) {
        super(message);
    }

    /** {@return a JSON pointer, a colon and what is wrong} */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
