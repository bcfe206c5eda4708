package dev.holdfast.tests.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Priority;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.spi.Timekeeper.Task;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Who waits for a limit: both classes, cancelled, out of time, and with limits that change meanwhile. */
class LimiterQueueTest {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    @Property(tries = 300)
    void whoeverComesAndGoesTheQueueKeepsItsOrderItsLimitsAndItsPatience(
            @ForAll @Size(min = 1, max = 120) List<@IntRange(max = 9_999) Integer> steps, @ForAll boolean paced) {
        var world = new World(paced);
        world.time.run(() -> {
            steps.forEach(world::step);
            world.end();
        });
        world.checkOrder();
        world.checkLimits();
    }

    @Test
    void aWaiterBehindSeveralHundredOthersOfBothClassesIsServedNoEarlierThanItWasTold() throws InterruptedException {
        var time = new VirtualTime();
        var limiter = RateLimiter.of("t", LimitPolicy.defaults().withRpm(50), time);
        List<Duration> told = new ArrayList<>();
        List<Duration> took = new ArrayList<>();
        time.run(() -> {
            List<Task> all = new ArrayList<>();
            for (int i = 0; i < 700; i++) {
                Priority priority = i % 3 == 0 ? Priority.BATCH : Priority.INTERACTIVE;
                all.add(time.start("waiter", () -> {
                    Duration came = time.elapsed();
                    Duration in = limiter.tryAcquire(new TokenEstimate(0, 0), priority) instanceof Refused refused
                            ? refused.availableIn().orElseThrow()
                            : Duration.ZERO;
                    acquire(limiter, priority, 0, Duration.ofDays(1), time).settle();
                    told.add(in);
                    took.add(time.elapsed().minus(came));
                }));
                time.sleep(Duration.ofMillis(1));
            }
            for (Task task : all) {
                task.join();
            }
        });
        assertThat(took).hasSize(700);
        for (int i = 0; i < took.size(); i++) {
            assertThat(took.get(i)).isGreaterThanOrEqualTo(told.get(i));
        }
        assertThat(time.elapsed())
                .as("fifty a minute, the first fifty of which were granted twice")
                .isBetween(Duration.ofMinutes(14), Duration.ofMinutes(14).plusSeconds(1));
    }

