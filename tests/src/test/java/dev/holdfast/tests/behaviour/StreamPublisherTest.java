package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamFailedException;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The publisher view, by the rules of Reactive Streams. */
class StreamPublisherTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Notes every signal, and does what it is told at each event. */
    private static final class Subscriber implements Flow.Subscriber<StreamEvent> {
        private final long first;
        private final BiConsumer<Flow.Subscription, StreamEvent> onEach;
        private final List<StreamEvent> events = new ArrayList<>();
        private final List<String> signals = new ArrayList<>();
        private Flow.@Nullable Subscription subscription;
        private @Nullable Throwable error;

        Subscriber(long first, BiConsumer<Flow.Subscription, StreamEvent> onEach) {
            this.first = first;
            this.onEach = onEach;
        }

        Subscriber() {
            this(Long.MAX_VALUE, (subscription, event) -> {});
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            signals.add("subscribed");
            subscription = given;
            if (first != 0) {
                given.request(first);
            }
        }

        @Override
        public void onNext(StreamEvent event) {
            assertThat(signals).last().isNotIn("error", "complete");
            events.add(event);
            if (subscription != null) {
                onEach.accept(subscription, event);
            }
        }

        @Override
        public void onError(Throwable thrown) {
            error = thrown;
            signals.add("error");
        }

        @Override
        public void onComplete() {
            signals.add("complete");
        }

        String text() {
            return Reader.textOf(events);
        }
    }

    private static World three() {
        return new World()
                .provider(
                        "p1",
                        FaultScript.always(
                                Sse.every(SECOND, Sse.text("a"), Sse.text("b"), Sse.text("c"), Sse.STOP, Sse.DONE)));
    }

    private static void subscribe(World world, ResilientClient client, Flow.Subscriber<StreamEvent> subscriber) {
        world.time().run(() -> client.stream(World.request()).publisher().subscribe(subscriber));
    }

    @Test
    void allIsDeliveredInOrderAndThenTheEnd() {
        World world = three();
        var subscriber = new Subscriber();
        try (ResilientClient client = world.builder().build()) {
            subscribe(world, client, subscriber);

            assertThat(subscriber.text()).isEqualTo("abc");
            assertThat(subscriber.signals).containsExactly("subscribed", "complete");
            assertThat(world.open()).isZero();
            assertThat(world.time().elapsed()).isEqualTo(Duration.ofSeconds(5));
        }
    }

    @Test
    void theResponseIsThereOnceTheSubscriberHasReadAll() {
        World world = three();
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                ModelStream stream = client.stream(World.request());
                stream.publisher().subscribe(new Subscriber());
                assertThatThrownBy(stream::toResponse)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("a subscriber reads");
                world.sleep(SECOND.multipliedBy(10));
                assertThat(stream.toResponse().text()).contains("abc");
            });
        }
    }

    @Test
    void noMoreIsDeliveredThanWasAskedFor() {
        World world = three();
        var subscriber = new Subscriber(1, (subscription, event) -> {});
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                client.stream(World.request()).publisher().subscribe(subscriber);
                world.sleep(Duration.ofSeconds(60));
                assertThat(subscriber.text()).isEqualTo("a");
                subscriber.subscription.request(2);
                world.sleep(Duration.ofSeconds(60));
                assertThat(subscriber.text()).isEqualTo("abc");
                subscriber.subscription.request(Long.MAX_VALUE);
                subscriber.subscription.request(Long.MAX_VALUE);
            });
            assertThat(subscriber.signals).containsExactly("subscribed", "complete");
        }
    }

    @Test
    void whoAsksForOneAtATimeGetsAll() {
        World world = three();
        var subscriber = new Subscriber(1, (subscription, event) -> subscription.request(1));
        try (ResilientClient client = world.builder().build()) {
            subscribe(world, client, subscriber);
            assertThat(subscriber.text()).isEqualTo("abc");
            assertThat(subscriber.signals).containsExactly("subscribed", "complete");
        }
    }

    @Test
    void cancellingAbortsTheExchangeAndNothingFollows() {
        World world = three();
        var subscriber = new Subscriber(Long.MAX_VALUE, (subscription, event) -> {
            subscription.cancel();
            subscription.cancel();
            subscription.request(5);
        });
        try (ResilientClient client = world.builder().build()) {
            subscribe(world, client, subscriber);

            assertThat(subscriber.events).hasSize(1);
            assertThat(subscriber.signals).containsExactly("subscribed");
            assertThat(world.open()).isZero();
            assertThat(world.time().elapsed()).isEqualTo(SECOND);
            assertThat(world.events(CallEvent.CallFinished.class)
                            .getFirst()
                            .failure()
                            .orElseThrow()
                            .kind())
                    .isEqualTo(FailureKind.CANCELLED);
        }
    }

    @Test
    void cancellingFromElsewhereEndsAReaderThatWaits() {
        World world = World.of(Sse.silentAfter("a"));
        var subscriber = new Subscriber();
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                client.stream(World.request()).publisher().subscribe(subscriber);
                world.sleep(SECOND);
                subscriber.subscription.cancel();
            });
            assertThat(subscriber.signals).containsExactly("subscribed");
            assertThat(world.open()).isZero();
            assertThat(world.time().elapsed()).isEqualTo(SECOND);
        }
    }

    @Test
    void aStreamThatFailsIsAnErrorAfterWhatCameBefore() {
        World world = World.of(Sse.of(Sse.text("a"), Sse.ERROR));
        var subscriber = new Subscriber();
        try (ResilientClient client = world.builder().build()) {
            subscribe(world, client, subscriber);

            assertThat(subscriber.text()).isEqualTo("a");
            assertThat(subscriber.signals).containsExactly("subscribed", "error");
            assertThat(subscriber.error).isInstanceOf(StreamFailedException.class);
        }
    }

    @Test
    void aSubscriberThatNeverAsksHearsOfTheEndOfItsStream() {
        World world = three();
        var subscriber = new Subscriber(0, (subscription, event) -> {});
        try (ResilientClient client = world.builder().build()) {
            subscribe(world, client, subscriber);

            assertThat(world.time().elapsed()).isEqualTo(Duration.ofMinutes(10));
            assertThat(subscriber.error).isInstanceOf(CallCancelledException.class);
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void askingForNothingIsAnError() {
        World world = three();
        var subscriber = new Subscriber(-1, (subscription, event) -> {});
        try (ResilientClient client = world.builder().build()) {
            subscribe(world, client, subscriber);

            assertThat(subscriber.signals).containsExactly("subscribed", "error");
            assertThat(subscriber.error)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1 (expected: > 0)");
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void aSecondSubscriberIsRefused() {
        World world = three();
        var second = new Subscriber();
        try (ResilientClient client = world.builder().build()) {
            world.time().run(() -> {
                Flow.Publisher<StreamEvent> publisher =
                        client.stream(World.request()).publisher();
                assertThatThrownBy(() -> publisher.subscribe(null)).isInstanceOf(NullPointerException.class);
                publisher.subscribe(new Subscriber());
                publisher.subscribe(second);
            });
            assertThat(second.signals).containsExactly("subscribed", "error");
            assertThat(second.error).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aSubscriberThatThrowsEndsItsStream() {
        World world = three();
        var subscriber = new Subscriber(Long.MAX_VALUE, (subscription, event) -> {
            throw new IllegalStateException("mine");
        });
        try (ResilientClient client = world.builder().build()) {
            subscribe(world, client, subscriber);

            assertThat(subscriber.events).hasSize(1);
            assertThat(world.open()).isZero();
            assertThat(world.time().elapsed()).isEqualTo(SECOND);
        }
    }

    @Test
    void aWholeAnswerIsPublishedLikeAStream() {
        World world = World.of(Reply.completion("whole"));
        var subscriber = new Subscriber(1, (subscription, event) -> subscription.request(1));
        try (ResilientClient client = world.builder().build()) {
            subscribe(world, client, subscriber);

            assertThat(subscriber.text()).isEqualTo("whole");
            assertThat(subscriber.signals).containsExactly("subscribed", "complete");
        }
    }
}
