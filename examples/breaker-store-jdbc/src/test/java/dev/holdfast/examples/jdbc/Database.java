package dev.holdfast.examples.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The PostgreSQL that the tests are given, by the system property {@code jdbc.url}, through a pool, as the store wants it: a call waits
 * 50 ms for the fleet's word, and a connection that is yet to be made may take longer.
 */
final class Database {
    private static final DataSource POOL = new HikariDataSource(config());

    private Database() {}

    static DataSource connect() {
        return POOL;
    }

    private static HikariConfig config() {
        String url = System.getProperty("jdbc.url");
        if (url == null || url.isBlank() || url.startsWith("$")) {
            throw new IllegalStateException(
                    "jdbc.url: none (expected: -Djdbc.url=jdbc:postgresql://…; examples/run gives one)");
        }
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        return config;
    }

    static void empty(DataSource database) throws SQLException {
        JdbcBreakerStore.createTable(database);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate holdfast_breaker");
        }
    }
}
