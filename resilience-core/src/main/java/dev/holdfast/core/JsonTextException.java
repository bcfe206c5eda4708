package dev.holdfast.core;

/** Text that is not the JSON it should be. Says where, and quotes nothing of the text. */
public final class JsonTextException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** The line, from 1. */
    private final int line;

    /** The column, from 1. */
    private final int column;

    /**
     * Creates the exception.
     *
     * @param problem what is wrong, without any of the text
     * @param line the line, from 1
     * @param column the column, from 1
     */
    public JsonTextException(String problem, int line, int column) {
        super("line " + line + ", column " + column + ": " + problem);
        this.line = line;
        this.column = column;
    }

    /** {@return the line, from 1} */
    public int line() {
        return line;
    }

    /** {@return the column, from 1} */
    public int column() {
        return column;
    }
}
