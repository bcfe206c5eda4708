package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.RateLimiter.Cause;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class RateLimiterPropertiesTest {
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    @Property(tries = 300)
    void keepsItsPromisesInAnyOrderOfEvents(
            @ForAll @Size(max = 200) List<@IntRange(max = 99_999) Integer> steps,
            @ForAll @IntRange(min = 1, max = 8) int rpm,
            @ForAll @IntRange(min = 1, max = 300) int tpm,
            @ForAll @IntRange(min = 1, max = 6) int concurrency,
            @ForAll @LongRange(min = Long.MIN_VALUE, max = Long.MAX_VALUE) long start) {
        var world = new World(rpm, tpm, concurrency, start);
        steps.forEach(world::step);
        world.endsEmpty();
    }

    /** A limiter, its time, and a plain list of what was used when. */
    private static final class World {
        private final ManualTime time;
        private final RateLimiter limiter;
        private final int rpm;
        private final int tpm;
        private final int concurrency;
        private final List<Reservation> running = new ArrayList<>();
        private final List<Use> uses = new ArrayList<>();
        private final long start;
        private long now;

        World(int rpm, int tpm, int concurrency, long start) {
            this.rpm = rpm;
            this.tpm = tpm;
            this.concurrency = concurrency;
            this.start = start;
            this.time = new ManualTime(start);
            this.limiter = RateLimiter.of("t", LimitPolicy.perMinute(rpm, tpm).withConcurrency(concurrency), time);
        }

        /** What one grant used, or what one settlement added, and when. */
        private static final class Use {
            private final long at;
            private final Reservation reservation;
            private long requests;
            private long tokens;

            Use(long at, Reservation reservation, long requests, long tokens) {
                this.at = at;
                this.reservation = reservation;
                this.requests = requests;
                this.tokens = tokens;
            }
        }

        void step(int step) {
            int argument = step / 10;
            switch (step % 10) {
                case 0, 1, 2, 3 -> acquire(argument % (tpm + 1));
                case 4, 5 -> settle(argument);
                case 6 -> cancel(argument);
                case 7 -> advance(argument * 10_000_000L);
                case 8 -> time.advance(Duration.ofMillis(-argument % 1_000));
                default ->
                    assertThat(limiter.tryAcquire(tpm + 1L))
                            .isInstanceOfSatisfying(
                                    Refused.class,
                                    refused -> assertThat(refused.cause()).isEqualTo(Cause.REQUEST_TOO_LARGE));
            }
            check();
        }

        private void advance(long nanos) {
            time.advance(Duration.ofNanos(nanos));
        }

        /** The limiter's time: the latest it has seen, since the start. */
        private long latest() {
            now = Math.max(now, time.nanoTime() - start);
            return now;
        }

        private void acquire(long tokens) {
            boolean fits = requests() < rpm && tokens() + tokens <= tpm && running.size() < concurrency;
            switch (limiter.tryAcquire(tokens)) {
                case Granted(Reservation reservation) -> {
                    assertThat(fits).isTrue();
                    granted(reservation, tokens);
                }
                case Refused refused -> {
                    assertThat(fits).isFalse();
                    if (refused.cause() == Cause.RATE && running.size() < concurrency) {
                        isFreeExactlyThen(refused.availableIn().orElseThrow(), tokens);
                    }
                }
            }
        }

        private void isFreeExactlyThen(Duration availableIn, long tokens) {
            advance(availableIn.toNanos() - 1);
            latest();
            assertThat(limiter.tryAcquire(tokens)).isInstanceOf(Refused.class);
            advance(1);
            latest();
            assertThat(limiter.tryAcquire(tokens))
                    .isInstanceOfSatisfying(Granted.class, granted -> granted(granted.reservation(), tokens));
        }

        private void granted(Reservation reservation, long tokens) {
            running.add(reservation);
            uses.add(new Use(latest(), reservation, 1, tokens));
        }

        private void settle(int argument) {
            if (!running.isEmpty()) {
                Reservation reservation = running.remove(argument % running.size());
                long actual = argument % 400;
                reservation.settle(actual);
                reservation.settle(7);
                reservation.cancel();
                use(reservation).tokens = Math.min(actual, reservation.tokens());
                if (actual > reservation.tokens()) {
                    uses.add(new Use(latest(), reservation, 0, actual - reservation.tokens()));
                }
            }
        }

        private void cancel(int argument) {
            if (!running.isEmpty()) {
                Reservation reservation = running.remove(argument % running.size());
                reservation.cancel();
                reservation.settle(9);
                uses.remove(use(reservation));
            }
        }

        private Use use(Reservation reservation) {
            return uses.stream()
                    .filter(use -> use.reservation == reservation && use.requests == 1)
                    .findFirst()
                    .orElseThrow();
        }

        private long requests() {
            return live(use -> use.requests);
        }

        private long tokens() {
            return live(use -> use.tokens);
        }

        private long live(ToLongFunction<Use> weight) {
            long from = latest() - WINDOW;
            return uses.stream().filter(use -> use.at > from).mapToLong(weight).sum();
        }

        private void check() {
            RateLimiter.Status status = limiter.status();
            assertThat(status.requests()).isEqualTo(requests());
            assertThat(status.tokens()).isEqualTo(tokens());
            assertThat(status.inFlight()).isEqualTo(running.size()).isLessThanOrEqualTo(concurrency);
        }

        void endsEmpty() {
            while (!running.isEmpty()) {
                settle(1);
            }
            advance(2 * WINDOW);
            RateLimiter.Status status = limiter.status();
            assertThat(status.requests() + status.tokens() + status.inFlight()).isZero();
        }
    }
}
