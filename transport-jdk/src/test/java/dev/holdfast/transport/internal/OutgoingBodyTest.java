package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutgoingBodyTest {
    private final AtomicInteger connected = new AtomicInteger();
    private final OutgoingBody body = new OutgoingBody(Bytes.utf8("abc"), 1, connected::incrementAndGet);

    @Test
    void refusesToBeSentTwice() {
        var first = new Recorded();
        var second = new Recorded();
        body.subscribe(first);
        body.subscribe(second);
        assertThat(first.bytes.toString()).isEqualTo("abc");
        assertThat(first.failure).isNull();
        assertThat(second.bytes.size()).isZero();
        assertThat(second.failure).isInstanceOf(IOException.class);
    }

    @Test
    void countsAsConnectedOnceItsLengthIsAskedFor() {
        assertThat(connected).hasValue(0);
        assertThat(body.isSent()).isFalse();
        assertThat(body.contentLength()).isEqualTo(3);
        assertThat(body.contentLength()).isEqualTo(3);
        assertThat(connected).hasValue(1);
        assertThat(body.isSent()).isTrue();
        assertThat(body.abandon()).isFalse();
    }

    @Test
    void isNotSentOnceGivenUp() {
        assertThat(body.abandon()).isTrue();
        assertThatThrownBy(body::contentLength).isInstanceOf(IllegalStateException.class);
        assertThat(body.isSent()).isFalse();
    }

    private static final class Recorded implements Flow.Subscriber<ByteBuffer> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Throwable failure;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer buffer) {
            while (buffer.hasRemaining()) {
                bytes.write(buffer.get());
            }
        }

        @Override
        public void onError(Throwable cause) {
            failure = cause;
        }

        @Override
        public void onComplete() {
            assertThat(failure).isNull();
        }
    }
}
