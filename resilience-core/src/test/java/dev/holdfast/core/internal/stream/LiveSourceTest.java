package dev.holdfast.core.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallTrail;
import dev.holdfast.Failure;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelResponse;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a look at whether the next event is here does to who reads. */
@Timeout(120)
class LiveSourceTest {
    private final ManualTime time = new ManualTime();
    private final AtomicInteger aborted = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();

    private LiveSource source(EventFlow flow) {
        StreamWatch watch = StreamWatch.start(
                time, thread -> {}, StreamTimeouts.defaults(), Duration.ofSeconds(30), time.nanoTime(), () -> {});
        return new LiveSource(
                List.of(new TextDelta("one")), flow, watch, aborted::incrementAndGet, new Counted(cancelled));
    }

    /** A flow whose pieces are plugged in, and one of them is broken. */
    private static final class Broken implements EventFlow {
        @Override
        public StreamEvent next() {
            throw new IllegalStateException("read on after it broke");
        }

        @Override
        public boolean isReady() {
            throw new UnsupportedOperationException("broken");
        }

        @Override
        public ModelAnswer answer() {
            throw new IllegalStateException("none");
        }
    }

    private record Counted(AtomicInteger cancellations) implements Settlement {
        @Override
        public ModelResponse response(ModelAnswer answer) {
            throw new AssertionError("a good end");
        }

        @Override
        public Failure afterBeginning(Failure failure) {
            return failure;
        }

        @Override
        public CallTrail trail(Failure failure) {
            return CallTrail.empty("call");
        }

        @Override
        public void completed(ModelResponse response) {
            throw new AssertionError("a good end");
        }

        @Override
        public void failed(Failure failure, CallTrail trail) {
            throw new AssertionError("a bad end");
        }

        @Override
        public void cancelled(Failure why, CallTrail trail) {
            cancellations.incrementAndGet();
        }
    }

    /** Whoever looks has events in hand that it has to pass on first. */
    @Test
    void whatIsThrownAtALookIsThrownToWhoReadsOn() {
        LiveSource source = source(new Broken());
        assertThat(source.isReady()).as("the first event is here").isTrue();
        assertThat(source.pull()).isEqualTo(new TextDelta("one"));
        assertThat(source.isReady()).isFalse();
        assertThat(source.isReady()).isFalse();
        assertThat(cancelled).hasValue(0);
        assertThatThrownBy(source::pull)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("broken");
        assertThat(cancelled).hasValue(1);
        assertThat(aborted).hasValue(1);
        assertThat(source.isReady()).isFalse();
        assertThatThrownBy(source::pull).isInstanceOf(CallCancelledException.class);
    }

    @Test
    void whoLooksWhileAnotherWaitsForAnEventDoesNotWait() throws Exception {
        var waiting = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        LiveSource source = source(new EventFlow() {
            @Override
            public StreamEvent next() throws InterruptedException {
                waiting.countDown();
                go.await();
                return new TextDelta("two");
            }

            @Override
            public boolean isReady() {
                throw new AssertionError("two threads in one flow");
            }

            @Override
            public ModelAnswer answer() {
                throw new IllegalStateException("none");
            }
        });
        source.pull();
        var second = new CompletableFuture<StreamEvent>();
        Thread.ofVirtual().start(() -> second.complete(source.pull()));
        waiting.await();
        assertThat(source.isReady()).isFalse();
        go.countDown();
        assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo(new TextDelta("two"));
    }
}
