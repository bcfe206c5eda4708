package dev.holdfast.examples.jdbc;

import dev.holdfast.BreakerState;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.Timekeeper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Shares the transitions of breakers through a table of a PostgreSQL database.
 *
 * <p>The state is one row for each breaker. A change is one statement, which the database lets one client win: an insert
 * that does nothing where there is a row, or an update that names the generation it replaces. How long a breaker stays open
 * is kept as a point in time of the database's clock, so that the clocks of the clients do not matter.
 *
 * <p>Watchers are told by a poll: one query in each interval for all keys that are watched. It needs no more than a table,
 * works through connection pools and proxies that drop notifications, and has nothing to set up again after the
 * database was away. What it costs is that a change is heard up to an interval later.
 *
 * <p>Use a pool, and set its and the driver's timeouts to a few hundred milliseconds. Safe for use by any number of threads.
 */
public final class JdbcBreakerStore implements BreakerStore {
    private static final String LOAD = """
            select state, generation, openings,
                   (extract(epoch from greatest(open_until - clock_timestamp(), interval '0')) * 1000000)::bigint
            from holdfast_breaker where name = ?""";
    private static final String INSERT = """
            insert into holdfast_breaker (state, generation, openings, open_until, name)
            values (?, ?, ?, clock_timestamp() + ? * interval '1 microsecond', ?)
            on conflict do nothing""";
    private static final String REPLACE = """
            update holdfast_breaker
            set state = ?, generation = ?, openings = ?, open_until = clock_timestamp() + ? * interval '1 microsecond'
            where name = ? and generation = ?""";

    private final DataSource database;
    private final Poll poll;

    /**
     * Creates the store. The table must be there, see {@link #createTable}.
     *
     * @param database where
     * @param timekeeper time and the thread that polls
     * @param interval how often changes are looked for, as long as anyone watches
     */
    public JdbcBreakerStore(DataSource database, Timekeeper timekeeper, Duration interval) {
        this.database = database;
        this.poll = new Poll(database, timekeeper, interval);
    }

    /**
     * Creates the table unless it is there.
     *
     * @param database where
     */
    public static void createTable(DataSource database) {
        try (InputStream schema = JdbcBreakerStore.class.getResourceAsStream("schema.sql");
                Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
        } catch (SQLException e) {
            throw new DatabaseException("the table could not be created", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<BreakerSnapshot> load(String key) {
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement(LOAD)) {
            query.setString(1, key);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(snapshot(row)) : Optional.empty();
            }
        } catch (SQLException e) {
            throw new DatabaseException("breaker " + key + " could not be read", e);
        }
    }

    /** Reads state, generation, openings and microseconds, in this order. */
    static BreakerSnapshot snapshot(ResultSet row) throws SQLException {
        return new BreakerSnapshot(
                BreakerState.valueOf(row.getString(1)),
                row.getLong(2),
                Duration.of(row.getLong(4), ChronoUnit.MICROS),
                row.getInt(3));
    }

    @Override
    public boolean compareAndSet(String key, long expectedGeneration, BreakerSnapshot next) {
        try (Connection connection = database.getConnection();
                PreparedStatement change = connection.prepareStatement(expectedGeneration == 0 ? INSERT : REPLACE)) {
            change.setString(1, next.state().name());
            change.setLong(2, next.generation());
            change.setInt(3, next.openings());
            change.setDouble(4, next.remainingOpen().toNanos() / 1_000);
            change.setString(5, key);
            if (expectedGeneration != 0) {
                change.setLong(6, expectedGeneration);
            }
            return change.executeUpdate() == 1;
        } catch (SQLException e) {
            throw new DatabaseException("breaker " + key + " could not be changed", e);
        }
    }

    @Override
    public Watch watch(String key, Consumer<BreakerSnapshot> listener) {
        long known = load(key).map(BreakerSnapshot::generation).orElse(0L);
        return poll.add(key, known, listener);
    }

    /** Ends every watch. The database's connections are not this store's to close. */
    @Override
    public void close() {
        poll.close();
    }
}
