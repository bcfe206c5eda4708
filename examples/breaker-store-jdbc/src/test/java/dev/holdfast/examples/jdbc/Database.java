package dev.holdfast.examples.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The PostgreSQL that the tests are given, by the system property {@code jdbc.url}. */
final class Database {
    private Database() {}

    static DataSource connect() {
        String url = System.getProperty("jdbc.url");
        if (url == null || url.isBlank() || url.startsWith("$")) {
            throw new IllegalStateException("jdbc.url: none (expected: -Djdbc.url=jdbc:postgresql://…; examples/run gives one)");
        }
        var database = new PGSimpleDataSource();
        database.setUrl(url);
        return database;
    }

    static void empty(DataSource database) throws SQLException {
        JdbcBreakerStore.createTable(database);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate holdfast_breaker");
        }
    }
}
