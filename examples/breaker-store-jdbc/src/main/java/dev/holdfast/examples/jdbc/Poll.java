package dev.holdfast.examples.jdbc;

import dev.holdfast.spi.BreakerStore.BreakerSnapshot;
import dev.holdfast.spi.BreakerStore.Watch;
import dev.holdfast.spi.Timekeeper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Looks for changes of watched keys, as long as there are any. */
final class Poll implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Poll.class.getName());
    private static final String QUERY = """
            select state, generation, openings,
                   (extract(epoch from greatest(open_until - clock_timestamp(), interval '0')) * 1000000)::bigint, name
            from holdfast_breaker where name = any (?)""";

    private final DataSource database;
    private final Timekeeper timekeeper;
    private final Duration interval;
    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean closed;

    Poll(DataSource database, Timekeeper timekeeper, Duration interval) {
        this.database = database;
        this.timekeeper = timekeeper;
        this.interval = interval;
    }

    /** One watcher of a key; only the polling thread touches what it knows. */
    private static final class Watched {
        private final String key;
        private final Consumer<BreakerSnapshot> listener;
        private long known;
        private volatile boolean ended;

        Watched(String key, long known, Consumer<BreakerSnapshot> listener) {
            this.key = key;
            this.known = known;
            this.listener = listener;
        }

        void look(Map<String, BreakerSnapshot> rows) {
            BreakerSnapshot row = rows.get(key);
            if (row == null || row.generation() == known || ended) {
                return;
            }
            known = row.generation();
            try {
                listener.accept(row);
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "a watcher of breaker " + key + " threw", e);
            }
        }
    }

    Watch add(String key, long known, Consumer<BreakerSnapshot> listener) {
        var fresh = new Watched(key, known, listener);
        watched.add(fresh);
        if (running.compareAndSet(false, true)) {
            timekeeper.start("holdfast-breaker-poll", this::run);
        }
        return () -> {
            fresh.ended = true;
            watched.remove(fresh);
        };
    }

    List<String> keys() {
        return watched.stream().map(each -> each.key).toList();
    }

    private void run() {
        try {
            do {
                while (!closed && !watched.isEmpty()) {
                    look();
                    timekeeper.sleep(interval);
                }
                running.set(false);
                // Who began to watch just now saw a running thread and relies on it.
            } while (!closed && !watched.isEmpty() && running.compareAndSet(false, true));
        } catch (InterruptedException e) {
            running.set(false);
        }
    }

    /** A database that is away is asked again after the interval; what was missed shows then. */
    private void look() {
        try {
            Map<String, BreakerSnapshot> rows = rows(keys());
            watched.forEach(each -> each.look(rows));
        } catch (SQLException | RuntimeException e) { // pools throw their own; whatever it is, it must not end the poll
            LOG.log(System.Logger.Level.DEBUG, "breakers could not be looked at", e);
        }
    }

    private Map<String, BreakerSnapshot> rows(List<String> keys) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement(QUERY)) {
            query.setArray(1, connection.createArrayOf("text", keys.toArray()));
            var found = new HashMap<String, BreakerSnapshot>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.put(rows.getString(5), JdbcBreakerStore.snapshot(rows));
                }
            }
            return found;
        }
    }

    @Override
    public void close() {
        closed = true;
        watched.clear();
    }
}
