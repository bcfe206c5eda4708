package dev.holdfast.tests.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.Delivery;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.tests.behaviour.Sse;
import dev.holdfast.tests.behaviour.World;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.SkipException;

/** The rules of Reactive Streams, as their own test kit puts them to the publisher of a stream. */
class ReactiveStreamsTest {
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long SILENCE_MILLIS = 50;

    private static final ModelAnswer NOTHING = new ModelAnswer(
            Form.OPENAI_CHAT,
            JsonObject.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty());

    /** The rules that every publisher is held to. Others are optional, or cannot be tried. */
    private static final String REQUIRED = "required_";

    @TestFactory
    Stream<DynamicTest> rules() {
        return methods().stream().map(rule -> dynamicTest(rule.getName(), () -> verify(rule)));
    }

    @Test
    void theKitHasItsRules() {
        assertThat(methods()).hasSizeGreaterThan(30);
        assertThat(methods())
                .filteredOn(rule -> rule.getName().startsWith(REQUIRED))
                .hasSizeGreaterThan(20);
    }

    private static List<Method> methods() {
        return Arrays.stream(FlowPublisherVerification.class.getMethods())
                .filter(method -> method.isAnnotationPresent(org.testng.annotations.Test.class))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }

    /** The kit gives the collector a tenth of a second to tell of a subscriber that is gone: a busy machine may need another try. */
    private static void verify(Method rule) throws Throwable {
        for (int tries = rule.getName().contains("DropAllReferences") ? 10 : 1; tries > 1; tries--) {
            try {
                verifyOnce(rule);
                return;
            } catch (AssertionError e) {
                System.gc();
            }
        }
        verifyOnce(rule);
    }

    private static void verifyOnce(Method rule) throws Throwable {
        try (var streams = new Streams()) {
            streams.setUp();
            rule.invoke(streams);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SkipException skipped && !rule.getName().startsWith(REQUIRED)) {
                throw new TestAbortedException(skipped.getMessage(), skipped);
            }
            throw e.getCause();
        }
    }

    /** Makes streams of so many events. */
    private static final class Streams extends FlowPublisherVerification<StreamEvent> implements AutoCloseable {
        private final ResilientClient client = ResilientClient.builder()
                .endpoint(Endpoint.builder("p1", URI.create("http://provider.test/v1"))
                        .build())
                .transport(new Counted())
                .retry(RetryPolicy.none())
                .degradedReply(error -> Optional.of(NOTHING))
                .closeGrace(Duration.ZERO)
                .discovery(false)
                .logging(false)
                .build();
        private long wanted;

        Streams() {
            super(new TestEnvironment(PATIENCE_MILLIS, SILENCE_MILLIS));
        }

        @Override
        public Flow.Publisher<StreamEvent> createFlowPublisher(long elements) {
            wanted = elements;
            return client.stream(World.request()).publisher();
        }

        @Override
        public Flow.Publisher<StreamEvent> createFailedFlowPublisher() {
            wanted = 1;
            ModelStream stream = client.stream(World.request());
            stream.close();
            return stream.publisher();
        }

        @Override
        public void close() {
            client.close();
        }

        /** Answers with a stream of texts that ends with its finish reason, written as it is read. */
        private final class Counted implements Transport {
            @Override
            public TransportReply send(TransportCall call) throws TransportException {
                if (wanted == 0) {
                    throw new TransportException(
                            TransportException.Fault.CONNECT, Delivery.NEVER_SENT, "then NOTHING is the answer", null);
                }
                return new Written(wanted);
            }
        }
    }

    private static final class Written extends InputStream implements TransportReply {
        private long left;
        private byte[] event = {};
        private int at;

        Written(long events) {
            this.left = events;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (at == event.length && left == 0) {
                return -1;
            }
            if (at == event.length) {
                left--;
                event = (left == 0 ? Sse.STOP : Sse.text("x")).getBytes(StandardCharsets.UTF_8);
                at = 0;
            }
            int count = Math.min(length, event.length - at);
            System.arraycopy(event, at, target, offset, count);
            at += count;
            return count;
        }

        @Override
        public int read() {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0];
        }

        @Override
        public int status() {
            return 200;
        }

        @Override
        public Headers headers() {
            return Headers.of("Content-Type", "text/event-stream");
        }

        @Override
        public InputStream body() {
            return this;
        }

        @Override
        public void close() {}
    }
}
