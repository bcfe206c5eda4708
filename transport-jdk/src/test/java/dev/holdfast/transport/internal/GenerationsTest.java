package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class GenerationsTest {
    private static final Duration AGE = Duration.ofMinutes(10);

    private final AtomicLong nowNanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<HttpClient> made = new CopyOnWriteArrayList<>();
    private final Generations generations = new Generations(this::make, AGE, nowNanos::get);

    private boolean exhausted;

    private HttpClient make() {
        if (exhausted) {
            throw new UncheckedIOException(new IOException("Too many open files"));
        }
        HttpClient client = HttpClient.newHttpClient();
        made.add(client);
        return client;
    }

    @AfterEach
    void close() {
        generations.close();
    }

    private void pass(Duration duration) {
        nowNanos.addAndGet(duration.toNanos());
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    @Test
    void keepsTheClientUntilItIsOfAge() {
        Generation first = generations.enter();
        pass(AGE.minusNanos(1));
        assertThat(generations.enter()).isSameAs(first);
        pass(Duration.ofNanos(1));
        assertThat(generations.enter()).isNotSameAs(first);
    }

    @Test
    void goesOnWithAClientThatIsOfAgeWhileThereIsNoMakingANewOne() {
        Generation old = generations.enter();
        pass(AGE);
        exhausted = true;
        assertThat(generations.enter()).isSameAs(old);
        exhausted = false;
        assertThat(generations.enter()).isNotSameAs(old);
        assertThat(made).hasSize(2);
    }

    @Test
    void replacesAClientThatLeaksConnectionsOnceASecondAtMost() {
        Generation leaking = generations.enter();
        leaking.leaked();
        pass(Duration.ofMillis(999));
        assertThat(generations.enter()).isSameAs(leaking);
        pass(Duration.ofMillis(1));
        assertThat(generations.enter()).isNotSameAs(leaking);
    }

    @Test
    void shutsTheOldClientDownWhenItsLastExchangeIsOver() throws Exception {
        Generation old = generations.enter();
        generations.enter();
        pass(AGE);
        generations.enter().leave();
        assertThat(generations.alive()).isEqualTo(2);
        old.leave();
        assertThat(made.getFirst().isTerminated()).isFalse();
        old.leave();
        await(() -> generations.alive() == 1 && made.getFirst().isTerminated());
        assertThat(made.getLast().isTerminated()).isFalse();
    }

    @Test
    void shutsAnUnusedOldClientDownAtOnce() throws Exception {
        pass(AGE);
        generations.enter();
        await(() -> generations.alive() == 1 && made.getFirst().isTerminated());
    }

    @Test
    void letsNobodyIntoAnOldClient() {
        Generation old = generations.enter();
        pass(AGE);
        generations.enter();
        assertThat(old.enter()).isFalse();
    }

    @Test
    void shutsAllClientsDownWhenClosed() throws Exception {
        generations.enter();
        pass(AGE);
        generations.enter();
        generations.close();
        await(() -> made.stream().allMatch(HttpClient::isTerminated));
    }

    @Test
    @Tag("concurrency")
    void replacesAClientOnceHoweverManyCallsNotice() throws Exception {
        for (int round = 0; round < 20; round++) {
            pass(AGE);
            var go = new CountDownLatch(1);
            var entered = new CopyOnWriteArrayList<Generation>();
            List<Thread> threads = java.util.stream.IntStream.range(0, 16)
                    .mapToObj(i -> Thread.ofVirtual().start(() -> {
                        try {
                            go.await();
                            entered.add(generations.enter());
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }))
                    .toList();
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(entered).hasSize(16).containsOnly(entered.getFirst());
            entered.forEach(Generation::leave);
        }
        assertThat(made).hasSize(21);
        await(() -> made.stream().filter(HttpClient::isTerminated).count() == 20 && generations.alive() == 1);
    }

    @Test
    void remembersWhatAnOriginIsLikeForAsLongAsItsConnections() {
        var origin = new Origin("https", "provider", 443);
        Generation first = generations.enter();
        first.answered(origin);
        first.chose(origin);
        assertThat(first.mayHaveKeptConnection(origin)).isTrue();
        assertThat(first.choseOneAtATime(origin)).isTrue();
        pass(AGE);
        assertThat(generations.enter().mayHaveKeptConnection(origin)).isFalse();
        assertThat(generations.current().choseOneAtATime(origin)).isFalse();
    }
}
