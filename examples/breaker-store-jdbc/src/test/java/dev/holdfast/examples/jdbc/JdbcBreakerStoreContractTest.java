package dev.holdfast.examples.jdbc;

import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.BreakerStoreContract;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class JdbcBreakerStoreContractTest extends BreakerStoreContract {
    private final DataSource database = Database.connect();
    private final List<BreakerStore> stores = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void empty() throws SQLException {
        Database.empty(database);
    }

    @AfterEach
    void closeStores() {
        stores.forEach(BreakerStore::close);
    }

    @Override
    protected BreakerStore store() {
        var store = new JdbcBreakerStore(database, Timekeeper.system(), Duration.ofMillis(20));
        stores.add(store);
        return store;
    }

    @Override
    protected void pass(Duration length) {
        try {
            Thread.sleep(length);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected Duration moment() {
        return Duration.ofSeconds(6);
    }

    /** So long a busy machine may take between two steps of a test. */
    @Override
    protected Duration tolerance() {
        return Duration.ofSeconds(5);
    }
}
