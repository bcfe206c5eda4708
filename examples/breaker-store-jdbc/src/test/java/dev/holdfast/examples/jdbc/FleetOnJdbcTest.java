package dev.holdfast.examples.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.core.BreakerFleet;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.Timekeeper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two clients with nothing in common but the database. */
class FleetOnJdbcTest {
    private static final BreakerPolicy POLICY = BreakerPolicy.defaults()
            .withFailureThreshold(3)
            .withOpenTime(Duration.ofMillis(500))
            .withProbes(1, 1);
    private static final Timekeeper TIME = Timekeeper.system();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final DataSource database = Database.connect();
    private volatile boolean away;
    private final BreakerStore oneStore = new JdbcBreakerStore(leaving(), TIME, Duration.ofMillis(20));
    private final BreakerStore otherStore = new JdbcBreakerStore(leaving(), TIME, Duration.ofMillis(20));
    private final BreakerFleet oneFleet = BreakerFleet.of(oneStore, TIME);
    private final BreakerFleet otherFleet = BreakerFleet.of(otherStore, TIME);
    private final CircuitBreaker one = CircuitBreaker.of("search", POLICY, TIME);
    private final CircuitBreaker other = CircuitBreaker.of("search", POLICY, TIME);

    @BeforeEach
    void join() throws SQLException {
        Database.empty(database);
        oneFleet.join(one);
        otherFleet.join(other);
    }

    @AfterEach
    void close() {
        oneFleet.close();
        otherFleet.close();
        oneStore.close();
        otherStore.close();
    }

    @Test
    void openTogetherAndCloseTogether() {
        fail(one, 3);
        await(() -> other.state() != BreakerState.CLOSED);
        await(() -> one.state() == BreakerState.HALF_OPEN && other.state() == BreakerState.HALF_OPEN);
        Permit probe = (Permit) other.acquire();
        assertThat(one.acquire()).as("the other one probes").isInstanceOf(CircuitBreaker.Open.class);
        probe.succeeded();
        await(() -> one.state() == BreakerState.CLOSED);
    }

    @Test
    void goOnByThemselvesWhileTheDatabaseIsAwayAndAgreeAgainAfterwards() {
        fail(one, 3);
        await(() -> other.state() != BreakerState.CLOSED);
        away = true;
        await(() -> other.state() == BreakerState.HALF_OPEN);
        Permit probe = (Permit) other.acquire();
        probe.succeeded();
        assertThat(other.state()).isEqualTo(BreakerState.CLOSED);
        away = false;
        await(() -> one.state() == BreakerState.CLOSED);
    }

    private static void fail(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            ((Permit) breaker.acquire()).failed();
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("patience left").isNegative();
            Thread.yield();
        }
    }

    /** The database, unless it is away. */
    private DataSource leaving() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (away) {
                        throw new SQLException("connection refused");
                    }
                    try {
                        return method.invoke(database, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
