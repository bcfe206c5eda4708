package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.RateLimitStore;
import dev.holdfast.spi.RateLimitStore.Lease;
import dev.holdfast.spi.RateLimitStore.LeaseRequest;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What any {@link RateLimitStore} must keep. Extend it, and create yours. */
public abstract class RateLimitStoreContract {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final ManualTimekeeper time = new ManualTimekeeper();

    /** For subclasses. */
    protected RateLimitStoreContract() {}

    /**
     * {@return a new store in which nothing is spent}
     *
     * @param time its clock; a store that has a clock of its own lets time pass there when {@link #advance} is called
     */
    protected abstract RateLimitStore create(Timekeeper time);

    /**
     * Lets time pass. A store that has a clock of its own overrides it.
     *
     * @param length how long
     */
    protected void advance(Duration length) {
        time.advance(length);
    }

    @Test
    void aLeaseIsNotNegativeAndEndsBySoon() {
        RateLimitStore store = create(time);
        for (int i = 0; i < 20; i++) {
            Lease lease = lease(store, "a", 10, 3);
            assertThat(lease.amount()).isBetween(0L, 10L);
            assertThat(lease.length()).isBetween(Duration.ofNanos(1), LONGEST);
        }
    }

    @Test
    void oneAloneMayInTheEndSpendAll() {
        RateLimitStore store = create(time);
        long spent = 0;
        long last = 0;
        for (int i = 0; i < 10; i++) {
            last = lease(store, "a", 100, last).amount();
            spent += last;
            advance(Duration.ofMillis(100));
        }
        assertThat(spent).isEqualTo(100);
    }

    @Test
    void whatIsOutAtOneTimeNeverExceedsTheLimit() {
        RateLimitStore store = create(time);
        long out = 0;
        for (int i = 0; i < 7; i++) {
            out += lease(store, "i" + i, 100, 0).amount();
        }
        assertThat(out).isBetween(1L, 100L);
    }

    @Test
    void whatIsSpentInAnyWindowNeverExceedsTheLimit() {
        RateLimitStore store = create(time);
        var random = new Random(7);
        long[] budget = new long[5];
        long[] spent = new long[5];
        List<long[]> all = new ArrayList<>();
        long now = 0;
        long sum = 0;
        for (int i = 0; i < 4_000; i++) {
            int instance = random.nextInt(5);
            budget[instance] =
                    lease(store, "i" + instance, 1_000, spent[instance]).amount();
            spent[instance] = (long) (budget[instance] * random.nextDouble());
            all.add(new long[] {now, spent[instance]});
            sum += spent[instance];
            long pause = random.nextInt(150);
            advance(Duration.ofMillis(pause));
            now += pause;
        }
        for (long[] first : all) {
            long inWindow = all.stream()
                    .filter(each -> each[0] >= first[0] && each[0] < first[0] + WINDOW.toMillis())
                    .mapToLong(each -> each[1])
                    .sum();
            assertThat(inWindow).isLessThanOrEqualTo(1_000);
        }
        assertThat(sum).as("in %s ms", now).isGreaterThan(now / WINDOW.toMillis() * 500);
    }

    @Test
    void everyInstanceGetsAPart() {
        RateLimitStore store = create(time);
        long a = 0;
        long b = 0;
        for (int i = 0; i < 120; i++) {
            a += lease(store, "a", 1_000, 0).amount();
            b += lease(store, "b", 1_000, 0).amount();
            advance(Duration.ofMillis(500));
        }
        assertThat(a).isPositive();
        assertThat(b).isBetween(a / 3, a * 3);
    }

    @Test
    void whatADeadInstanceHeldComesBack() {
        RateLimitStore store = create(time);
        lease(store, "dead", 100, 0);
        advance(LONGEST.plus(LONGEST));
        lease(store, "alive", 100, 0);
        advance(WINDOW);
        long got = 0;
        for (int i = 0; i < 5; i++) {
            got = Math.max(got, lease(store, "alive", 100, 0).amount());
            advance(Duration.ofMillis(100));
        }
        assertThat(got).isEqualTo(100);
    }

    @Test
    void keysHaveNothingToDoWithEachOther() {
        RateLimitStore store = create(time);
        lease(store, "a", 100, 0);
        assertThat(store.lease(new LeaseRequest("other", "a", 100, WINDOW, 0)).amount())
                .isEqualTo(100);
    }

    @Test
    @Tag("concurrency")
    void manyAtOnceGetNoMoreThanThereIs() throws InterruptedException {
        RateLimitStore store = create(time);
        var out = new AtomicLong();
        var number = new AtomicInteger();
        BreakerContract.together(
                200,
                () -> out.addAndGet(
                        lease(store, "i" + number.incrementAndGet(), 1_000, 0).amount()));
        assertThat(out.get()).isBetween(1L, 1_000L);
    }

    private static Lease lease(RateLimitStore store, String instance, long limit, long spent) {
        return store.lease(new LeaseRequest("key", instance, limit, WINDOW, spent));
    }
}
