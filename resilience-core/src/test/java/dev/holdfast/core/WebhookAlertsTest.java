package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.BreakerChanged;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.Target;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportReply;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reaches the webhook, and in which order, whatever it does and however much there is to tell. */
@Timeout(120)
class WebhookAlertsTest {
    private final ManualTime time = new ManualTime();
    private final Receiver receiver = new Receiver();
    private final WebhookAlerts alerts =
            WebhookAlerts.of(URI.create("https://hooks.example/s3cret"), WebhookAlerts.Form.JSON, receiver, time);

    /** Takes alerts, the first of them when it is let go. */
    private static final class Receiver implements Transport {
        final LinkedBlockingQueue<JsonObject> taken = new LinkedBlockingQueue<>();
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(1);
        volatile Error failure;

        @Override
        public TransportReply send(TransportCall call) throws InterruptedException {
            asked.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            Error failing = failure;
            if (failing != null) {
                failure = null;
                throw failing;
            }
            taken.add(JsonText.parse(call.body()).asObject().orElseThrow());
            return new Taken();
        }

        JsonObject next() throws InterruptedException {
            JsonObject next = taken.poll(1, TimeUnit.MINUTES);
            assertThat(next).as("an alert").isNotNull();
            return next;
        }
    }

    private record Taken() implements TransportReply {
        @Override
        public int status() {
            return 200;
        }

        @Override
        public Headers headers() {
            return Headers.empty();
        }

        @Override
        public InputStream body() {
            return InputStream.nullInputStream();
        }

        @Override
        public void close() {}
    }

    private static CallEvent breaker(String endpoint, BreakerState to) {
        return new BreakerChanged(Instant.EPOCH, new Target("m", endpoint), BreakerState.HALF_OPEN, to, "why");
    }

    private static String subject(JsonObject alert) {
        return alert.text("subject").orElseThrow();
    }

    private static long dropped(JsonObject alert) {
        return alert.get("dropped").map(JsonValue::toJson).map(Long::parseLong).orElseThrow();
    }

    /** Nobody who has something to tell waits for the webhook, which takes nothing all the while. */
    @Test
    void pastAHundredThatWaitTheOldestGoAndTheNextOneSaysHowMany() throws Exception {
        alerts.onEvent(breaker("under-way", BreakerState.OPEN));
        receiver.asked.await();
        for (int i = 0; i < 105; i++) {
            alerts.onEvent(breaker("e" + i, BreakerState.OPEN));
        }
        assertThat(receiver.taken).isEmpty();
        receiver.go.countDown();
        assertThat(subject(receiver.next())).isEqualTo("breaker of m@under-way");
        for (int i = 5; i < 105; i++) {
            JsonObject alert = receiver.next();
            assertThat(subject(alert)).isEqualTo("breaker of m@e" + i);
            assertThat(dropped(alert)).isEqualTo(i == 5 ? 5 : 0);
        }
        alerts.onEvent(breaker("later", BreakerState.OPEN));
        assertThat(subject(receiver.next())).isEqualTo("breaker of m@later");
    }

    @Test
    void theEndOfWhatWasToldIsNeverToldBeforeItsBeginning() throws Exception {
        receiver.go.countDown();
        var endpoint = new AtomicReference<>("");
        Thread other = Thread.ofPlatform().daemon().start(() -> {
            for (String each = endpoint.get(); each != null; each = endpoint.get()) {
                alerts.onEvent(breaker(each.isEmpty() ? "none" : each, BreakerState.CLOSED));
            }
        });
        for (int round = 0; round < 2_000; round++) {
            endpoint.set("e" + round);
            alerts.onEvent(breaker("e" + round, BreakerState.OPEN));
            for (String status : List.of("firing", "resolved")) {
                JsonObject alert = receiver.next();
                assertThat(subject(alert)).isEqualTo("breaker of m@e" + round);
                assertThat(alert.text("status")).contains(status);
            }
        }
        endpoint.set(null);
        other.join();
    }

    @Test
    void closingEndsWhatIsUnderWayAndNothingIsSentAfterwards() throws Exception {
        alerts.onEvent(breaker("a", BreakerState.OPEN));
        alerts.onEvent(breaker("b", BreakerState.OPEN));
        receiver.asked.await();
        alerts.close();
        assertThat(receiver.interrupted.await(1, TimeUnit.MINUTES)).isTrue();
        receiver.go.countDown();
        alerts.onEvent(breaker("c", BreakerState.OPEN));
        assertThat(receiver.taken.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void anErrorOfTheTransportCostsOneAlertAndNotAllThatFollow() throws Exception {
        receiver.failure = new StackOverflowError();
        receiver.go.countDown();
        // The sender is over some time; whatever is told afterwards starts another.
        for (int i = 0; receiver.taken.isEmpty(); i++) {
            alerts.onEvent(breaker("e" + i, BreakerState.OPEN));
            Thread.onSpinWait();
        }
        assertThat(receiver.failure).as("what was to be thrown").isNull();
        assertThat(subject(receiver.next())).startsWith("breaker of m@e");
    }
}
