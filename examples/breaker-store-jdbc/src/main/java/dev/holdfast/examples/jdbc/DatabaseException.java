package dev.holdfast.examples.jdbc;

import java.sql.SQLException;

/** The database failed. Breakers go on by themselves until it answers. */
public final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DatabaseException(String message, SQLException cause) {
        super(message, cause);
    }
}
