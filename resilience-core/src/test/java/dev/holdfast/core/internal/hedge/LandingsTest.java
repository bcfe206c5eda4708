package dev.holdfast.core.internal.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class LandingsTest {
    private static final Timekeeper TIME = Timekeeper.system();

    private final ConcurrentLinkedQueue<String> late = new ConcurrentLinkedQueue<>();
    private final Landings<String> landings = new Landings<>(TIME::newSignal, late::add);

    @Test
    void theyAreTakenInTheOrderTheyCame() throws InterruptedException {
        landings.land("one");
        landings.land("other");

        assertThat(landings.next()).isEqualTo("one");
        assertThat(landings.next(TIME.nanoTime())).contains("other");
        assertThat(landings.next(TIME.nanoTime())).isEmpty();
    }

    @Test
    void whatIsThereAndWhatComesAfterTheEndIsClearedAwayOnce() {
        landings.land("there");
        landings.close();
        landings.land("late");
        landings.land("late");

        assertThat(late).containsExactly("there", "late", "late");
        assertThat(landings.poll()).isEmpty();
    }

    @Test
    void anInterruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(landings::next).isInstanceOf(InterruptedException.class);
    }

    /** Many races on virtual threads: every landing is handed out once, to the taker or to be cleared away. */
    @Test
    void underStressEachIsTakenOnceOrClearedAwayOnce() throws InterruptedException {
        int rounds = 3_000;
        for (int round = 0; round < rounds; round++) {
            var cleared = new ConcurrentLinkedQueue<Integer>();
            var race = new Landings<Integer>(TIME::newSignal, cleared::add);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                threads.add(Thread.ofVirtual().start(() -> race.land(number)));
            }
            var taken = new ArrayList<Integer>();
            taken.add(race.next());
            Optional<Integer> second =
                    race.next(TIME.nanoTime() + Duration.ofNanos(round * 7L).toNanos());
            second.ifPresent(taken::add);
            race.close();
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(taken.size() + cleared.size()).isEqualTo(3);
            taken.addAll(cleared);
            assertThat(taken).containsExactlyInAnyOrder(0, 1, 2);
        }
    }
}