    private static Reservation acquire(
            RateLimiter limiter, Priority priority, long tokens, Duration maxWait, VirtualTime time) {
        try {
            return switch (limiter.acquire(
                    new TokenEstimate(tokens, 0), priority, maxWait, Long.MAX_VALUE / 2, refused -> {})) {
                case Granted(Reservation reservation) -> reservation;
                case Refused refused -> throw new AssertionError(refused + " at " + time.elapsed());
            };
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** One that came, and how it ended. */
    private static final class Guest {
        private final Priority priority;
        private final long tokens;
        private final Duration came;
        private Duration ended = Duration.ZERO;
        private boolean granted;
        private long used;

        Guest(Priority priority, long tokens, Duration came) {
            this.priority = priority;
            this.tokens = tokens;
            this.came = came;
        }

        boolean waitedAt(Duration time) {
            return came.compareTo(time) < 0 && ended.compareTo(time) > 0;
        }
    }

    /** Limits that go up and down between two policies, and everyone who came. */
    private static final class World {
        private static final int MOST_REQUESTS = 8;
        private static final int MOST_TOKENS = 900;
        private static final int MOST_RUNNING = 4;

        private final VirtualTime time = new VirtualTime();
        private final LimitPolicy high;
        private final RateLimiter limiter;
        private final List<Guest> guests = new ArrayList<>();
        private final List<Task> tasks = new ArrayList<>();
        private final List<Runnable> running = new ArrayList<>();

        World(boolean paced) {
            high = LimitPolicy.perMinute(MOST_REQUESTS, MOST_TOKENS)
                    .withConcurrency(MOST_RUNNING)
                    .withPacing(paced);
            limiter = RateLimiter.of("t", high, time);
        }

        void step(int step) {
            int argument = step / 10;
            switch (step % 10) {
                case 0, 1, 2, 3 -> comes(argument);
                case 4, 5 -> ends(argument);
                case 6 -> {
                    if (!tasks.isEmpty()) {
                        tasks.get(argument % tasks.size()).interrupt();
                    }
                }
                case 7 ->
                    limiter.change(
                            argument % 2 == 0
                                    ? high
                                    : high.withRpm(5).withTpm(500L).withConcurrency(2));
                default -> sleep(Duration.ofMillis(argument * 30L));
            }
            sleep(Duration.ofNanos(1));
            assertThat(limiter.status().inFlight()).isLessThanOrEqualTo(MOST_RUNNING);
        }

        private void comes(int argument) {
            Priority priority = argument % 3 == 0 ? Priority.BATCH : Priority.INTERACTIVE;
            Duration maxWait = argument % 5 == 0 ? Duration.ofSeconds(argument % 100) : LONGEST_WAIT;
            var guest = new Guest(priority, argument % (MOST_TOKENS + 1), time.elapsed());
            guests.add(guest);
            tasks.add(time.start("guest", () -> {
                try {
                    TokenEstimate estimate = new TokenEstimate(guest.tokens, 0);
                    var said = limiter.acquire(estimate, priority, maxWait, Long.MAX_VALUE / 2, refused -> {});
                    if (said instanceof Granted(Reservation reservation)) {
                        guest.granted = true;
                        guest.used = guest.tokens;
                        running.add(() -> settle(guest, reservation));
                    }
                } catch (InterruptedException e) {
                    guest.granted = false;
                }
                guest.ended = time.elapsed();
                assertThat(guest.ended.minus(guest.came)).isLessThanOrEqualTo(maxWait);
            }));
        }

        private static void settle(Guest guest, Reservation reservation) {
            guest.used = guest.tokens / 2;
            reservation.settle(guest.used);
        }

        private void ends(int argument) {
            if (!running.isEmpty()) {
                running.remove(argument % running.size()).run();
            }
        }

        void end() {
            limiter.change(high);
            for (int i = 0; i < 200; i++) {
                sleep(Duration.ofSeconds(10));
                ends(0);
            }
            assertThat(limiter.status().waiting()).isZero();
            while (!running.isEmpty()) {
                ends(0);
            }
            assertThat(limiter.status().inFlight()).isZero();
            while (limiter.tryAcquire(100) instanceof Granted granted) {
                granted.reservation().settle();
            }
            Refused refused = (Refused) limiter.tryAcquire(100);
            sleep(refused.availableIn().orElseThrow().minusNanos(1));
            assertThat(limiter.tryAcquire(100)).isInstanceOf(Refused.class);
            sleep(Duration.ofNanos(1));
            assertThat(limiter.tryAcquire(100)).isInstanceOf(Granted.class);
        }

        /** First come, first served in each class; while batch calls wait, at most four interactive ones pass the first of them. */
        void checkOrder() {
            Duration batchServed = Duration.ZERO;
            for (int i = 0; i < guests.size(); i++) {
                Guest guest = guests.get(i);
                for (Guest later : guests.subList(i + 1, guests.size())) {
                    boolean overtook = later.granted && later.priority == guest.priority && guest.waitedAt(later.ended);
                    assertThat(overtook).as("came later, went first").isFalse();
                }
                if (guest.priority == Priority.BATCH) {
                    Duration first = batchServed.compareTo(guest.came) > 0 ? batchServed : guest.came;
                    assertThat(guests)
                            .filteredOn(each -> each.granted && each.priority == Priority.INTERACTIVE)
                            .filteredOn(each -> guest.waitedAt(each.ended) && each.ended.compareTo(first) > 0)
                            .hasSizeLessThanOrEqualTo(4);
                    batchServed = guest.ended.compareTo(batchServed) > 0 ? guest.ended : batchServed;
                }
            }
        }

        void checkLimits() {
            for (Guest from : guests) {
                List<Guest> within = guests.stream()
                        .filter(each -> each.granted && from.granted)
                        .filter(each -> each.ended.compareTo(from.ended) >= 0)
                        .filter(each -> each.ended.minus(from.ended).toNanos() < WINDOW)
                        .toList();
                assertThat(within).hasSizeLessThanOrEqualTo(MOST_REQUESTS);
                assertThat(within.stream().mapToLong(each -> each.used).sum()).isLessThanOrEqualTo(MOST_TOKENS);
            }
        }

        private void sleep(Duration length) {
            try {
                time.sleep(length);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
