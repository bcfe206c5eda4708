package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.internal.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a retry on its own makes of work, predicates and strategies that do not behave. */
class RetryMisuseTest {
    private final ManualTime time = new ManualTime();
    private final AtomicInteger runs = new AtomicInteger();
    private final Retry retry = retry(RetryPolicy.standard().withBackoff(Backoff.immediate()));

    private Retry retry(RetryPolicy policy) {
        return Retry.of(policy, time, new Random(1));
    }

    private Object fail() throws IOException {
        throw new IOException("attempt " + runs.incrementAndGet());
    }

    @Test
    @SuppressWarnings("NullAway") // what is asked is what becomes of null
    void nullIsRefusedWhereItIsGivenAndNotTriedAgain() {
        Callable<Object> none = null;
        assertThatThrownBy(() -> retry.call(none))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("work");
        assertThatThrownBy(() -> retry.onException(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> retry.onResult(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void anErrorIsNotTriedAgain() {
        assertThatThrownBy(() -> retry.call(() -> {
                    runs.incrementAndGet();
                    throw new StackOverflowError("deep");
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aPredicateThatThrowsEndsTheCallAndKeepsTheFailure() {
        Retry broken = retry.onException(e -> {
            throw new IllegalStateException("predicate");
        });
        assertThatThrownBy(() -> broken.call(this::fail))
                .hasMessage("predicate")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aPredicateOnResultsThatThrowsIsNotTakenForAFailureOfTheWork() {
        Retry broken = retry.onResult(result -> {
            throw new IllegalStateException("predicate");
        });
        assertThatThrownBy(() -> broken.call(runs::incrementAndGet)).hasMessage("predicate");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aStrategyThatThrowsKeepsTheFailure() {
        Retry broken = retry(RetryPolicy.standard().withBackoff(request -> {
            throw new IllegalStateException("strategy");
        }));
        assertThatThrownBy(() -> broken.call(this::fail))
                .hasMessage("strategy")
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(IOException.class));
    }

    @Test
    void aStrategyThatGoesBackInTimeWaitsNot() {
        Retry eager = retry(RetryPolicy.standard().withBackoff(request -> Duration.ofSeconds(-5)));
        assertThatThrownBy(() -> eager.call(this::fail)).hasMessage("attempt 4");
    }

    @Test
    void nullIsAGoodResult() throws Exception {
        Retry picky = retry.onResult(result -> true);
        assertThat(picky.<Object>call(() -> {
                    runs.incrementAndGet();
                    return null;
                }))
                .isNull();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aResultThatNeverGetsGoodComesOutAsItIs() throws Exception {
        assertThat(retry.onResult(result -> true).call(runs::incrementAndGet)).isEqualTo(4);
    }
}
